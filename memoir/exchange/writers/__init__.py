"""Many writers at once: each sends to a ref of its own, and every reader folds these into the branch."""
