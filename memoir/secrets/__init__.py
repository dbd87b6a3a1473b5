"""Text that must not be stored: credentials and what is marked private."""
