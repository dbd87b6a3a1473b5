"""Memories of other tools: readers that import them, and writers that export memories back."""
