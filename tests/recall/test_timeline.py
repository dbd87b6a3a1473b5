"""The timeline: what was learnt when."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index.indexing import Contents, MemoryStore, memory, memory_store
from support import examples

from memoir.errors import NotFound
from memoir.index.index import Index
from memoir.index.location import index_file
from memoir.index.view import View
from memoir.recall.timeline import Moment, Window, timeline
from memoir.records.record import Memory
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import address, memory_address
from memoir.times import parse_instant


def day(number: int) -> str:
    return f"2026-01-{number:02}T12:00:00Z"


def instant(number: int) -> float:
    return parse_instant(day(number)).timestamp()


WEEK: Contents = {name: [memory(name, day(number))] for number, name in enumerate("abcdefg", 1)}


def moments(store: MemoryStore, contents: Contents = WEEK, around: str | None = None, **window: Any) -> list[Moment]:
    place = memory_address(around) if around else None
    return timeline(store.index(), store.snapshot(contents), Window(**window), place).moments


def names(*args: Any, **options: Any) -> str:
    """The contents on a timeline, in its order."""
    return "".join(moment.memory.content for moment in moments(*args, **options))


def test_the_newest_come_first(memories: MemoryStore) -> None:
    assert names(memories) == "gfedcba"
    assert names(memories, limit=3) == "gfe"


def test_superseded_memories_are_on_the_timeline(memories: MemoryStore) -> None:
    contents = {"x": [memory("a", day(1), active=False), memory("c", day(3))], "y": [memory("b", day(2), active=False)]}

    hits = moments(memories, contents)

    assert [(moment.memory.content, moment.memory.active) for moment in hits] == [
        ("c", True), ("b", False), ("a", False)
    ]  # fmt: skip
    assert [moment.address.path for moment in hits] == ["x", "y", "x"]


def test_a_time_counts_as_an_instant_whatever_its_zone_or_fraction(memories: MemoryStore) -> None:
    contents = {
        "x": [memory("b", "2026-01-01T12:00:00Z")], "y": [memory("a", "2026-01-01T13:00:00+02:00")],
        "z": [memory("c", "2026-01-01T12:00:00.000001Z")],
    }  # fmt: skip

    assert names(memories, contents) == "cba"


def test_memories_of_one_instant_have_a_fixed_order(memories: MemoryStore) -> None:
    contents = {
        "default:x": [memory("b", day(1)), memory("c", day(1))], "default:w": [memory("a", day(1))],
        "user:a": [memory("d", day(1))],
    }  # fmt: skip

    assert names(memories, contents) == "dcba"
    assert [names(memories, contents, limit=limit) for limit in (1, 2, 3)] == ["d", "dc", "dcb"]


def test_both_ends_of_a_window_belong_to_it(memories: MemoryStore) -> None:
    assert names(memories, since=instant(3), until=instant(5)) == "edc"
    assert names(memories, since=instant(6)) == "gf"
    assert names(memories, until=instant(2)) == "ba"


def test_a_window_may_be_of_some_namespaces(memories: MemoryStore) -> None:
    contents = {"a": [memory("a", day(1))], "user:b": [memory("b", day(2))], "team:c": [memory("c", day(3))]}

    assert names(memories, contents, namespaces=("default",)) == "a"
    assert names(memories, contents, namespaces=("team", "default")) == "ca"
    with pytest.raises(NotFound, match="no namespace 'nobody'"):
        names(memories, contents, namespaces=("nobody",))


@pytest.mark.parametrize(
    ("around", "limit", "expected"),
    [
        ("d", 1, "d"), ("d", 2, "ed"), ("d", 3, "edc"), ("d", 4, "fedc"), ("d", 5, "fedcb"), ("d", 7, "gfedcba"),
        ("d", 99, "gfedcba"),
        ("a", 1, "a"), ("a", 3, "cba"), ("b", 5, "edcba"),
        ("g", 1, "g"), ("g", 4, "gfed"), ("f", 5, "gfedc"),
    ],
)  # fmt: skip
def test_around_a_memory_is_half_before_and_half_after(
    memories: MemoryStore, around: str, limit: int, expected: str
) -> None:
    hits = moments(memories, around=around, limit=limit)

    assert "".join(moment.memory.content for moment in hits) == expected
    assert [moment.memory.content for moment in hits if moment.here] == [around]


def test_around_a_path_means_around_its_newest_active_memory(memories: MemoryStore) -> None:
    contents = {
        **WEEK,
        "x": [memory("x", day(2), active=False), memory("y", day(4)), memory("z", day(6), active=False)],
    }

    hits = moments(memories, contents, "x", limit=3)

    assert "y" in "".join(moment.memory.content for moment in hits[1:2])
    assert {moment.memory.content for moment in moments(memories, contents, "x") if moment.here} == set("xyz")


@pytest.mark.parametrize("around", ["a", "d", "g"])
@pytest.mark.parametrize("limit", [1, 2, 4])
def test_around_a_memory_keeps_the_order_of_one_instant(memories: MemoryStore, around: str, limit: int) -> None:
    contents = {name: [memory(name, day(1))] for name in "abcdefg"}
    usual = names(memories, contents)

    part = names(memories, contents, around, limit=limit)

    assert around in part
    assert part in usual and len(part) == limit


def test_around_a_memory_respects_the_window(memories: MemoryStore) -> None:
    assert names(memories, around="d", since=instant(4), limit=3) == "fed"
    assert names(memories, around="d", until=instant(4), limit=3) == "dcb"
    assert names(memories, around="b", since=instant(5), limit=2) == "fe"
    assert names(memories, around="f", until=instant(3), limit=2) == "cb"
    with pytest.raises(NotFound, match="no namespace 'user'"):
        names(memories, around="d", namespaces=("user",))


def test_around_a_missing_path_is_an_error(memories: MemoryStore) -> None:
    with pytest.raises(NotFound, match="default:gone"):
        moments(memories, around="gone")


def test_an_empty_store_has_an_empty_timeline(memories: MemoryStore) -> None:
    assert moments(memories, {}) == []
    assert moments(memories, {}, since=0.0, namespaces=("default",)) == []


def test_categories_are_not_memories(memories: MemoryStore) -> None:
    assert names(memories, {**WEEK, "memoir:taxonomy:x": [memory("x", day(9))]}) == "gfedcba"


def test_an_earlier_revision_has_its_own_timeline(memories: MemoryStore) -> None:
    index, then = memories.index(), memories.snapshot({"a": WEEK["a"]})
    now = memories.snapshot({**WEEK, "a": [WEEK["a"][0].superseded()]})

    assert len(timeline(index, now, Window()).moments) == 7
    assert [moment.memory.active for moment in timeline(index, then, Window()).moments] == [True]


MEMORIES = st.builds(
    lambda content, number, active: memory(content, day(number), active=active),
    st.sampled_from("pq"), st.integers(1, 3), st.booleans(),
)  # fmt: skip
STATES = st.lists(
    st.dictionaries(st.sampled_from(["a", "b", "c.d", "user:a"]), st.lists(MEMORIES, max_size=3)),
    min_size=1,
    max_size=5,
)


def _rows(index: Index, snapshot: Snapshot) -> list[Any]:
    def rows(view: View) -> list[Any]:
        return view.database.execute("SELECT * FROM moment ORDER BY 1, 2, 3").fetchall()

    return index.read(snapshot, rows)


@given(STATES)
@settings(max_examples=examples(20))
def test_moments_do_not_depend_on_the_order_of_writes(
    states: Sequence[dict[str, list[Memory]]],
) -> None:
    with memory_store() as store, memory_store() as fresh:
        index = store.index()
        contents: dict[str, list[Memory]] = {}
        for state in [*states, states[0]]:
            contents |= state
            index_file(fresh.git_dir).unlink(missing_ok=True)
            scratch = fresh.index()

            assert (
                _rows(index, store.snapshot(contents))
                == _rows(scratch, fresh.snapshot(contents))
                == sorted(
                    (*address(key), ordinal, facet.instant.timestamp(), facet.active, False)
                    for key, record in contents.items()
                    for ordinal, facet in enumerate(record)
                )
            )
            scratch.close()
        index.close()


@given(STATES.map(lambda states: states[0]), st.integers(1, 13), st.data())
@settings(max_examples=examples(60))
def test_around_a_memory_is_a_run_of_the_whole_timeline(
    contents: dict[str, list[Memory]], limit: int, data: st.DataObject
) -> None:
    """It has the given number of memories, without a gap, and contains the path itself."""
    keys = sorted(key for key, record in contents.items() if record)
    if not keys:
        return
    around = data.draw(st.sampled_from(keys))
    with memory_store() as store:
        whole = [(m.address, m.memory) for m in moments(store, contents, limit=99)]
        hits = moments(store, contents, around, limit=limit)

    assert any(moment.here for moment in hits)
    run = [(m.address, m.memory) for m in hits]
    assert len(run) == min(limit, len(whole))
    assert any(whole[start : start + len(run)] == run for start in range(len(whole)))


def test_memories_beyond_the_limit_are_counted(memories: MemoryStore) -> None:
    index, week = memories.index(), memories.snapshot(WEEK)

    assert timeline(index, week, Window(limit=3)).omitted == 4
    assert timeline(index, week, Window(since=instant(3), limit=3), memory_address("e")).omitted == 2
    assert timeline(index, week, Window(limit=7)).omitted == 0
