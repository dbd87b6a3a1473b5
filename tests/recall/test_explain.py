"""The explanation of a memory's rank or absence, in the same numbers that recall used."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index.indexing import NOW, Contents, How, MemoryStore, ask, hash_embedder, memory, memory_store, name
from recall.pickers import Answers, PlainInventory, serving
from support import examples

from memoir.errors import NotFound
from memoir.llm.conversation import ModelConversation
from memoir.recall import engine, pickers
from memoir.recall.answer import steps_of
from memoir.recall.by_model import choices
from memoir.recall.explain import Explanation, explain
from memoir.recall.query import Boost
from memoir.recall.ranking import RankedCandidate
from memoir.recall.result import Stage
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import memory_address

PLAIN: How = {}

ANIMALS: Contents = {
    "a.one": [memory("zebra", person="Ada")],
    "a.two": [memory("zebra and lion", "2025-06-01T00:00:00Z")],
    "b.three": [memory("zebra lion owl bear")],
    "b.four": [memory("a fox in the snow")],
    "user:c": [memory("zebra crossing")],
}


def _explain(
    store: MemoryStore,
    query: str,
    key: str,
    settings: How = PLAIN,
    contents: Contents = ANIMALS,
    **options: Any,
) -> Explanation:
    snapshot = store.snapshot(contents)
    return explain(store.index(hash_embedder()), snapshot, ask(query, settings, **options), memory_address(key))


def _reason(store: MemoryStore, query: str, key: str, settings: How = PLAIN, **options: Any) -> str | None:
    (memory,) = _explain(store, query, key, settings, **options).memories
    return memory.candidate.dropped


def test_a_memory_in_the_answer_has_its_rank(memories: MemoryStore) -> None:
    explanation = _explain(memories, "zebra", "a.two")

    assert (explanation.memories[0].rank, explanation.memories[0].candidate.dropped) == (3, None)
    assert explanation.total == 4
    assert [term.word for term in explanation.clues.words.terms] == ["zebra"]


@pytest.mark.parametrize(
    ("options", "key", "reason"),
    [
        ({"limit": 1}, "b.three", "beyond the limit of 1"),
        ({"threshold": 0.95}, "b.three", "relevance below the threshold of 0.95"),
        ({"namespaces": ("user",)}, "a.one", "outside the namespaces asked for (user)"),
        ({"globs": ("b.*", "c")}, "a.one", "its path matches none of b.*, c"),
        ({"person": "Bo"}, "a.one", "not about Bo"),
        ({"person": "Ada"}, "a.two", "not about Ada"),
        ({"since": NOW}, "a.one", "outside the time asked for (--since, --until)"),
        ({"until": 0.0}, "a.one", "outside the time asked for (--since, --until)"),
        ({"since": 0.0, "metadata": (("person", "Bo"),)}, "a.one", "its metadata lacks person=Bo"),
    ],
)
def test_the_reason_for_leaving_a_memory_out_is_named(
    memories: MemoryStore, options: dict[str, Any], key: str, reason: str
) -> None:
    assert _reason(memories, "zebra", key, **options) == reason


def test_a_memory_without_a_word_of_the_query_is_explained(memories: MemoryStore) -> None:
    """Even in a small store, where the vector leg's pool has room for everything."""
    reason = _reason(memories, "zebra", "b.four")

    assert reason == "it shares no word with the query, and its vector is not near enough"
    assert [each.rank for each in _explain(memories, "zebra", "b.four").memories] == [None]


def test_a_memory_outside_both_pools_is_explained(memories: MemoryStore) -> None:
    contents = {name(number): [memory("zebra")] for number in range(9)} | {"z": [memory("zebra lion owl bear fox")]}

    reason = _reason(memories, "zebra", "z", {"pool": 3}, contents=contents)

    assert reason == "not among the best 3 by words or by vectors (memoir.recall.candidatePool)"


def test_a_boost_of_zero_is_given_as_the_reason(memories: MemoryStore) -> None:
    reason = _reason(memories, "zebra", "a.one", boosts=(Boost("a.*", 0.0),))

    assert reason == "its score is 0"


def test_a_superseded_or_missing_memory_is_not_found(memories: MemoryStore) -> None:
    with pytest.raises(NotFound, match="superseded"):
        _explain(memories, "zebra", "a", contents={"a": [memory("zebra", active=False)]})
    with pytest.raises(NotFound):
        _explain(memories, "zebra", "absent")


def test_each_memory_of_a_path_is_explained(memories: MemoryStore) -> None:
    contents = {**ANIMALS, "a.one": [memory("gone", active=False), memory("zebra"), memory("an owl in the snow")]}

    explanation = _explain(memories, "zebra", "a.one", contents=contents)

    assert sorted(each.candidate.document.ordinal for each in explanation.memories) == [1, 2]


