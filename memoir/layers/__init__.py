"""The sources of memories and the items found in them, and the memories that belong together."""
