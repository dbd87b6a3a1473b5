"""A memory with synonyms of the words that it lacks."""

import pytest
from index.indexing import Contents, MemoryStore, Stub, hash_embedder, memory, ranking

from memoir.index.embedders.embedder import Embedder

CONTENTS: Contents = {
    "a.office": [memory("Picnic with the whole office")],
    "b.school": [memory("Picnic with the children")],
    "c.club": [memory("Picnic with the kids and their children")],
    "d.stars": [memory("The children slept")],
}


def _additions(
    memories: MemoryStore, query: str, embedder: Embedder | None = None, **weights: float
) -> dict[str, float]:
    """What each candidate gains by synonyms."""
    result = ranking(memories.index(embedder), memories.snapshot(CONTENTS), query, weights=weights)
    return {each.document.address.path: each.trace()["synonyms"] for each in result.everyone}


def test_a_memory_gains_by_a_synonym_of_a_word_that_it_lacks(memories: MemoryStore) -> None:
    additions = _additions(memories, "picnic with kids")

    assert additions["b.school"] > 0
    assert additions["a.office"] == 0


def test_a_memory_that_has_the_word_gains_nothing_by_its_synonyms(memories: MemoryStore) -> None:
    assert _additions(memories, "picnic with kids")["c.club"] == 0


def test_each_word_is_looked_at_by_itself(memories: MemoryStore) -> None:
    """A memory that has `kids` gains by a synonym of `outing`, and not by one of `kids` as well."""
    contents: Contents = {
        "a.first": [memory("Trips of kids and children")],
        "b.second": [memory("Trips of kids and marbles")],
    }
    result = ranking(memories.index(), memories.snapshot(contents), "outing with kids")
    first, second = (each.trace()["synonyms"] for each in result.everyone)

    assert first == second > 0


def test_a_better_order_follows(memories: MemoryStore) -> None:
    snapshot = memories.snapshot(CONTENTS)
    paths = [each.document.address.path for each in ranking(memories.index(), snapshot, "picnic with kids").candidates]

    assert paths[:3] == ["c.club", "b.school", "a.office"]


def test_a_synonym_alone_answers_nothing(memories: MemoryStore) -> None:
    """The list has opposites as well."""
    snapshot = memories.snapshot({"d": CONTENTS["d.stars"]})
    result = ranking(memories.index(hash_embedder()), snapshot, "kids", weights={"concepts": 0.0})

    assert result.candidates == ()


@pytest.mark.parametrize("query", ["picnic", "picnic with the kidz", "office picnic with children"])
def test_most_words_have_no_synonym_that_is_there(memories: MemoryStore, query: str) -> None:
    assert set(_additions(memories, query).values()) == {0.0}


def test_a_learned_embedder_needs_no_synonyms(memories: MemoryStore) -> None:
    assert set(_additions(memories, "picnic with kids", Stub()).values()) == {0.0}


def test_a_weight_of_0_switches_synonyms_off(memories: MemoryStore) -> None:
    assert set(_additions(memories, "picnic with kids", synonyms=0.0).values()) == {0.0}
