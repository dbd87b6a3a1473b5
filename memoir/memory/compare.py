"""The differences between two records of one path that a diff of their texts does not show."""

from collections.abc import Iterator
from typing import Any

from memoir.memory.record import Memory, Record
from memoir.named_tuple import NamedTuple


class FieldChange(NamedTuple):
    """One field of one memory, before and after; None where the memory did not have the field.

    The field is `confidence`, `timestamp`, `status` or a key of the metadata. For a memory that is in only one of the
    records it is `status`.
    """

    memory: Memory
    field: str
    old: Any
    new: Any


def changes(old: Record, new: Record) -> list[FieldChange]:
    """The changed fields of each memory, in the order of the newer record; removed memories come last."""
    rest = list(old)
    field_changes: list[FieldChange] = []
    for memory in new:
        twin = next((other for other in rest if other.content == memory.content), None)
        if twin is None:
            field_changes.append(FieldChange(memory, "status", None, memory.status))
        else:
            rest.remove(twin)
            field_changes += _fields(twin, memory)
    return [*field_changes, *(FieldChange(memory, "status", memory.status, None) for memory in rest)]


def _fields(old: Memory, new: Memory) -> Iterator[FieldChange]:
    """The fields in which two memories of the same words differ."""
    for field in ("confidence", "timestamp", "status"):
        before, after = getattr(old, field), getattr(new, field)
        if before != after:
            yield FieldChange(new, field, before, after)
    for key in sorted(old.metadata.keys() | new.metadata.keys()):
        before, after = old.metadata.get(key), new.metadata.get(key)
        if before != after:
            yield FieldChange(new, key, before, after)
