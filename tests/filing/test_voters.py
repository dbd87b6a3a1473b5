"""The memories that vote on the path of a new one."""

import pytest
from index.indexing import MemoryStore, Stub, memory, memory_store, ranking

from memoir.embedders.embedder import Embedder
from memoir.embedders.hashing import HashEmbedder
from memoir.filing.voters import MOST, neighbours

QUERY = "I bake bread with cold water"
CONTENTS = {
    "topics.cooking.bread": [memory("I bake sourdough bread with cold water and rye")],
    "topics.cooking.rye": [memory("Rye bread keeps for a week")],
    "workflow.review.short": [memory("Reviews are short and cold")],
    "project.status.build": [memory("Zebras graze")],
}
RECALL_OPTIONS = {"pool": 20, "weights": {"vector": 1.0, "person": 0.0, "time": 0.0}}


def paths_for(memories: MemoryStore, embedder: Embedder, text: str = QUERY) -> list[tuple[str, float]]:
    index = memories.index(embedder)
    return index.read(
        memories.snapshot(CONTENTS), lambda view: [near[:2] for near in neighbours(view, text, "default")]
    )


@pytest.mark.parametrize("embedder", [HashEmbedder(), Stub()], ids=["hashed", "learned"])
def test_neighbours_match_recall_with_the_same_relevance(embedder: Embedder) -> None:
    with memory_store() as memories:
        near = paths_for(memories, embedder)
        candidates = ranking(memories.index(embedder), memories.snapshot(CONTENTS), QUERY, RECALL_OPTIONS).candidates
        relevance = {candidate.document.address.path: candidate.relevance for candidate in candidates}

    assert near[0][0] == "topics.cooking.bread"
    assert dict(near) == pytest.approx({path: relevance[path] for path, _ in near})


def test_only_learned_vectors_find_further_neighbours() -> None:
    with memory_store() as memories:
        by_hash = {path for path, _ in paths_for(memories, HashEmbedder())}
    with memory_store() as memories:
        by_stub = {path for path, _ in paths_for(memories, Stub())}

    assert "project.status.build" in by_stub - by_hash


def test_neighbours_are_limited_and_empty_in_an_empty_namespace() -> None:
    with memory_store() as memories:
        index = memories.index(HashEmbedder())
        many = {f"topics.cooking.b{n}": [memory(f"I bake bread number {n}")] for n in range(30)}
        snapshot = memories.snapshot(many)

        assert len(index.read(snapshot, lambda view: neighbours(view, QUERY, "default"))) == MOST
        assert index.read(snapshot, lambda view: neighbours(view, QUERY, "other")) == []
