"""A store in memory for each test."""

from index.conftest import memories

__all__ = ["memories"]
