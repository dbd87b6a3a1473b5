"""The leg of concepts: what speaks of the same in other words."""

from typing import Any

import pytest
from index.indexing import Contents, MemoryStore, hash_embedder, memory, ranking

from memoir import Memory, Repository

CONTENTS: Contents = {
    "a.bread": [memory("Bread is baked on Sundays.")],
    "b.crashes": [memory("Crashes land in Rollbar.")],
    "user:c.crashes": [memory("Crashes land in Rollbar.")],
}
QUESTION = "where do errors show up?"


def _concepts(memories: MemoryStore, query: str = QUESTION, **options: Any) -> dict[str, float]:
    """The score of each candidate that has one."""
    result = ranking(memories.index(hash_embedder()), memories.snapshot(CONTENTS), query, **options)
    scores = {each.document.address.short_key: each.numbers()["concepts"] for each in result.everyone}
    return {key: score for key, score in scores.items() if score}


def test_a_question_finds_what_is_said_in_other_words(repository: Repository) -> None:
    repository.remember(Memory.of("Crashes land in Rollbar."), "system.crashes")
    for number, fact in enumerate(("Releases go out on Tuesdays.", "Ada owns the parser.", "Meetings show slides.")):
        repository.remember(Memory.of(fact), f"other.fact_{number}x")

    best = repository.recall(QUESTION, limit=1).memories[0]
    without = repository.recall(QUESTION, weight=["concepts=0", "words=1"], strict=True).memories

    assert best.path == "system.crashes" and best.ranking["concept_rank"] == 1
    assert all(each.ranking["concept_rank"] is None for each in without)


def test_only_what_speaks_of_the_question_has_a_score(memories: MemoryStore) -> None:
    assert _concepts(memories).keys() == {"b.crashes", "user:c.crashes"}


def test_a_weight_of_0_switches_the_leg_off(memories: MemoryStore) -> None:
    assert _concepts(memories, weights={"concepts": 0.0}) == {}


def test_a_filter_holds(memories: MemoryStore) -> None:
    assert _concepts(memories, namespaces=("user",)).keys() == {"user:c.crashes"}


@pytest.mark.parametrize("query", ["", "zebra", "?"])
def test_a_query_without_concepts_has_no_scores(memories: MemoryStore, query: str) -> None:
    assert _concepts(memories, query) == {}
