"""Threads summed up, and the insights about them: which of those that are stored are out of date.

The table `thread` has each thread of two or more memories summed up, so that nobody has to look at all of them. A row
follows from the memories of its thread alone. What changes one of these puts the thread into the table `unsure`, and
who asks for threads has those summed up again, and no others. The table `level` adds up the threads of each first
level: their number, their sizes, and the lower and the higher halves of their digests.

The table `insight` has what the metadata of each stored insight say (see `memoir.records.metadata`). A leaf is up to
date if its digest is that of its thread's row, so no insight is read. The table `outdated` names the others: exactly
the places at which a leaf is missing, has another digest than its thread, or has lost its thread. Whoever changes a row
of `thread` or `insight` has its place compared in the same transaction, so the table is right whatever the index went
through.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import apsw

from memoir.index.sequence import Key, parts, wholes
from memoir.memory.layer_namespaces import INSIGHTS, layer_of
from memoir.records.metadata import DIGEST_BYTES, EXTRACTIVE, digest_of, insight_fields
from memoir.records.record import Record
from memoir.taxonomy.paths import INSIGHTS_SUFFIX, Address


class Leaf(NamedTuple):
    """An insight about a thread as it should be: its path, the thread's number and size, and the digest of both.

    `terms` are those of the stored insight.
    """

    path: str
    number: int
    size: int
    digest: str
    terms: tuple[str, ...]


class LevelThreads(NamedTuple):
    """The threads of a first level: how many memories they have, and what changes if one of the threads does."""

    name: str
    size: int
    digest: bytes


class StoredInsight(NamedTuple):
    """The metadata of a stored branch or root: its writer, the digest of its sources, and its terms."""

    writer: str
    digest: str
    terms: tuple[str, ...]


def add(database: apsw.Connection, records: Iterable[tuple[Address, Record]]) -> None:
    """Note what some records, which may be insights, say of themselves."""
    entries = ((address, insight_fields(record[-1])) for address, record in records)
    rows = [_row(address, its) for address, its in entries if its is not None]
    database.executemany("INSERT OR REPLACE INTO insight VALUES(?,?,?,?,?,?)", rows)
    _compare(database, (Address(*row[:2]) for row in rows))


def remove(database: apsw.Connection, address: Address) -> None:
    """Forget the insight at a path, if there is one."""
    database.execute("DELETE FROM insight WHERE namespace = ? AND path = ?", address)
    _compare(database, [address])


MOST_SOURCES = 500
"""The most memories that an insight about a thread rests on, the newest; so one more costs the same in any thread."""

_LOW = 0xFFFFFFFF
_SUM = "SELECT count(*), max(number) FROM threaded WHERE thread IN (SELECT value FROM json_each(?))"
_CONTENTS = """
WITH newest(number) AS (
    SELECT number FROM threaded WHERE thread IN (SELECT value FROM json_each(?)) ORDER BY number DESC LIMIT ?
)
SELECT DISTINCT d.namespace, d.path, d.content_id
FROM newest JOIN threaded t USING (number) JOIN document d USING (namespace, path)
"""
_ADD = """
INSERT INTO level VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
threads = threads + excluded.threads, size = size + excluded.size, low = low + excluded.low, high = high + excluded.high
"""


class _ThreadRow(NamedTuple):
    """A row of the table `thread`."""

    number: int
    namespace: str
    level: str
    path: str
    size: int
    first: float
    last: float
    digest: int

    @property
    def leaf(self) -> Address:
        """The place of the insight about the thread."""
        return Address(layer_of(INSIGHTS, self.namespace), self.path)


def sum_up(database: apsw.Connection, limit: int) -> None:
    """Sum up some of the threads that have changed. Call it when all memories are grouped, in a write transaction."""
    unsure_threads = [thread for (thread,) in database.execute("SELECT thread FROM unsure LIMIT ?", (limit,))]
    whole = sorted(set(wholes(database, unsure_threads).values()))
    old = _take(database, {*unsure_threads, *whole})
    new = [row for thread in whole if (row := _sum(database, thread))]
    database.executemany("DELETE FROM unsure WHERE thread = ?", [(thread,) for thread in unsure_threads])
    database.executemany("INSERT INTO thread VALUES(?,?,?,?,?,?,?,?)", new)
    _add(database, old, -1)
    _add(database, new, 1)
    _compare(database, (row.leaf for row in (*old, *new)))


def _take(database: apsw.Connection, threads: Iterable[int]) -> list[_ThreadRow]:
    """Remove the rows of some threads."""
    sql = "DELETE FROM thread WHERE number = ? RETURNING *"
    rows: list[Any] = database.executemany(sql, [(thread,) for thread in threads]).fetchall()
    return [_ThreadRow(*row) for row in rows]


def _add(database: apsw.Connection, rows: Iterable[_ThreadRow], times: int) -> None:
    """Add some threads to the sums of their first levels, or subtract them (-1 times)."""
    sums = [(row.namespace, row.level, 1, row.size, row.digest & _LOW, row.digest >> 32 & _LOW) for row in rows]
    database.executemany(_ADD, [(*its[:2], *(times * number for number in its[2:])) for its in sums])
    if times < 0:
        database.execute("DELETE FROM level WHERE threads = 0")


def _insight_path(founder: Key) -> str:
    """The path of the insight about a thread: its founder's first level and id, so that no newer memory changes it."""
    return f"{founder.path.partition('.')[0]}.{founder.id}"


