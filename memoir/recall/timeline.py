"""What was learnt when: memories in the order of their timestamps, the superseded ones too."""

from typing import NamedTuple

import apsw

from memoir.errors import InvalidInput
from memoir.index.index import Index
from memoir.memory.read import records, require_namespaces, require_record
from memoir.memory.record import Memory, Record, in_force
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

DEFAULT_LIMIT = 20


class Moment(NamedTuple):
    """A memory on the timeline; `here` marks those of the path that was asked about."""

    address: Address
    memory: Memory
    here: bool


class Timeline(NamedTuple):
    """A part of the timeline, and how many memories of its window the limit left out."""

    moments: list[Moment]
    omitted: int


class Window(NamedTuple):
    """A part of the timeline. Times are seconds since 1970, both ends included; None is open."""

    namespaces: tuple[str, ...] = ()
    since: float | None = None
    until: float | None = None
    limit: int = DEFAULT_LIMIT


def timeline(index: Index, snapshot: Snapshot, window: Window, around: Address | None = None) -> Timeline:
    """The newest memories of a window, newest first; or those nearest in time to a path's, in the same order.

    Around a path, half of the limit lies before its newest memory and half after it, more on one side if the
    other has fewer.

    Raises:
        NotFound: there is nothing at the path, or no such namespace. InvalidInput: the window ends before it begins.
    """
    if window.since is not None and window.until is not None and window.since > window.until:
        raise InvalidInput("nothing happened since then and yet before: --since is later than --until")
    require_namespaces(window.namespaces, snapshot)
    middle: _Place | None = None
    if around:
        middle = _newest(around, require_record(snapshot, around))
    places, total = index.read(snapshot, lambda d: (_places(d, window, middle), _count(d, window)))
    stored = records(snapshot, (place for place, _ in places))
    moments = [Moment(place, stored[place][ordinal], place == around) for place, ordinal in places]
    return Timeline(moments, total - len(moments))


class _Place(NamedTuple):
    """A place on the timeline: memories are in this order."""

    learnt: float
    namespace: str
    path: str
    ordinal: int


def _newest(address: Address, record: Record) -> _Place:
    kept = in_force(record)
    return max(_Place(m.instant.timestamp(), *address, at) for at, m in enumerate(record) if m in kept)


def _places(database: apsw.Connection, window: Window, middle: _Place | None) -> list[tuple[Address, int]]:
    if middle is None:
        return _rows(database, window, "DESC", window.limit)
    before = _rows(database, window, "DESC", window.limit, ("<=", middle))
    after = _rows(database, window, "ASC", window.limit, (">", middle))
    ahead = after[: max(window.limit // 2, window.limit - len(before))]
    return [*reversed(ahead), *before[: window.limit - len(ahead)]]


def _rows(
    database: apsw.Connection, window: Window, order: str, limit: int, beside: tuple[str, _Place] | None = None
) -> list[tuple[Address, int]]:
    parts, values = _within(window)
    if beside:
        parts.append(f"(learnt, namespace, path, ordinal) {beside[0]} (?, ?, ?, ?)")
        values += beside[1]
    ordering = ", ".join(f"{column} {order}" for column in ("learnt", "namespace", "path", "ordinal"))
    sql = f"SELECT namespace, path, ordinal FROM moment WHERE {' AND '.join(parts)} ORDER BY {ordering} LIMIT ?"
    return [(Address(namespace, path), ordinal) for namespace, path, ordinal in database.execute(sql, (*values, limit))]


def _count(database: apsw.Connection, window: Window) -> int:
    """How many memories a window has, whatever its limit."""
    parts, values = _within(window)
    count = database.execute(f"SELECT count(*) FROM moment WHERE {' AND '.join(parts)}", tuple(values)).get
    return int(count)


def _within(window: Window) -> tuple[list[str], list[object]]:
    """The conditions of a window in SQL, and their values."""
    parts, values = ["1"], list[object]()
    if window.namespaces:
        parts.append(f"namespace IN ({','.join('?' * len(window.namespaces))})")
        values += window.namespaces
    for bound, sign in ((window.since, ">="), (window.until, "<=")):
        if bound is not None:
            parts.append(f"learnt {sign} ?")
            values.append(bound)
    return parts, values
