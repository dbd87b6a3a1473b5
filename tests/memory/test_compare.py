"""Changes of a record that its words do not show."""

from memoir.memory.compare import changes
from memoir.memory.record import Memory

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