def _as_number(digest: str) -> int:
    """A digest as SQLite keeps it.

    Raises:
        ValueError: it is none.
    """
    value = bytes.fromhex(digest)
    if len(value) != DIGEST_BYTES:
        raise ValueError(digest)
    return int.from_bytes(value, signed=True)


def _sum(database: apsw.Connection, thread: int) -> _ThreadRow | None:
    """The sum of a thread; None if it has less than two memories."""
    its = str(parts(database, thread))
    size, newest = next(database.execute(_SUM, (its,)))
    if size < 2:
        return None
    sql = "SELECT learnt, namespace, path, content_id FROM threaded WHERE number = ?"
    founder, last = Key(*next(database.execute(sql, (thread,)))), next(database.execute(sql, (newest,)))[0]
    path = _insight_path(founder)
    contents = [(Address(*place), key) for *place, key in database.execute(_CONTENTS, (its, MOST_SOURCES))]
    own = Address(layer_of(INSIGHTS, founder.namespace), path), str(size).encode()
    level, digest = path.partition(".")[0], _as_number(digest_of([own, *contents]))
    return _ThreadRow(thread, founder.namespace, level, path, size, founder.learnt, last, digest)


_FORGET = "DELETE FROM outdated WHERE namespace = ?1 AND path = ?2"
_COMPARE = """
INSERT INTO outdated SELECT ?1, ?2
WHERE EXISTS (
    SELECT 1 FROM insight WHERE namespace = ?1 AND path = ?2 AND level = 'leaf'
    UNION ALL SELECT 1 FROM thread WHERE namespace = ?3 AND path = ?2
) AND NOT EXISTS (
    SELECT 1 FROM insight i JOIN thread t USING (path, digest)
    WHERE i.namespace = ?1 AND i.path = ?2 AND i.level = 'leaf' AND t.namespace = ?3
)
"""


def _compare(database: apsw.Connection, places: Iterable[Address]) -> None:
    """Compare the leaves at some places with their threads. Call it in the transaction that has changed either."""
    for layer, path in set(places):
        database.execute(_FORGET, (layer, path))
        database.execute(_COMPARE, (layer, path, layer.removesuffix(INSIGHTS_SUFFIX)))


class Insights:
    """The insights of one namespace; good only inside of a read of an index that groups memories."""

    def __init__(self, database: apsw.Connection, namespace: str) -> None:
        self._database = database
        self._namespace = namespace
        self._layer = layer_of(INSIGHTS, namespace)

    def count(self) -> int:
        """How many leaves there should be."""
        sql = "SELECT ifnull(sum(threads), 0) FROM level WHERE namespace = ?"
        number: int = self._database.execute(sql, (self._namespace,)).get
        return number

    def find_outdated(self) -> list[Leaf]:
        """The leaves that are missing or out of date, or that rules wrote, by path."""
        paths = (
            "SELECT path FROM outdated WHERE namespace = ?"
            " UNION SELECT path FROM insight WHERE namespace = ? AND writer = ?"
        )
        return self._leaves(f"t.path IN ({paths}) ORDER BY t.path", self._layer, self._layer, EXTRACTIVE)

    def largest(self, level: str, limit: int) -> list[Leaf]:
        """The leaves of a first level that are about the most memories."""
        return self._leaves("t.level = ? ORDER BY t.size DESC, t.path LIMIT ?", level, limit)

    def find_orphans(self) -> list[str]:
        """The paths of stored leaves whose threads are gone."""
        rows = self._database.execute(
            "SELECT path FROM outdated o WHERE namespace = ? AND NOT EXISTS"
            " (SELECT 1 FROM thread t WHERE t.namespace = ? AND t.path = o.path)",
            (self._layer, self._namespace),
        )
        return [path for (path,) in rows]

    def levels(self) -> list[LevelThreads]:
        """The first levels that have threads, by name."""
        rows = self._database.execute(
            "SELECT name, size, threads, low, high FROM level WHERE namespace = ? ORDER BY name", (self._namespace,)
        )
        return [LevelThreads(name, size, str(sums).encode()) for name, size, *sums in rows]

    def above(self) -> Mapping[str, StoredInsight]:
        """The metadata of the stored branches and the root, by path."""
        sql = "SELECT path, writer, digest, terms FROM insight WHERE namespace = ? AND level <> 'leaf'"
        rows = self._database.execute(sql, (self._layer,))
        return {path: StoredInsight(writer, _text(digest), _lines(terms)) for path, writer, digest, terms in rows}

    def _leaves(self, where: str, *values: Any) -> list[Leaf]:
        rows = self._database.execute(
            "SELECT t.path, t.number, t.size, t.digest, i.terms FROM thread t"
            f" LEFT JOIN insight i ON i.namespace = ? AND i.path = t.path WHERE t.namespace = ? AND {where}",
            (self._layer, self._namespace, *values),
        )
        return [Leaf(path, number, size, _text(its), _lines(terms)) for path, number, size, its, terms in rows]


def _row(address: Address, fields: Mapping[str, Any]) -> tuple[Any, ...]:
    terms = fields.get("terms")
    lines = "\n".join(str(term) for term in terms) if isinstance(terms, list) else ""
    try:
        digest = _as_number(str(fields.get("sources")))
    except ValueError:
        digest = None  # it is equal to no thread's, so the insight counts as out of date
    return *address, str(fields.get("level")), str(fields.get("by")), digest, lines


def _text(digest: int | None) -> str:
    return "" if digest is None else digest.to_bytes(DIGEST_BYTES, signed=True).hex()


def _lines(terms: str | None) -> tuple[str, ...]:
    return tuple(terms.split("\n")) if terms else ()
