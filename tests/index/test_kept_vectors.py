"""Vectors that filing has made of a text are those that the index would make of it, so they are not made again."""

from collections.abc import Sequence

import pytest
from index.indexing import Contents, MemoryStore, Stub, memory, memory_store

from memoir.index.index import Index
from memoir.index.vectors import unit
from memoir.index.view import View

TEXTS = ("Bread is baked on Sundays.", "Crashes land in Rollbar.")
TOLD = f"{TEXTS[1]} (error tracking)"
OWN: Contents = {"memoir:lexicon:bread": [memory("bread = the bakery")]}


def contents(*more: Contents) -> Contents:
    texts: Contents = {f"{letter}.x": [memory(text)] for letter, text in zip("ab", TEXTS, strict=True)}
    return {key: record for each in (texts, *more) for key, record in each.items()}


def keep(memories: MemoryStore, index: Index, texts: Sequence[str] = TEXTS) -> None:
    """What filing does: it reads the index, and leaves the vectors of texts that are not in it yet."""
    index.read(memories.snapshot({"z": [memory("Nets are mended.")]}), View.total)
    index.keep_vectors(dict(zip(texts, map(unit, Stub().embed(texts)), strict=True)))


def rows(memories: MemoryStore, index: Index, *more: Contents) -> list[tuple[object, ...]]:
    """All vectors that a complete index has."""
    index.begin(wait=True)
    read = "SELECT embedder, content, value FROM vector ORDER BY embedder, content"
    return index.read(memories.snapshot(contents(*more)), lambda view: view.database.execute(read).fetchall())


@pytest.mark.parametrize("more", [(), (OWN,)], ids=["plain", "with words of the store's own"])
def test_a_kept_vector_is_not_computed_again_and_the_index_is_the_same(
    memories: MemoryStore, more: tuple[Contents, ...]
) -> None:
    stub = Stub()
    index = memories.index(stub)
    keep(memories, index)
    kept = rows(memories, index, *more)

    with memory_store() as others:
        other = others.index(Stub())
        keep(others, other, texts=())
        assert rows(others, other, *more) == kept
    told = [f"{TEXTS[0]} (the bakery)", TOLD] if more else [TOLD]
    assert sorted(stub.texts) == sorted(["Nets are mended.", *told])


def test_nothing_is_kept_of_a_text_that_is_indexed(memories: MemoryStore) -> None:
    index = memories.index(Stub())
    before = rows(memories, index)
    index.keep_vectors(dict(zip(TEXTS, map(unit, Stub().embed(TEXTS)), strict=True)))
    assert rows(memories, index) == before


def test_without_an_embedder_nothing_is_kept(memories: MemoryStore) -> None:
    index = memories.index()
    keep(memories, index)
    assert rows(memories, index) == []
