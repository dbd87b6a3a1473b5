"""Exchange of memories with other stores: remotes, layouts, fetch, push, merge and sync."""
