"""What lies behind and between memories: the sources and the items found in them, and what belongs together."""
