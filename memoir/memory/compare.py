"""The differences between two records of one path: which memories came and went, and what their words do not show."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from memoir.memory.facets import with_ids
from memoir.records.record import Memory, Record


class FieldChange(NamedTuple):
    """One field of one memory, before and after; None where the memory did not have the field.

    The field is `confidence`, `timestamp`, `status` or a key of the metadata. For a memory that is in only one of the
    records it is `status`.
    """

    memory: Memory
    field: str
    old: Any
    new: Any


_Row = tuple[str, Memory]
"""The id of a memory, empty if it is the only one at its path, and the memory."""


class Turnover(NamedTuple):
    """The active memories of which the words differ between two records: each that went, with that in its place.

    `kept` are the others, before and after.
    """

    pairs: list[tuple[_Row | None, _Row | None]]
    kept: list[tuple[Memory, Memory]]


def turnover(old: Record, new: Record) -> Turnover:
    """Compare two records, of which one may be empty, by the words of their active memories."""
    rows = with_ids(old) if old else []
    before: dict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        before[row[1].content].append(row)
    kept: list[tuple[Memory, Memory]] = []
    came: list[_Row] = []
    for row in with_ids(new) if new else ():
        if twins := before[row[1].content]:
            kept.append((twins.pop(0)[1], row[1]))
        else:
            came.append(row)
    gone = [row for row in rows if any(row is each for each in before[row[1].content])]
    return Turnover(list(zip_longest(gone, came)), kept)


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
