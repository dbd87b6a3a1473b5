"""Records of memories: their fields, metadata and merge policies, and damaged records."""
