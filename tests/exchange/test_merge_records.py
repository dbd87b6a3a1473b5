"""Merging records facet by facet."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.exchange.merge_choices import STRATEGIES
from memoir.exchange.merge_records import Resolver
from memoir.records.policy import combine
from memoir.records.record import Memory, Record, decode, encode, projection
from memoir.store.three_way import Clash, UndecidedKey

A, B, C = (Memory.of(name, timestamp=f"2026-01-0{day}") for day, name in enumerate("ABC", 1))


def merge(*sides: Record, strategy: str | None = None) -> Record:
    """The record that base, ours and theirs are merged into; empty if the path is removed."""
    base, ours, theirs = (encode(side) if side else None for side in sides)
    return decode(value) if (value := Resolver(strategy)(Clash(b"default=a", base, ours, theirs))) else ()


def old(facet: Memory) -> Memory:
    return facet.superseded()


def edit(facet: Memory, content: str) -> Memory:
    return facet._replace(content=content, timestamp="2026-02-01T00:00:00Z")


def test_appends_on_both_sides_are_united() -> None:
    assert merge((A,), (A, B), (A, C)) == (A, B, C)


def test_the_order_of_a_union_does_not_depend_on_the_side() -> None:
    assert merge((A,), (A, C), (A, B)) == merge((A,), (A, B), (A, C))


def test_two_new_records_at_one_path_are_united() -> None:
    assert merge((), (A,), (B,)) == (A, B)


def test_the_same_addition_on_both_sides_is_one_memory() -> None:
    assert merge((A,), (A, B), (A, B)) == (A, B)


def test_an_edit_and_an_addition_on_two_sides_are_both_kept() -> None:
    assert merge((A, B), (edit(A, "A2"), B), (A, B, C)) == (B, C, edit(A, "A2"))


def test_edits_of_different_memories_are_both_kept() -> None:
    assert merge((A, B), (edit(A, "A2"), B), (A, edit(B, "B2"))) == (edit(A, "A2"), edit(B, "B2"))


def test_a_removal_on_one_side_is_kept() -> None:
    assert merge((A, B), (B,), (A, B)) == (B,)


def test_a_path_forgotten_on_one_side_only_is_removed() -> None:
    assert merge((A,), (), (A,)) == ()


def test_a_path_forgotten_and_appended_to_keeps_the_addition() -> None:
    assert merge((A,), (), (A, B)) == (B,)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ((edit(A, "one"),), (edit(A, "two"),)),
        ((edit(A, "one"),), ()),
        ((old(A), B), (old(A), C)),
        ((old(A), B), (edit(A, "two"),)),
    ],
    ids=["edited differently", "edited and removed", "replaced differently", "replaced and edited"],
)
def test_rival_changes_of_one_memory_are_undecided(ours: Record, theirs: Record) -> None:
    with pytest.raises(UndecidedKey):
        merge((A,), ours, theirs)
    with pytest.raises(UndecidedKey):
        merge((A,), theirs, ours)


def test_the_same_replacement_on_both_sides_is_not_a_conflict() -> None:
    assert merge((A,), (old(A), B), (old(A), B)) == (old(A), B)


def test_a_replacement_and_an_append_do_not_conflict() -> None:
    assert merge((A,), (old(A), B), (A, C)) == (old(A), B, C)


@pytest.mark.parametrize(("strategy", "content"), [("ours", "B"), ("theirs", "C"), ("newest", "C"), ("append", "B\nC")])
def test_strategies_resolve_rival_replacements(strategy: str, content: str) -> None:
    result = merge((A,), (old(A), B), (old(A), C), strategy=strategy)

    assert projection(result) == content
    assert {facet.content for facet in result} == {"A", "B", "C"}, "the loser stays as superseded"


@pytest.mark.parametrize(("strategy", "content"), [("ours", "one"), ("theirs", "two"), ("append", "one\ntwo")])
def test_strategies_resolve_rival_edits(strategy: str, content: str) -> None:
    result = merge((A,), (edit(A, "one"),), (edit(A, "two"),), strategy=strategy)

    assert projection(result) == content


@pytest.mark.parametrize(
    ("strategy", "content"), [("ours", "B"), ("theirs", "A again"), ("newest", "A again"), ("append", "A again\nB")]
)
def test_a_strategy_for_a_memory_decides_of_what_one_side_put_in_its_place(strategy: str, content: str) -> None:
    merged = merge((A,), (old(A), B), (edit(A, "A again"),), strategy=strategy)

    assert sorted(facet.content for facet in merged if facet.active) == content.split("\n")
    assert {"A again", "B"} <= {facet.content for facet in merged}


def test_of_a_replacement_and_a_confirmation_the_new_words_are_the_newest() -> None:
    confirmed = A._replace(metadata={"expires": "2027-01-01T00:00:00Z"})

    assert projection(merge((A,), (old(A), B), (confirmed,), strategy="newest")) == "B"


@pytest.mark.parametrize(("strategy", "content"), [("ours", "A"), ("theirs", "C"), ("newest", "C"), ("append", "A\nC")])
def test_what_one_side_brought_back_is_a_rival_of_what_the_other_one_wrote(strategy: str, content: str) -> None:
    sides = (old(A), B), (A, old(B)), (old(A), old(B), C)

    with pytest.raises(UndecidedKey):
        merge(*sides)
    assert projection(merge(*sides, strategy=strategy)) == content


@pytest.mark.parametrize("strategy", ["ours", "newest", "append"])
def test_a_removal_that_wins_leaves_superseded_what_the_other_side_brought_back(strategy: str) -> None:
    merged = merge((A, old(B)), (old(B),), (edit(A, "A again"), B), strategy=strategy)

    assert {facet.content for facet in merged} >= {"B"}
    assert strategy != "ours" or merged == (old(B),)


def test_what_replaced_another_memory_too_stays_whatever_is_chosen_for_one() -> None:
    merged = merge((A, B), (old(A), old(B), C), (edit(A, "A again"), B), strategy="theirs")

    assert {facet.content for facet in merged if facet.active} == {"A again", "C"}


@pytest.mark.parametrize("theirs", [(old(A), B), (edit(A, "A2"),)], ids=["replaced", "edited"])
def test_a_removal_that_wins_leaves_nothing_active(theirs: Record) -> None:
    assert merge((A,), (), theirs, strategy="ours") == ()
    assert merge((A,), theirs, (), strategy="theirs") == ()
    assert projection(merge((A,), (), theirs, strategy="newest")) == projection(theirs)


FACETS = st.sampled_from([A, B, C, old(A), edit(A, "A2"), edit(B, "B2")])
RECORDS = st.lists(FACETS, unique_by=lambda facet: facet.content, max_size=4).map(tuple)


@given(RECORDS, RECORDS)
def test_an_unchanged_side_takes_the_other(base: Record, theirs: Record) -> None:
    assert sorted(merge(base, base, theirs)) == sorted(theirs)
    assert sorted(merge(base, theirs, base)) == sorted(theirs)


@given(RECORDS, RECORDS, RECORDS, st.sampled_from(STRATEGIES))
def test_with_a_strategy_nothing_is_undecided(base: Record, ours: Record, theirs: Record, strategy: str) -> None:
    merge(base, ours, theirs, strategy=strategy)


@given(st.lists(st.sampled_from("xyz"), max_size=4), st.lists(st.sampled_from("uvw"), max_size=4))
def test_appends_on_both_sides_never_lose_one(mine: list[str], other: list[str]) -> None:
    def append(contents: list[str]) -> Record:
        record: Record = (A,)
        for number, content in enumerate(contents):
            new = Memory.of(content + str(number), timestamp="2026-01-05")
            record = combine("append", record, new).record
        return record

    result = merge((A,), append(mine), append(other))

    assert {facet.content for facet in result} == {
        "A", *(c + str(n) for n, c in enumerate(mine)), *(c + str(n) for n, c in enumerate(other))
    }  # fmt: skip


def test_confirmations_and_additions_do_not_conflict() -> None:
    fact = Memory.of("We use Postgres", timestamp="2026-01-01", confidence=0.5, metadata={"tag": "db"})
    ours = fact._replace(metadata={"tag": "db", "last_confirmed": "2026-02-01T00:00:00Z"})
    theirs = fact._replace(
        metadata={"tag": "db", "source": "review", "last_confirmed": "2026-02-01T00:00:00.5Z"}, confidence=0.8
    )

    assert merge((fact,), (ours,), (theirs,)) == merge((fact,), (theirs,), (ours,)) == (theirs,)


def _about(confirmed: str | None, **blobs: str) -> Memory:
    """A memory about files with these digests of their texts, confirmed at a time."""
    anchors = [{"file": file, "blob": digit * 40} for file, digit in blobs.items()]
    confirmation = {"last_confirmed": confirmed} if confirmed else {}
    return Memory.of("main begins here", timestamp="2026-01-01", metadata={"about": anchors, **confirmation})


def test_two_confirmations_against_different_code_keep_the_anchors_of_the_later() -> None:
    base, early, late = _about(None, main="1"), _about("2026-02-01", main="2"), _about("2026-03-01", main="3")

    assert merge((base,), (early,), (late,)) == merge((base,), (late,), (early,)) == (late,)


def test_a_confirmation_keeps_the_file_that_the_other_side_tied_a_memory_to() -> None:
    base, tied, confirmed = _about(None, main="1"), _about(None, main="1", test="2"), _about("2026-03-01", main="3")

    assert merge((base,), (tied,), (confirmed,)) == (_about("2026-03-01", main="3", test="2"),)


def test_anchors_that_both_sides_changed_without_a_confirmation_conflict() -> None:
    with pytest.raises(UndecidedKey):
        merge((_about("2026-02-01", main="1"),), (_about("2026-02-01", main="2"),), (_about("2026-02-01", main="3"),))


@pytest.mark.parametrize(
    "change",
    [{"confidence": 0.4}, {"metadata": {}}, {"metadata": {"tag": "sql"}}, {"content": "We use MySQL"}, None],
    ids=["less sure", "a field gone", "a field changed", "other words", "removed"],
)
def test_any_other_change_on_both_sides_is_a_conflict(change: dict[str, Any] | None) -> None:
    fact = Memory.of("We use Postgres", timestamp="2026-01-01", confidence=0.5, metadata={"tag": "db"})
    confirmation = fact._replace(metadata={"tag": "db", "last_confirmed": "2026-02-01T00:00:00Z"})
    other = (fact._replace(**change),) if change is not None else ()

    for ours, theirs in (((confirmation,), other), (other, (confirmation,))):
        with pytest.raises(UndecidedKey):
            merge((fact,), ours, theirs)


_ANY_METADATA = st.fixed_dictionaries(
    {},
    optional={
        "tags": st.lists(st.sampled_from("abc"), max_size=2),
        "port": st.sampled_from([1, 1.0, True, "1"]),
        "last_confirmed": st.sampled_from(["2026-02-01T00:00:00Z", "2026-02-01", "2026-03-01", "soon", "later", 3]),
        "about": st.lists(
            st.builds(dict, file=st.sampled_from("fg"), blob=st.sampled_from(["1" * 40, "2" * 40])), max_size=2
        ),
        "filing": st.sampled_from([{"by": "rules"}, {"by": "model"}]),
    },
)
_ANY_RECORD = st.lists(
    st.builds(
        Memory,
        content=st.sampled_from("xy"),
        confidence=st.sampled_from([1, 1.0, 0.5]),
        timestamp=st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]),
        status=st.sampled_from(["active", "superseded"]),
        metadata=_ANY_METADATA,
    ),
    max_size=2,
).map(tuple)


@given(_ANY_RECORD, _ANY_RECORD, _ANY_RECORD, st.sampled_from([None, "append", "newest"]))
def test_a_merge_is_the_same_from_either_side(base: Record, one: Record, two: Record, strategy: str | None) -> None:
    def merge_of(ours: Record, theirs: Record) -> bytes | None:
        try:
            return encode(merge(base, ours, theirs, strategy=strategy))
        except UndecidedKey:
            return None

    assert merge_of(one, two) == merge_of(two, one)


def test_lists_with_additions_on_both_sides_are_united() -> None:
    fact = Memory.of("We use Postgres", timestamp="2026-01-01", metadata={"tags": ["db"], "filing": {"by": "rules"}})
    ours = fact._replace(metadata={"tags": ["db", "sql"], "filing": {"by": "model"}})
    theirs = fact._replace(metadata={"tags": ["db", "data"], "filing": {"by": "rules"}})

    (both,) = merge((fact,), (ours,), (theirs,))

    assert sorted(both.metadata["tags"]) == ["data", "db", "sql"]


def test_different_people_are_a_conflict() -> None:
    fact = Memory.of("They met", timestamp="2026-01-01")
    ours, theirs = (fact._replace(metadata={"person": [name]}) for name in ("Ada", "Bob"))

    with pytest.raises(UndecidedKey):
        merge((fact,), (ours,), (theirs,))


LATER = "2026-03-01T00:00:00Z"


@pytest.mark.parametrize("base", [(), (A,)], ids=["a new path", "replaced"])
def test_the_same_words_become_one_memory_with_the_later_time(base: Record) -> None:
    before = tuple(old(facet) for facet in base)
    one = B._replace(confidence=0.5, metadata={"tags": ["x"]})
    two = B._replace(confidence=0.9, timestamp=LATER, metadata={"tags": ["y"], "last_confirmed": LATER})

    result = merge(base, (*before, one), (*before, two))

    assert result == merge(base, (*before, two), (*before, one))
    (both,) = (facet for facet in result if facet.active)
    assert (both.content, both.confidence, both.timestamp) == ("B", 0.9, LATER)
    assert sorted(both.metadata["tags"]) == ["x", "y"]
    assert both.metadata["last_confirmed"] == LATER


def test_edits_to_the_same_words_do_not_conflict() -> None:
    ours, theirs = edit(A, "same"), edit(A, "same")._replace(timestamp=LATER)

    assert merge((A,), (ours,), (theirs,)) == (theirs,)


def test_the_same_words_about_different_people_stay_two_memories() -> None:
    ours, theirs = B._replace(metadata={"person": ["Ada"]}), B._replace(metadata={"person": ["Bob"]}, timestamp=LATER)

    assert merge((), (ours,), (theirs,)) == (ours, theirs)
