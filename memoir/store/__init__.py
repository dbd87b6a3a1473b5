"""The versioned Merkle key-value store. It knows bytes, keys and commits; not what a memory is."""
