"""A query that is a path finds what is there first."""

import pytest
from index.indexing import Contents, MemoryStore, hash_embedder, memory, ranking

from memoir.recall.ranking import RankedCandidate

CONTENTS: Contents = {
    "coding.testing": [memory("Run them before every commit", "2020-01-01T00:00:00Z"), memory("Use fixtures")],
    "coding.testing.coding": [memory("coding testing: coding, testing and more coding")],
    "notes.coding": [memory("See coding.testing for the testing of coding")],
}


def _rank(memories: MemoryStore, query: str, **options: object) -> list[RankedCandidate]:
    return list(ranking(memories.index(hash_embedder()), memories.snapshot(CONTENTS), query, **options).candidates)  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["coding.testing", " coding.testing\n", "default:coding.testing"])
def test_all_that_is_at_a_path_comes_first(memories: MemoryStore, query: str) -> None:
    first, second, *others = _rank(memories, query, tau=3000.0)

    assert {each.document.ordinal for each in (first, second)} == {0, 1}
    assert {each.document.address.path for each in (first, second)} == {"coding.testing"}
    assert first.relevance == 1 > max(each.relevance for each in others)


@pytest.mark.parametrize("query", ["other:coding.testing", "coding.testing?", "coding testing", "coding/testing"])
def test_what_is_no_path_of_a_memory_is_words(memories: MemoryStore, query: str) -> None:
    assert [each.numbers()["path"] for each in _rank(memories, query)] == [0.0] * 4


def test_a_filter_holds_for_a_path_too(memories: MemoryStore) -> None:
    candidates = _rank(memories, "coding.testing", globs=("notes.*",))

    assert [each.document.address.path for each in candidates] == ["notes.coding"]
