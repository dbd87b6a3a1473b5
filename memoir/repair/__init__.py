"""Checking and repairing stores, and what to believe of a history that came from elsewhere."""
