"""The second step of `simple`: its fourth and fifth result may be what a name leads to, or what the question names."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import Contents, MemoryStore, ask, hash_embedder, memory

from memoir.recall import engine
from memoir.recall.answer import RecallAnswer, steps_of
from memoir.recall.explain import explain, in_answer
from memoir.recall.second_step import EVERY, LATE, weave
from memoir.taxonomy.paths import memory_address

SHIFTS: Contents = {
    "project.payments": [memory("The service that bills the customers of the shop every month is Quillon.")],
    "project.mail": [memory("The service that writes to customers is Postamo.")],
    "project.desk": [memory("Customers of the shop call the desk.")],
    "project.fees": [memory("A service bills by the hour.")],
    "project.bank": [memory("The bank takes bills of the shop.")],
    "project.rota": [memory("Somebody maintains the list of customers.")],
    "team.quillon": [memory("Ines Fabri maintains Quillon, with two others, since the spring.")],
    **{f"garden.{plant}": [memory(f"The {plant} grows by the wall.")] for plant in ("rose", "pear", "vine", "plum")},
}
SHIFT = "who maintains the service that bills the customers of the shop?"
"""A question in two steps: what the service is called, and who maintains that."""


def _leads(answer: RecallAnswer) -> dict[str, str]:
    return {each.path: each.ranking["lead"] for each in answer.memories if "lead" in each.ranking}


def _simply(store: MemoryStore, contents: Contents = SHIFTS, query: str = SHIFT, **options: Any) -> RecallAnswer:
    return engine.recall(
        store.index(hash_embedder()), store.snapshot(contents), ask(query, **{"limit": 6, "strict": False, **options})
    )


def test_simple_has_what_a_name_leads_to_at_its_fifth_place(memories: MemoryStore) -> None:
    without = [each.path for each in _simply(memories, weights={"hop": 0.0}).memories]
    answer = _simply(memories)

    assert without[0] == "project.payments" and "team.quillon" not in without[:LATE]
    assert [each.path for each in answer.memories][: LATE - 1] == without[: LATE - 1]
    assert answer.memories[LATE - 1].path == "team.quillon"
    assert _leads(answer) == {"team.quillon": "hop: project.payments via quillon"}


BEGINS: Contents = {**SHIFTS, "team.quillon": [memory("Quillon is what Ines Fabri maintains since the spring.")]}
"""What begins with the name is about it."""


@pytest.mark.parametrize("query", [SHIFT, "who maintains what bills customers at our shop?"])
def test_what_begins_with_the_name_has_the_fourth_place_whatever_the_question_says(
    memories: MemoryStore, query: str
) -> None:
    without = [each.path for each in _simply(memories, BEGINS, query, weights={"hop": 0.0}).memories]
    answer = _simply(memories, BEGINS, query)

    assert without[0] == "project.payments" and "team.quillon" not in without[: LATE - 1]
    assert [each.path for each in answer.memories][: LATE - 1] == [*without[: LATE - 2], "team.quillon"]
    assert _leads(answer)["team.quillon"] == "hop: project.payments via quillon"


CHOIRS: Contents = {
    "team.emma": [memory("Emma: a choir, founded in 1985.")],
    "team.alba": [memory("Alba: eleven people in the old mill." + " They meet by the river on Mondays and sing." * 40)],
    **{f"team.n{year}": [memory(f"The choir that was founded first is of {year}.")] for year in range(1980, 1987)},
}


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("which choir was founded first, Emma or Alba?", {"team.alba": "named: alba"}),
        ("which choir was founded first, and was it Alba?", {}),
        ("which choir was founded first, Emma?", {}),
    ],
    ids=["two", "one", "one that is found"],
)
def test_each_of_several_things_that_a_question_names_has_a_place(
    memories: MemoryStore, query: str, named: dict[str, str]
) -> None:
    answer = _simply(memories, CHOIRS, query, weights={"vector": 0.0})

    assert "team.alba" not in [each.path for each in answer.memories[: LATE - 1]]
    assert _leads(answer) == named
    assert (answer.memories[LATE - 1].path == "team.alba") == bool(named)


def test_in_simple_what_goes_by_relevance_keeps_the_order(memories: MemoryStore) -> None:
    customers = {f"project.c{number}": [memory(f"Customers of the shop, {number}.")] for number in range(4)}
    late = {"team.night": [memory("Quillon, a service, sleeps at night." + " Nobody sleeps by day." * 30)]}
    answer = _simply(memories, {**SHIFTS, **customers, **late}, limit=12)
    relevance = [each.relevance_score for each in answer.memories]

    assert len(_leads(answer)) == 2 and relevance == sorted(relevance, reverse=True)


def test_an_answer_of_another_mode_tells_itself_what_led_to_a_memory(memories: MemoryStore) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(SHIFTS)
    explanation = explain(index, snapshot, ask(SHIFT, limit=6, strict=False), memory_address("team.quillon"))
    answer = _simply(memories, weights={"hop": 0.0}, limit=10)

    (explained,) = in_answer(explanation, ask(SHIFT), answer).memories
    assert explanation.memories[0].candidate.lead
    assert explained.rank and explained.candidate.lead is None


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("does Ines Fabri maintain a service, and who bills customers at our shop?", {}),
        ("the service that bills?", {}),
        (SHIFT, {"strict": True}),
        (SHIFT, {"limit": LATE - 1}),
        (SHIFT, {"weights": {"hop": 0.0}}),
    ],
    ids=["says no relation", "has few words", "wants evidence", "wants fewer", "is told not to"],
)
def test_simple_follows_no_name_where_the_question(memories: MemoryStore, query: str, options: dict[str, Any]) -> None:
    answer = _simply(memories, query=query, **options)

    assert not _leads(answer)
    assert all(step.stage != "hop" for step in steps_of(answer))


@pytest.mark.parametrize("metadata", [{"person": "Ada"}, {"role": "user"}, {"role": "assistant"}])
def test_simple_follows_no_name_in_talk(memories: MemoryStore, metadata: dict[str, Any]) -> None:
    said = {path: [memory(each.content, **metadata)] for path, (each,) in SHIFTS.items()}

    assert not _leads(_simply(memories, said))


def test_the_trace_and_explain_say_which_name_led_where_in_simple(memories: MemoryStore) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(SHIFTS)
    answer = engine.recall(index, snapshot, ask(SHIFT, limit=6, strict=False))
    explanation = explain(index, snapshot, ask(SHIFT, limit=6, strict=False), memory_address("team.quillon"))

    steps = [(step.stage, step.method, step.result_count) for step in (*steps_of(answer), *explanation.stages)]
    assert steps.count(("hop", "names", 1)) == 2
    (explained,) = explanation.memories
    assert (explained.rank, explained.candidate.lead) == (LATE, "hop: project.payments via quillon")


@given(st.lists(st.integers(0, 20), unique=True), st.data(), st.integers(0, 12))
def test_weaving_keeps_both_orders_and_loses_nothing(base: list[int], data: st.DataObject, depth: int) -> None:
    leads = data.draw(st.permutations(base))[: data.draw(st.integers(0, len(base)))]
    order = list(weave(base, leads, depth))

    assert sorted(identity for identity, _ in order) == sorted(base)
    assert [i for i, is_led in order if not is_led] == [i for i in base if (i, False) in order]
    assert [i for i, is_led in order if is_led] == [i for i in leads if (i, True) in order]
    places = [place for place, (_, is_led) in enumerate(order, 1) if is_led]
    assert all(LATE <= place <= depth and (place - LATE) % EVERY == 0 for place in places)
