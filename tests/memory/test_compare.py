"""Changes of a record that its words do not show."""

from memoir.memory.compare import changes, turnover
from memoir.memory.facets import ids_of
from memoir.records.record import Memory, Record

OLD = Memory("Bob is in Busan", 0.8, "2026-01-01T00:00:00Z", metadata={"source": "mail"})


def rows(old: tuple[Memory, ...], new: tuple[Memory, ...]) -> list[tuple[str, str, object, object]]:
    return [(change.memory.content, *change[1:]) for change in changes(old, new)]


def test_each_field_that_differs_is_named_with_both_values() -> None:
    new = OLD._replace(confidence=1.0, timestamp="2026-02-01T00:00:00Z", metadata={"last_confirmed": "2026-02-01"})

    assert [change[1:] for change in changes((OLD,), (new,))] == [
        ("confidence", 0.8, 1.0),
        ("timestamp", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
        ("last_confirmed", None, "2026-02-01"),
        ("source", "mail", None),
    ]
    assert changes((OLD,), (OLD,)) == []


def test_a_superseded_write_and_a_removal_are_named() -> None:
    loser = Memory("Bob is in Seoul", 0.4, "2026-02-01T00:00:00Z", "superseded")

    assert rows((OLD,), (loser, OLD)) == [("Bob is in Seoul", "status", None, "superseded")]
    assert rows((loser, OLD), (OLD,)) == [("Bob is in Seoul", "status", "superseded", None)]
    assert rows((OLD,), (OLD.superseded(),)) == [("Bob is in Busan", "status", "active", "superseded")]


def test_the_same_words_twice_are_two_memories() -> None:
    assert changes((OLD, OLD), (OLD, OLD)) == []
    assert rows((OLD,), (OLD, OLD.superseded())) == [("Bob is in Busan", "status", None, "superseded")]


def words(old: Record, new: Record) -> list[tuple[str | None, str | None]]:
    pairs = turnover(old, new).pairs
    return [(gone and gone[1].content, came and came[1].content) for gone, came in pairs]


def test_of_several_memories_only_those_that_came_or_went_are_named() -> None:
    one, two, three = (Memory.of(text) for text in ("one", "two", "three"))

    assert words((one, two), (one, two, three)) == [(None, "three")]
    assert words((one, two, three), (one, three)) == [("two", None)]
    assert words((one,), (one.superseded(), two)) == [("one", "two")]
    assert words((), (one, two)) == [(None, "one"), (None, "two")]
    assert words((one, one), (one,)) == [("one", None)]
    pinned = two._replace(metadata={"pinned": True})
    assert turnover((one, two), (one, pinned)) == ([], [(one, one), (two, pinned)])


def test_memories_pair_only_where_one_edits_or_supersedes_the_other() -> None:
    cats, dogs, cello = (Memory.of(f"Anna {text}") for text in ("has two cats", "met a dog", "plays the cello"))
    edited = Memory.of("Anna has three cats")

    assert words((cats, dogs), (dogs, cello)) == [("Anna has two cats", None), (None, "Anna plays the cello")]
    assert words((cats, dogs), (dogs, cello, edited)) == [
        ("Anna has two cats", "Anna has three cats"), (None, "Anna plays the cello"),
    ]  # fmt: skip
    assert words((cats, dogs), (cats.superseded(), dogs, cello)) == [("Anna has two cats", "Anna plays the cello")]
    assert words((cats,), (dogs, cello)) == [
        ("Anna has two cats", None), (None, "Anna met a dog"), (None, "Anna plays the cello"),
    ]  # fmt: skip


def test_a_change_has_an_id_where_several_stand_at_the_path() -> None:
    one, two = Memory.of("one"), Memory.of("two")

    assert turnover((one,), (two,)).pairs == [(("", one), ("", two))]
    assert turnover((one,), (one, two)).pairs == [(None, (ids_of((one, two))[1], two))]
