"""Language models: the interface that memoir uses, and its implementations."""
