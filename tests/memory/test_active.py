"""Which memories contradict each other: those of one namespace and about the same people, and no events."""

from typing import Any

import pytest

from memoir import Memory
from memoir.memory.active import Facet, find_disputes
from memoir.taxonomy.paths import address

THURSDAY, FRIDAY = "Releases are cut on Thursdays.", "Releases are cut on Fridays."


def facet(content: str, path: str = "a.b", namespace: str = "default", day: int = 1, **metadata: Any) -> Facet:
    return Facet(address(path, namespace), 0, Memory.of(content, timestamp=f"2026-01-{day:02}", metadata=metadata))


def contents(*facets: Facet) -> list[tuple[str, str]]:
    return [(pair.newer.memory.content, pair.older.memory.content) for pair in find_disputes(facets)]


def test_a_dispute_is_found_once_with_the_newer_memory_first() -> None:
    assert contents(facet(FRIDAY, "c.d", day=2), facet(THURSDAY)) == [(FRIDAY, THURSDAY)]
    assert contents(facet(FRIDAY, "c.d", day=1), facet(THURSDAY, day=2)) == [(THURSDAY, FRIDAY)]


def test_the_newest_disputes_come_first() -> None:
    ports = [facet(f"The port is {number}", f"a.p{number}", day=number) for number in (7, 9, 8)]

    assert [pair.newer.memory.timestamp[8:10] for pair in find_disputes(ports)] == ["09", "09", "08"]


@pytest.mark.parametrize(
    "other",
    [
        facet(FRIDAY, "c.d", "work"),
        facet(FRIDAY, "c.d", "default:raw"),
        facet(FRIDAY, "c.d", person="Ada"),
        facet(FRIDAY, "c.d", project="mobile"),
        facet(FRIDAY, "c.d", item_kind="event"),
        facet(FRIDAY, "c.d")._replace(memory=Memory.of(FRIDAY, status="superseded")),
    ],
    ids=["another namespace", "a layer", "another person", "another project", "an event", "superseded"],
)
def test_memories_that_can_both_be_true_are_in_no_dispute(other: Facet) -> None:
    assert contents(facet(THURSDAY, project="web"), other) == []


def test_what_memoir_notes_in_metadata_does_not_keep_two_memories_apart() -> None:
    one = facet(THURSDAY, source="claude", filing={"by": "rules", "confidence": 0.9}, item_kind="fact", person=["Ada"])
    other = facet(FRIDAY, "c.d", source="codex", pinned=True, person="ada")

    assert contents(one, other)


def test_a_thousand_values_of_one_clause_take_no_time_in_its_square() -> None:
    facets = [facet(f"The port is {8000 + number}", f"a.p{number}") for number in range(1_000)]

    assert len(find_disputes(facets)) == 50 * 49 / 2
