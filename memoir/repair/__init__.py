"""Checks and repairs of stores, and checks of history that came from elsewhere."""
