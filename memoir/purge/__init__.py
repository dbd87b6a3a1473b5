"""Removing from a store what must not exist: from its history, its logs, and everything that was made from them."""
