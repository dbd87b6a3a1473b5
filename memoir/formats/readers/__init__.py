"""The readers, one module for each format: a reader yields what it finds, and stores nothing."""
