"""Names lead from the best memories to others, even to such as the question does not find; in every mode alike."""

from typing import Any

import pytest
from index.indexing import Contents, MemoryStore, ask, hash_embedder, memory

from memoir.recall import deep, engine
from memoir.recall.answer import RecallAnswer
from memoir.recall.shared_names import RARE

QUESTION = "how long do we keep the figures of the shop?"
NOTES: Contents = {
    "project.figures": [memory("We keep the figures of the shop in Vigil.")],
    "project.vigil": [memory("Vigil: everything older than 13 months is deleted.")],
    "project.mail": [memory("How long letters take depends on the post.")],
    "project.window": [memory("The window of the shop is long.")],
    "user:team.secret": [memory("Some people say that Vigil is slow.")],
}
"""What is said of Vigil has no word of the question."""


@pytest.fixture(params=["simple", "deep"])
def mode(request: pytest.FixtureRequest) -> str:
    """A mode that needs no model."""
    return str(request.param)


def _recall(store: MemoryStore, mode: str, contents: Contents = NOTES, **options: Any) -> RecallAnswer:
    run = deep.recall if mode == "deep" else engine.recall
    given = {"query": QUESTION, "strict": False, "limit": 4, "weights": {"vector": 0.0}, **options}
    return run(store.index(hash_embedder()), store.snapshot(contents), ask(given.pop("query"), mode=mode, **given))


def _leads(answer: RecallAnswer) -> dict[str, str]:
    return {each.path: each.ranking["lead"] for each in answer.memories if "lead" in each.ranking}


def test_a_memory_about_a_rare_name_in_the_best_one_is_found(memories: MemoryStore, mode: str) -> None:
    answer = _recall(memories, mode)

    assert answer.memories[0].path == "project.figures"
    assert _leads(answer) == {"project.vigil": "hop: project.figures via vigil"}


def test_a_memory_that_only_mentions_the_name_is_not_found_by_it(memories: MemoryStore, mode: str) -> None:
    answer = _recall(memories, mode, {**NOTES, "project.vigil": [memory("Everything older is deleted by Vigil.")]})

    assert not _leads(answer)


def test_a_name_that_many_memories_contain_leads_nowhere(memories: MemoryStore, mode: str) -> None:
    others = {f"project.n{number}": [memory(f"Ask Vigil, number {number}.")] for number in range(RARE)}

    assert not _leads(_recall(memories, mode, {**NOTES, **others}))


def test_names_lead_to_memories_within_the_filters_only(memories: MemoryStore, mode: str) -> None:
    hidden = {path: texts for path, texts in NOTES.items() if path != "project.vigil"}
    hidden["user:team.vigil"] = [memory("Vigil: everything older than 13 months is deleted.")]

    assert list(_leads(_recall(memories, mode, hidden))) == ["team.vigil"]
    assert not _leads(_recall(memories, mode, hidden, namespaces=("default",)))


def test_words_of_the_question_are_no_names_to_follow(memories: MemoryStore, mode: str) -> None:
    assert not _leads(_recall(memories, mode, query="how long does Vigil keep the figures of the shop?"))


def test_a_lead_is_less_relevant_than_where_it_comes_from(memories: MemoryStore, mode: str) -> None:
    relevance = [each.relevance_score for each in _recall(memories, mode).memories]

    assert relevance == sorted(relevance, reverse=True) and relevance[-1] > 0


@pytest.mark.parametrize("options", [{"weights": {"hop": 0.0}}, {"strict": True}])
def test_no_name_is_followed_where_the_query_forbids_it(
    memories: MemoryStore, mode: str, options: dict[str, Any]
) -> None:
    answer = _recall(memories, mode, **options)

    assert not _leads(answer)
    assert all(stage.stage != "hop" for stage in answer.stages)


def test_the_trace_of_deep_has_a_step_for_the_hop(memories: MemoryStore) -> None:
    steps = {stage.stage: stage for stage in _recall(memories, "deep").stages}

    assert list(steps) == [
        "retrieval", "channel", "fusion", "sufficiency", "expansion", "hop", "rerank", "result",
    ]  # fmt: skip
    assert steps["sufficiency"].skipped == "no model is asked"
    assert (steps["hop"].input_count, steps["hop"].result_count, steps["hop"].status) == (2, 1, "done")


@pytest.mark.parametrize("query", ["the", "!", "Vigil", "Vigil " * 50])
def test_odd_questions_are_answered(memories: MemoryStore, mode: str, query: str) -> None:
    assert _recall(memories, mode, query=query).mode == mode
