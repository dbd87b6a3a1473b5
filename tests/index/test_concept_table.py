"""Which concepts the documents of an index speak of, and how well they match a query by them."""

import math

import pytest
from index.indexing import Contents, MemoryStore, Stub, hash_embedder, holdings, memory, memory_store

from memoir.index.concept_table import ConceptScores, concept_id
from memoir.index.index import Index
from memoir.index.view import View

CONTENTS: Contents = {
    "a": [memory("Crashes land in Rollbar.")],
    "b": [memory("Bread is baked on Sundays.")],
    "c": [memory("Nets are mended.")],
}


def search(memories: MemoryStore, query: str, contents: Contents = CONTENTS) -> tuple[ConceptScores, dict[str, float]]:
    """What the table says of a query, and the scores by path."""
    index = memories.index(hash_embedder())

    def work(view: View) -> tuple[ConceptScores, dict[str, float]]:
        found = view.concepts(query)
        paths = {each.id: each.address.path for each in view.documents(list(found.scores))}
        return found, {paths[identity]: score for identity, score in found.scores.items()}

    return index.read(memories.snapshot(contents), work)


def rows(index: Index, memories: MemoryStore, contents: Contents, concept: str) -> list[object]:
    """The weights of the documents that speak of a concept."""
    sql = "SELECT weight FROM concept WHERE id = ? ORDER BY document"
    snapshot = memories.snapshot(contents)
    return [
        weight
        for (weight,) in index.read(
            snapshot, lambda view: view.database.execute(sql, (concept_id(concept),)).fetchall()
        )
    ]


def test_rows_come_and_go_with_their_memories(memories: MemoryStore) -> None:
    index = memories.index(hash_embedder())

    assert rows(index, memories, CONTENTS, "error tracking") == [10]
    twice: Contents = {**CONTENTS, "d": [memory("Sentry shows the crash.")]}
    assert rows(index, memories, twice, "error tracking") == [10, 10]
    assert rows(index, memories, {"b": CONTENTS["b"]}, "error tracking") == []
    changed: Contents = {**CONTENTS, "a": [memory("Rye is a grain.")]}
    assert rows(index, memories, changed, "error tracking") == []


def test_a_vector_made_with_the_own_words_of_another_branch_is_not_taken_for_one_with_this_ones(
    memories: MemoryStore,
) -> None:
    """Also if the memory was not there when the words changed."""
    of_main: Contents = {"memoir:lexicon:barn": [memory("barn = staging cluster")], **CONTENTS}
    of_branch: Contents = {"memoir:lexicon:barn": [memory("barn = payroll")], **CONTENTS}
    deploy: Contents = {"d": [memory("Deploys go to the barn.")]}
    index = memories.index(Stub())
    for contents in ({**of_main, **deploy}, of_main, of_branch):
        holdings(index, memories.snapshot(contents))

    kept = holdings(index, memories.snapshot({**of_branch, **deploy}))

    with memory_store() as new:
        assert kept == holdings(new.index(Stub()), new.snapshot({**of_branch, **deploy}))


GRAFANA: Contents = {"c": [memory("Grafana has many panels.")]}


def test_what_is_only_related_weighs_less(memories: MemoryStore) -> None:
    assert rows(memories.index(hash_embedder()), memories, GRAFANA, "alerting") == [4]


def test_other_words_for_the_same_have_a_score(memories: MemoryStore) -> None:
    found, scores = search(memories, "where do errors show up?")

    assert list(scores) == ["a"] and scores["a"] == pytest.approx(found.ideal)


def test_the_words_themselves_count_nothing_a_second_time(memories: MemoryStore) -> None:
    both: Contents = {**CONTENTS, "d": [memory("Errors are rare.")]}

    assert search(memories, "errors", both)[1].keys() == {"a"}


def test_a_rare_concept_counts_more(memories: MemoryStore) -> None:
    many: Contents = {f"m.fact_{number}x": [memory(f"Crashes land in Rollbar {number}.")] for number in range(9)}

    (_, rare), (found, common) = search(memories, "errors"), search(memories, "errors", {**CONTENTS, **many})

    assert rare["a"] > common["a"]
    assert found.ideal == pytest.approx(max(common.values()))
    assert rare["a"] == pytest.approx(math.log((103 - 1 + 0.5) / 1.5))


@pytest.mark.parametrize("query", ["", "zzqx", '"', "c++ OR c#", "NEAR(a b)", "a* -b ^c {x}: y"])
def test_any_query_can_be_searched_for(memories: MemoryStore, query: str) -> None:
    found, scores = search(memories, query)

    assert scores == {} or found.spots
