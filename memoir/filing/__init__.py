"""Filing: finding the path in the taxonomy where a memory belongs."""
