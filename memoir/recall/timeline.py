"""The timeline: memories sorted by timestamp, superseded ones included."""

from typing import NamedTuple

from memoir.index.index import Index
from memoir.index.sequence import LearntAt
from memoir.index.view import View
from memoir.memory.facets import find, id_at
from memoir.memory.read import records, require_namespaces, require_record
from memoir.recall.query import MOST_MOMENTS
from memoir.records.record import Memory, Record, active_facets
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, MemoryAddress


class Moment(NamedTuple):
    """A memory on the timeline; `here` marks those in its middle."""

    target: MemoryAddress
    memory: Memory
    here: bool

    @property
    def address(self) -> Address:
        """The path."""
        return self.target.place


class Timeline(NamedTuple):
    """A part of the timeline, the number of memories left out by the limit, and what the index lacks."""

    moments: list[Moment]
    omitted: int
    degraded: tuple[str, ...] = ()


class Window(NamedTuple):
    """The bounds of a timeline. Times are seconds since 1970, both ends included; None is open."""

    namespaces: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None
    limit: int = MOST_MOMENTS


def timeline(index: Index, snapshot: Snapshot, window: Window, around: MemoryAddress | None = None) -> Timeline:
    """The newest memories of a window, newest first; with `around`, those nearest in time to one.

    The middle is the memory of the id, or the newest of the path. Half of the limit lies on each side; if one side has
    fewer, the other gets more.
    """
    require_namespaces(window.namespaces, snapshot)
    middle = _middle(around, require_record(snapshot, around.place)) if around else None
    entries, total = index.read(snapshot, lambda view: _search(view, window, middle))
    by_address = records(snapshot, (moment.address for moment in entries))
    moments = [_make_moment(each, by_address[each.address], _is_around(each, around, middle)) for each in entries]
    return Timeline(moments, total - len(moments), tuple(index.degraded))


def _make_moment(entry: LearntAt, record: Record, here: bool) -> Moment:
    return Moment(MemoryAddress(entry.address, id_at(record, entry.ordinal)), record[entry.ordinal], here)


def _middle(around: MemoryAddress, record: Record) -> LearntAt:
    """The memory with the id; without one, the newest active memory."""
    active = active_facets(record)
    positions = [find(record, around)] if around.names_memory else [at for at, m in enumerate(record) if m in active]
    return max(LearntAt(record[at].instant.timestamp(), *around.place, at) for at in positions)


def _is_around(entry: LearntAt, around: MemoryAddress | None, middle: LearntAt | None) -> bool:
    if around is None:
        return False
    return entry == middle if around.names_memory else entry.address == around.place


def _search(view: View, window: Window, middle: LearntAt | None) -> tuple[list[LearntAt], int]:
    """The moments to show, newest first, and the number in the window."""
    moments = view.moments(window.namespaces, window.since, window.until)
    before = moments.newest(window.limit, middle)
    after = moments.oldest(window.limit, middle) if middle else []
    ahead = after[: max(window.limit // 2, window.limit - len(before))]
    return [*reversed(ahead), *before[: window.limit - len(ahead)]], moments.count()
