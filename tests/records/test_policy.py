"""Merge policies: a memory that is replaced stays in the record as superseded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import without_endless_work

from memoir.errors import Conflict, InvalidInput
from memoir.records.policy import POLICIES, check_policy, combine, confirm, confirm_or_combine, repeats, replace_one
from memoir.records.record import MAX_ACTIVE, MAX_METADATA_BYTES, Memory, Record, active_facets, projection

NUMBERS = st.lists(
    st.tuples(st.sampled_from(sorted(set(POLICIES) - {"reject"})), st.floats(0, 1)), min_size=1, max_size=8
)


def facet(content: str, confidence: float = 1.0) -> Memory:
    return Memory.of(content, confidence=confidence, timestamp="2026-01-01")


def test_a_free_path_takes_the_memory_under_every_policy() -> None:
    for policy in POLICIES:
        outcome = combine(policy, None, facet("x"))
        assert (outcome.record, outcome.policy, outcome.superseded) == ((facet("x"),), None, ())


def test_append_keeps_both_active() -> None:
    assert projection(combine("append", (facet("one"),), facet("two")).record) == "one\ntwo"


def test_replace_supersedes_what_was_there() -> None:
    outcome = combine("replace", (facet("one"),), facet("two"))

    assert projection(outcome.record) == "two"
    assert [each.content for each in outcome.superseded] == ["one"]


@pytest.mark.parametrize(
    ("confidence", "winner", "loser"), [(0.9, "new", "old"), (0.8, "new", "old"), (0.7, "old", "new")]
)
def test_the_more_confident_memory_stays_active_then_the_newer(confidence: float, winner: str, loser: str) -> None:
    outcome = combine("confidence_gated", (facet("old", 0.8),), facet("new", confidence))

    assert projection(outcome.record) == winner
    assert [each.content for each in outcome.superseded] == [loser]
    assert loser in {each.content for each in outcome.record}


def test_reject_refuses_an_occupied_path() -> None:
    with pytest.raises(Conflict) as error:
        combine("reject", (facet("old"),), facet("new"))

    assert error.value.details == {"existing": "old"}


@pytest.mark.parametrize("policy", ["replace", "confidence_gated"])
def test_what_takes_the_place_of_a_pinned_memory_is_pinned(policy: str) -> None:
    old = facet("one")._replace(metadata={"pinned": True})

    assert combine(policy, (old,), facet("two")).record[-1] == facet("two")._replace(metadata={"pinned": True})
    assert replace_one((old, facet("other")), old, facet("two")).record[-1].metadata == {"pinned": True}


def test_no_other_memory_is_pinned_for_it() -> None:
    old, unpinned = facet("one")._replace(metadata={"pinned": True}), facet("two")._replace(metadata={"pinned": False})

    assert combine("append", (old,), facet("two")).record == (old, facet("two"))
    assert combine("confidence_gated", (old,), facet("two", 0.5)).record[0].metadata == {}
    assert combine("replace", (old.superseded(),), facet("two")).record[-1].metadata == {}
    assert combine("replace", (old,), unpinned).record[-1] == unpinned
    full = facet("two")._replace(metadata={"note": "x" * (MAX_METADATA_BYTES - 20)})
    assert combine("replace", (old,), full).record[-1] == full
    read_in = facet("two")._replace(metadata={"origin": ["document"]})
    assert combine("replace", (old,), read_in).record[-1] == read_in


def test_an_unknown_policy_is_refused_with_the_list_of_policies() -> None:
    with pytest.raises(InvalidInput) as error:
        check_policy("merge")

    assert error.value.hint == "there are: append, replace, confidence_gated, reject, llm_merge"


@given(NUMBERS)
def test_no_policy_loses_a_content(steps: list[tuple[str, float]]) -> None:
    """Up to the bound on superseded memories, every content ever remembered is still in the record."""
    record: Record | None = None
    for number, (policy, confidence) in enumerate(steps):
        record = combine(policy, record, facet(str(number), confidence)).record
        assert {each.content for each in record} == {str(n) for n in range(number + 1)}
        assert active_facets(record)


def test_a_full_path_is_compared_quickly() -> None:
    events = tuple(Memory.of(f"{number} {'word ' * 200}", timestamp="2026-01-01") for number in range(MAX_ACTIVE - 1))
    with without_endless_work():  # afresh for every memory there it takes some 20 seconds
        for number in range(10):
            outcome = confirm_or_combine("append", events, Memory.of(f"new {number} {'word ' * 200}"))

            assert (len(outcome.record), outcome.superseded) == (MAX_ACTIVE, ())


def test_long_memories_are_compared_quickly() -> None:
    one, other = ("let us " + "word " * 1_000_000 + end for end in ("one", "two"))

    with without_endless_work():  # other writers wait meanwhile
        assert not repeats(Memory.of(one), Memory.of(other))
        assert repeats(Memory.of(one), Memory.of(one.replace(" ", "  ")))


@pytest.mark.parametrize(
    ("old", "new", "repeated"),
    [
        ({}, {"source": "a"}, True),
        ({"source": "a"}, {}, True),
        ({"source": "a"}, {"source": "b"}, False),
        ({"tag": ["a"]}, {"tag": ["b"]}, True),
        ({"person": "Ada"}, {"person": "Bo"}, False),
        ({"person": ["Ada"]}, {"person": ["Bo"]}, False),
        ({"links": {"calls": ["a"]}}, {"links": {"calls": ["b"], "causes": ["c"]}}, True),
        ({"at": {"line": 1}}, {"at": {"line": 2}}, False),
        ({"filing": {"by": "rules"}}, {"filing": {"by": "model"}}, True),
    ],
)
def test_a_repetition_must_not_lose_metadata(old: dict[str, object], new: dict[str, object], repeated: bool) -> None:
    one, other = Memory.of("x y", metadata=old), Memory.of("x y", metadata=new)

    assert repeats(one, other) is repeated
    if repeated:
        outcome = confirm((one,), other)
        assert outcome
        (memory,) = outcome.record
        for name, value in new.items():
            field = memory.metadata[name]
            if name == "links":
                assert field == {"calls": ["a", "b"], "causes": ["c"]}
            elif name == "tag":
                assert field == ["a", "b"]
            elif name != "filing":
                assert field == value


def test_a_memory_with_an_earlier_time_is_not_a_repetition() -> None:
    fact = Memory.of("Met Anna for lunch", timestamp="2024-01-01")

    assert confirm((fact,), Memory.of("Met Anna for lunch", timestamp="2024-05-01"))
    assert confirm((fact,), Memory.of("Met Anna for lunch", timestamp="2023-12-31")) is None


def test_what_is_superseded_has_no_say_in_which_confidence_is_higher() -> None:
    sure = Memory.of("They meet on Monday", confidence=0.9, timestamp="2024-01-01").superseded()
    guess = Memory.of("They meet on Tuesday", confidence=0.3, timestamp="2024-02-01")
    new = Memory.of("They meet on Friday", confidence=0.5, timestamp="2024-03-01")

    assert active_facets(combine("confidence_gated", (sure, guess), new).record) == (new,)


def test_a_memory_that_has_changed_meanwhile_is_not_replaced() -> None:
    one, other, new = (Memory.of(text) for text in ("one", "other", "new"))

    assert replace_one((one, other), other, new).record == (one, other.superseded(), new)
    with pytest.raises(Conflict, match="changed meanwhile"):
        replace_one((one,), other, new)
