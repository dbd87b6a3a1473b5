"""The readers, one module for each format: a reader yields its findings, and stores nothing."""