def test_filtered_memories_do_not_change_other_numbers(memories: MemoryStore) -> None:
    """Two memories at one path, of which the better match is about somebody else than was asked for."""
    contents = {**ANIMALS, "a.one": [memory("zebra crossing", person="Ada"), memory("zebra in the snow", person="Bo")]}

    explanation = _explain(memories, "zebra crossing", "a.one", contents=contents, person="Bo")

    (candidate,) = [each.candidate for each in explanation.memories if not each.candidate.dropped]
    (hit,) = _recall(memories, "zebra crossing", contents, person="Bo")
    assert candidate.trace() == hit.trace()


def _recall(
    store: MemoryStore, query: str, contents: Contents, settings: How = PLAIN, **options: Any
) -> tuple[RankedCandidate, ...]:
    snapshot = store.snapshot(contents)
    answer = engine.recall(store.index(hash_embedder()), snapshot, ask(query, settings, **options))
    assert answer.ranking
    return answer.ranking.candidates


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "limit": st.integers(1, 3),
        "threshold": st.sampled_from([0.3, 0.9]),
        "tau": st.sampled_from([0.0, 7.0]),
        "rerank": st.just("deterministic"),
        "namespaces": st.just(("default",)),
        "boosts": st.just((Boost("b.*", 2.5),)),
    },
)


@pytest.fixture(scope="module")
def animals() -> Iterator[MemoryStore]:
    """A store for questions alone."""
    with memory_store() as store:
        yield store


@pytest.mark.slow
@given(
    query=st.sampled_from(["zebra", "lion zebra", "Ada's zebra", "fox", "zebra in June 2025", "the snow"]),
    options=OPTIONS,
    how=st.sampled_from([{}, {"fusion": "rrf", "pool": 2}, {"weights": {"vector": 0.0}}]),
)
@settings(max_examples=examples(40))
def test_recall_and_explain_agree_on_every_memory(
    animals: MemoryStore, query: str, options: dict[str, Any], how: How
) -> None:
    """The same numbers, the same reason; and what is in an answer is said to be, and nothing else."""
    hits = _recall(animals, query, ANIMALS, how, **options)
    traces = {c.document.address.full_key: c.trace() for c in hits}
    for key in ("default:a.one", "default:a.two", "default:b.three", "default:b.four", "user:c"):
        explanation = _explain(animals, query, key, how, **options)
        ((_, own, rank),) = explanation.memories
        if key in traces:
            assert own.trace() == traces[key]
            assert rank == list(traces).index(key) + 1
        else:
            assert own.dropped
            assert rank is None


def test_in_a_mode_that_does_more_than_rank_the_rank_is_that_of_the_answer(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        repository.remember(Memory.of(f"zebra {number}"), f"a.k{number}")

    with serving(monkeypatch, "a.k2", "a.k2"):
        hit = repository.explain("zebra", "a.k2", mode="single")
        miss = repository.explain("zebra", "a.k0", mode="single")
    chain = repository.explain("zebra", "a.k0", mode="agent", planner="rules")

    assert (hit.memories[0].rank, hit.total, hit.query.mode) == (1, 1, "single")
    assert (miss.memories[0].rank, miss.memories[0].candidate.dropped) == (None, "not in the answer of single")
    assert "result" in [stage.stage for stage in hit.stages]
    assert (chain.memories[0].rank, chain.total, chain.query.mode) == (3, 3, "agent")


def test_a_choice_of_a_model_is_a_step() -> None:
    inventory = PlainInventory({"a.b": ["one"], "c": ["two"], "d": ["three"]}, best=["c"])

    useful, useless = ModelConversation(Answers("c\nd")), ModelConversation(Answers("hm"))
    for talk in (useful, useless):
        pickers.pick_at_once(inventory, "?", talk)

    assert choices(useful) == [Stage("single.select", "model", 3, 3, 2)]
    (stage,) = choices(useless)
    assert (stage.status, stage.result_count, stage.degraded) == (
        "degraded", 0, "the model's answer names no path that was offered",
    )  # fmt: skip


def test_the_steps_of_a_ranking_are_its_legs_its_channels_and_the_fusion(memories: MemoryStore) -> None:
    contents = {"a": [memory("zebra", person="Ada")], "b": [memory("a lion")]}
    query = ask("Ada's zebra", weights={"vector": 0.0, "time": 0.0}, rerank="deterministic", limit=1)
    steps = steps_of(engine.recall(memories.index(hash_embedder()), memories.snapshot(contents), query))

    outcomes = {(step.stage, step.method): (step.result_count, step.skipped) for step in steps}
    assert (
        outcomes.items()
        >= {
            ("retrieval", "bm25"): (1, None),
            ("retrieval", "vector"): (0, "its weight is 0"),
            ("channel", "person"): (1, None),
            ("channel", "time"): (0, "its weight is 0"),
            ("fusion", "blend"): (1, None),
            ("rerank", "words"): (1, None),
            ("result", "limit"): (1, None),
        }.items()
    )
