"""`agent`: recall that chooses how to search, and searches as often as the question needs."""
