"""The versioned Merkle key-value store: bytes, keys and commits, without knowledge of memories."""
