"""Purging: removes memories and credentials from a store's history, its logs, and everything derived from them."""
