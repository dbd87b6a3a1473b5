"""What a move notes in the memories that memoir filed."""

from memoir.records.metadata import first_path, note_correction
from memoir.records.record import Memory, decode, encode
from memoir.taxonomy.paths import address

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
