"""The learned embedder itself, where its weights are installed."""

import os
from pathlib import Path

import pytest
from index.indexing import MemoryStore, find, memory

from memoir.index.embedders import minilm

_OUTSIDE = {name: os.environ.get(name) for name in ("PROLLYTREE_EMBEDDER_CACHE", "XDG_CACHE_HOME", "HOME")}
"""Where the user's weights are, as it was before the tests were sealed."""


def test_meanings_are_found_without_a_common_word(memories: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in _OUTSIDE.items():
        if value is not None and name != "HOME":
            monkeypatch.setenv(name, value)
    if not _OUTSIDE["PROLLYTREE_EMBEDDER_CACHE"] and _OUTSIDE["HOME"]:
        cache = Path(_OUTSIDE["XDG_CACHE_HOME"] or Path(_OUTSIDE["HOME"], ".cache"), "memoir", "embedders")
        monkeypatch.setenv("PROLLYTREE_EMBEDDER_CACHE", str(cache))
    if not minilm.is_installed():
        pytest.skip("minilm's weights are not installed here")
    contents = {
        "a": [memory("The dog ran through the garden.")],
        "b": [memory("Quarterly revenue rose by four percent.")],
        "c": [memory("She plays the violin in an orchestra.")],
    }

    keys = find(memories.index(minilm.MiniLm()), memories.snapshot(contents), "Is anybody a musician?")

    assert keys[0] == "default:c"
