"""A store in memory for each test."""

from collections.abc import Iterator

import pytest
from index.indexing import MemoryStore, memory_store


@pytest.fixture
def memories() -> Iterator[MemoryStore]:
    """An empty store without git."""
    with memory_store() as store:
        yield store
