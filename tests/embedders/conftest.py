"""The weights of minilm, laid out, and a store in memory for each test."""

from pathlib import Path

import pytest
from index.conftest import memories

from memoir.embedders import minilm, weights

__all__ = ["laid_out", "memories"]


@pytest.fixture(scope="session")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that has them, for tests that only read it."""
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(cache))
        weights.lay_out(minilm.folder())
    return cache
