"""The hop: names lead from the best memories to others, which are every third result of `deep`."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import Contents, MemoryStore, ask, hash_embedder, memory, name

from memoir.recall.answer import RecallAnswer
from memoir.recall.deep import recall
from memoir.recall.second_step import LATE
from memoir.recall.shared_names import EVERY, weave

QUESTION = "who maintains the service that bills customers?"
NOTES: Contents = {
    "project.billing": [memory("The service that bills customers is Quillon.")],
    "project.quillon.owner": [memory("Quillon belongs to Ines Fabri.")],
    "project.mail": [memory("The service that maintains mail, Postamo, has no customers.")],
    "project.chat": [memory("Another service bills by the hour.")],
    "project.desk": [memory("Who maintains the desk asks customers.")],
    "team.oncall": [memory("The pager of Postamo rings at night.")],
    "user:team.secret": [memory("Some people say that every bill of Quillon is late.")],
}


def _recall(store: MemoryStore, contents: Contents = NOTES, query: str = QUESTION, **options: Any) -> RecallAnswer:
    return recall(store.index(hash_embedder()), store.snapshot(contents), ask(query, mode="deep", **options))


def _leads(answer: RecallAnswer) -> dict[str, str]:
    return {each.path: each.ranking["lead"] for each in answer.memories if "lead" in each.ranking}


def test_every_third_result_is_one_that_a_name_leads_to(memories: MemoryStore) -> None:
    answer = _recall(memories, limit=6)

    assert _leads(answer) == {
        "project.quillon.owner": "hop: project.billing via quillon",
        "team.secret": "hop: project.billing via quillon",
    }
    assert [each.path in _leads(answer) for each in answer.memories] == [False, False, True, False, False, True]


def test_the_hop_keeps_to_the_filters_of_the_query(memories: MemoryStore) -> None:
    everywhere = _recall(memories, limit=9)
    narrow = _recall(memories, namespaces=("default",), globs=("project.*",), limit=9)

    assert any(each.namespace == "user" for each in everywhere.memories)
    assert list(_leads(narrow)) == ["project.quillon.owner"]
    assert all(each.path.startswith("project.") for each in narrow.memories)


def test_words_of_the_question_are_no_names_to_follow(memories: MemoryStore) -> None:
    assert not _leads(_recall(memories, query="who owns Quillon, the service that bills?"))


def test_what_a_name_leads_to_is_less_relevant_than_where_it_began(memories: MemoryStore) -> None:
    answer = _recall(memories, limit=6)
    relevance = {each.path: each.relevance_score for each in answer.memories}

    assert 0 < relevance["project.quillon.owner"] <= relevance["project.billing"]
    assert all(0 <= each <= 1 for each in relevance.values())


def test_without_names_deep_answers_as_simple_does(memories: MemoryStore) -> None:
    plain = {name(number): [memory(f"all small {name(number)} words")] for number in range(9)}
    paths = [each.path for each in _recall(memories, plain, "small words", limit=9).memories]

    assert sorted(paths) == sorted(plain)
    assert not _leads(_recall(memories, plain, "small words", limit=9))


def test_the_trace_has_a_step_for_the_hop(memories: MemoryStore) -> None:
    steps = {stage.stage: stage for stage in _recall(memories, limit=6).stages}

    assert list(steps) == [
        "retrieval", "channel", "fusion", "sufficiency", "expansion", "hop", "rerank", "result",
    ]  # fmt: skip
    assert steps["sufficiency"].skipped == "no model is asked"
    assert (steps["hop"].input_count, steps["hop"].result_count, steps["hop"].status) == (2, 2, "done")


def test_deep_follows_no_name_at_a_weight_of_0(memories: MemoryStore) -> None:
    answer = _recall(memories, limit=6, weights={"hop": 0.0})

    assert not _leads(answer)
    assert {step.stage: step.skipped for step in answer.stages}["hop"] == "its weight is 0"


@given(
    st.lists(st.integers(0, 20), unique=True),
    st.lists(st.integers(0, 20), unique=True),
    st.integers(0, 12),
    st.sampled_from([EVERY, LATE]),
)
def test_weaving_keeps_both_orders_and_loses_nothing(
    base: list[int], targets: list[int], depth: int, first: int
) -> None:
    order = list(weave(base, targets, depth, first))
    ids = [identity for identity, _ in order]

    assert len(ids) == len(set(ids)) and set(base) <= set(ids) <= {*base, *targets}
    assert [i for i, is_led in order if not is_led] == [i for i in base if (i, False) in order]
    assert [i for i, is_led in order if is_led] == [i for i in targets if (i, True) in order]
    before = [place for place, (_, is_led) in enumerate(order, 1) if is_led]
    assert all((place >= first and (place - first) % EVERY == 0) or place == len(order) for place in before)
    assert max(before, default=0) <= depth


@pytest.mark.parametrize("query", ["the", "!", "Quillon", "Quillon " * 50])
def test_odd_questions_are_answered(memories: MemoryStore, query: str) -> None:
    assert _recall(memories, query=query).strategy == "deep"
