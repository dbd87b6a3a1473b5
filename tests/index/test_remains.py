"""Words that were removed from the store are in none of the index's files after the next question."""

import pytest
from index.indexing import Contents, MemoryStore, find, hash_embedder, memory

from memoir.index import state
from memoir.index.location import index_file
from memoir.index.request import Limits

SECRET = "xylophonebandit"
BEFORE: Contents = {
    "a.b": [memory(f"the {SECRET} sings"), memory("lion")],
    "a.c": [memory("zebra", person="Quirinius")],
}
CHANGES: dict[str, tuple[Contents, str]] = {
    "removed": ({"a.c": BEFORE["a.c"]}, SECRET),
    "edited": ({**BEFORE, "a.b": [memory("somebody sings"), memory("lion")]}, SECRET),
    "one of two removed": ({**BEFORE, "a.b": [memory("lion")]}, SECRET),
    "edited and moved on": ({**BEFORE, "a.b": [memory("lion")], "a.d": [memory("new")]}, SECRET),
    "another person": ({**BEFORE, "a.c": [memory("zebra", person="Bo")]}, "quirinius"),
}


def _bytes(store: MemoryStore) -> bytes:
    """All bytes of an index's files on disk."""
    name = index_file(store.git_dir).stem
    return b"".join(path.read_bytes() for path in sorted(store.git_dir.glob(f"{name}*")) if path.suffix != ".db-shm")


@pytest.mark.parametrize(("after", "word"), CHANGES.values(), ids=CHANGES)
def test_removed_words_are_removed_from_the_index(memories: MemoryStore, after: Contents, word: str) -> None:
    index = memories.index(hash_embedder())
    find(index, memories.snapshot(BEFORE), "lion")
    assert word.encode() in _bytes(memories).lower()

    assert find(index, memories.snapshot(after), word) == []
    assert word.encode() not in _bytes(memories).lower()


def test_a_rebuilt_index_keeps_no_removed_words(memories: MemoryStore) -> None:
    memories.limits = Limits(removed_singly=0)
    index = memories.index(hash_embedder())
    find(index, memories.snapshot(BEFORE), "lion")

    find(index, memories.snapshot({"a.z": [memory("lion")]}), "lion")

    assert SECRET.encode() not in _bytes(memories)


def test_superseding_a_memory_needs_no_cleaning(memories: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its words are still in its record; cleaning after each replaced memory would make the next question slow."""
    index = memories.index(hash_embedder())
    find(index, memories.snapshot(BEFORE), "lion")
    flags: list[bool] = []
    monkeypatch.setattr(state.remains, "put", lambda database, flag: flags.append(flag))
    record = [memory(f"the {SECRET} sings", active=False), memory("lion"), memory("tiger")]

    assert find(index, memories.snapshot({**BEFORE, "a.b": record}), "tiger")[0] == "default:a.b"
    assert flags == []
