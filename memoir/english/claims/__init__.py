"""What texts claim, so that two that cannot both be true are told from two that only look alike."""
