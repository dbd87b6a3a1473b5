"""What differs between two records of one path beside the words in force: what a diff of the texts does not show."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from memoir.memory.record import Memory, Record


class Change(NamedTuple):
    """One field of one memory, before and after; None where it had none.

    The field is `confidence`, `timestamp`, `status` or a key of the metadata. Of a memory that is only in one of the
    records it is `status`.
    """

    memory: Memory
    field: str
    old: Any
    new: Any


def changes(old: Record, new: Record) -> list[Change]:
    """What became of each memory, in the order of the newer record; the memories that are gone come last."""
    left = list(old)
    found: list[Change] = []
    for memory in new:
        twin = next((other for other in left if other.content == memory.content), None)
        if twin is None:
            found.append(Change(memory, "status", None, memory.status))
        else:
            left.remove(twin)
            found += _fields(twin, memory)
    return [*found, *(Change(memory, "status", memory.status, None) for memory in left)]


def _fields(old: Memory, new: Memory) -> Iterator[Change]:
    """The fields in which two memories of the same words differ."""
    for field in ("confidence", "timestamp", "status"):
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            yield Change(new, field, before, after)
    for key in sorted(old.metadata.keys() | new.metadata.keys()):
        before, after = old.metadata.get(key), new.metadata.get(key)
        if before != after:
            yield Change(new, key, before, after)
