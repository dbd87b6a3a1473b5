"""`deep`: recall that looks again at what it has found, and follows the names in it to further memories."""
