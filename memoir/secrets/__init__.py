"""Text that must not be stored: credentials and private passages."""
