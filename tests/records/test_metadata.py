"""What metadata say of a memory: until when it holds, and where memoir had filed it."""

from datetime import UTC, datetime

import pytest
from conftest import NOW

from memoir.errors import InvalidInput
from memoir.records.metadata import (
    expiry_of,
    first_path,
    has_expired,
    join_metadata,
    note_correction,
    read_expiry,
    with_expiry,
)
from memoir.records.policy import confirm
from memoir.records.record import Memory, decode, encode
from memoir.taxonomy.paths import address


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("12h", "2026-01-02T15:04:05Z"), ("30d", "2026-02-01T03:04:05Z"), ("2w", "2026-01-16T03:04:05Z"),
        ("1m", "2026-02-01T03:04:05Z"), ("1y", "2027-01-02T03:04:05Z"), ("2026-12-31", "2026-12-31T00:00:00Z"),
        ("2026-12-31T09:30:00+01:00", "2026-12-31T08:30:00Z"), ("never", None), ("yesterday", "2026-01-01T00:00:00Z"),
    ],
)  # fmt: skip
def test_an_end_is_a_date_or_a_span_from_now(text: str, instant: str | None) -> None:
    assert NOW == "2026-01-02T03:04:05Z"
    assert read_expiry(text) == instant


@pytest.mark.parametrize("text", ["", "soon", "30", "d", "-1d", "99999y", "2026-13-01", "1.5d"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_expiry(text)


def test_a_memory_has_expired_from_its_instant_on() -> None:
    metadata = with_expiry({"tags": ["x"]}, "2026-01-02T00:00:00Z")

    assert not has_expired(metadata, datetime(2026, 1, 1, 23, 59, 59, tzinfo=UTC))
    assert has_expired(metadata, datetime(2026, 1, 2, tzinfo=UTC))
    assert with_expiry(metadata, None) == {"tags": ["x"]}


@pytest.mark.parametrize("value", [None, 7, "soon", ["2026-01-01"], True])
def test_what_an_import_brings_and_is_no_date_never_expires(value: object) -> None:
    assert expiry_of({"expires": value}) is None
    assert not has_expired({"expires": value}, datetime.max.replace(tzinfo=UTC))


def test_a_memory_that_is_confirmed_takes_the_new_date() -> None:
    old = Memory.of("x", metadata={"expires": "2026-06-01T00:00:00Z"})
    new = Memory.of("x", metadata={"expires": "2026-03-01T00:00:00Z"})

    outcome = confirm((old,), new)

    assert outcome
    assert outcome.record[0].metadata["expires"] == "2026-03-01T00:00:00Z"


def test_of_two_sides_of_a_merge_the_later_date_is_kept() -> None:
    early, late = {"expires": "2026-03-01T00:00:00Z"}, {"expires": "2026-06-01T00:00:00Z"}

    assert join_metadata(early, late) == join_metadata(late, early) == late


PLACED_MEMORY = Memory("by hand", 1.0, "2026-01-01T00:00:00Z", "active", {"source": "filing"})
FILED_MEMORY = PLACED_MEMORY._replace(
    content="by rules", metadata={"filing": {"by": "rules", "confidence": 0.5}, "source": "x"}
)


def test_a_filed_memory_notes_where_it_was_first() -> None:
    once = note_correction(encode([FILED_MEMORY, PLACED_MEMORY]), address("a.b.c"))
    twice = note_correction(once, address("d.e"))

    one, other = decode(twice)
    assert one.metadata == {"filing": {"by": "move", "from": "a.b.c"}, "source": "x"}
    assert (other, first_path(one.metadata), first_path(FILED_MEMORY.metadata)) == (PLACED_MEMORY, "a.b.c", None)
    assert twice == once


def test_what_was_not_filed_and_what_cannot_be_read_moves_as_it_is() -> None:
    for data in (encode([PLACED_MEMORY]), b'not a record "filing"'):
        assert note_correction(data, address("a")) == data
