"""What lies behind memories: the sources they came from, as segments, and the items found in these."""
