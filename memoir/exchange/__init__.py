"""Exchanging memories with other stores: remotes, layouts, pushing, merging and syncing."""
