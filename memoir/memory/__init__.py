"""Memories, and the services that read and write them in a store."""
