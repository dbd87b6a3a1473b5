"""Summaries of threads, and the stored insights about them that are out of date.

The table `thread` has a summary row of each thread of two or more memories, computed only from its memories, so that
these need not be read each time. A change to one of them puts the thread into the table `unsure`; the next question
about threads sums up only these again.

The table `insight` has the metadata of each stored insight (see `memoir.records.metadata`). A leaf is up to date if its
digest equals that of its thread's row, so no insight is read.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import apsw

from memoir.index.sequence import Key, parts, wholes
from memoir.memory.layer_namespaces import INSIGHTS, layer_of
from memoir.records.metadata import DIGEST_BYTES, digest_of, insight_fields
from memoir.records.record import Record
from memoir.taxonomy.paths import Address


class Leaf(NamedTuple):
    """An insight that a thread should have: its path, the thread's number and size, and the digest of the thread.

    `terms` are those of the stored insight.
    """

    path: str
    number: int
    size: int
    digest: str
    terms: tuple[str, ...]


class LevelThreads(NamedTuple):
    """The threads of a first level: the number of their memories, and a digest that changes with any of them."""

    name: str
    size: int
    digest: bytes


class StoredInsight(NamedTuple):
    """The metadata of a stored branch or root: the digest of its sources, and its terms."""

    digest: str
    terms: tuple[str, ...]


def add(database: apsw.Connection, records: Iterable[tuple[Address, Record]]) -> None:
    """Add the metadata of the records that are insights."""
    entries = ((address, insight_fields(record[-1])) for address, record in records)
    rows = [_insight_row(address, its) for address, its in entries if its is not None]
    database.executemany("INSERT OR REPLACE INTO insight VALUES(?,?,?,?,?)", rows)


MOST_SOURCES = 500
"""The most memories an insight rests on, the newest ones, so that a new memory costs the same in any thread."""

_SUM = "SELECT count(*), max(number) FROM threaded WHERE thread IN (SELECT value FROM json_each(?))"
_CONTENTS = """
WITH newest(number) AS (
    SELECT number FROM threaded WHERE thread IN (SELECT value FROM json_each(?)) ORDER BY number DESC LIMIT ?
)
SELECT DISTINCT d.namespace, d.path, d.content_id
FROM newest JOIN threaded t USING (number) JOIN document d USING (namespace, path)
"""


def sum_up(database: apsw.Connection, limit: int) -> None:
    """Sum up at most `limit` changed threads. Call it when all memories are grouped, in a write transaction."""
    unsure_threads = [thread for (thread,) in database.execute("SELECT thread FROM unsure LIMIT ?", (limit,))]
    whole = sorted(set(wholes(database, unsure_threads).values()))
    database.executemany("DELETE FROM thread WHERE number = ?", [(thread,) for thread in {*unsure_threads, *whole}])
    database.executemany("DELETE FROM unsure WHERE thread = ?", [(thread,) for thread in unsure_threads])
    rows = [row for thread in whole if (row := _thread_row(database, thread))]
    database.executemany("INSERT INTO thread VALUES(?,?,?,?,?,?,?,?)", rows)


def _as_number(digest: str) -> int:
    """A digest as the integer that SQLite stores.

    Raises:
        ValueError: it is not a digest.
    """
    value = bytes.fromhex(digest)
    if len(value) != DIGEST_BYTES:
        raise ValueError(digest)
    return int.from_bytes(value, signed=True)


def _thread_row(database: apsw.Connection, thread: int) -> tuple[Any, ...] | None:
    """The row of a thread; None if it has less than two memories."""
    its = str(parts(database, thread))
    size, newest = next(database.execute(_SUM, (its,)))
    if size < 2:
        return None
    sql = "SELECT learnt, namespace, path, content_id FROM threaded WHERE number = ?"
    founder, last = Key(*next(database.execute(sql, (thread,)))), next(database.execute(sql, (newest,)))[0]
    level = founder.path.partition(".")[0]
    path = f"{level}.{founder.id}"  # the insight's path, which no newer memory changes
    contents = [(Address(*place), key) for *place, key in database.execute(_CONTENTS, (its, MOST_SOURCES))]
    own = Address(layer_of(INSIGHTS, founder.namespace), path), str(size).encode()
    digest = _as_number(digest_of([own, *contents]))
    return thread, founder.namespace, level, path, size, founder.learnt, last, digest


class Insights:
    """The insights of one namespace; valid only within a read of an index that groups memories."""

    def __init__(self, database: apsw.Connection, namespace: str) -> None:
        self._database = database
        self._namespace = namespace
        self._layer = layer_of(INSIGHTS, namespace)

    def count(self) -> int:
        """The number of leaves there should be."""
        number: int = self._database.execute("SELECT count(*) FROM thread WHERE namespace = ?", (self._namespace,)).get
        return number

    def find_outdated(self) -> list[Leaf]:
        """The leaves that are missing or out of date, by path."""
        digests = "SELECT digest FROM thread same WHERE same.namespace = t.namespace AND same.path = t.path"
        is_current = f"i.level = 'leaf' AND i.digest IN ({digests})"
        return self._leaves(f"NOT ifnull({is_current}, 0) ORDER BY t.path")

    def largest(self, level: str, limit: int) -> list[Leaf]:
        """The leaves of a first level with the most memories."""
        return self._leaves("t.level = ? ORDER BY t.size DESC, t.path LIMIT ?", level, limit)

    def find_orphans(self) -> list[str]:
        """The paths of stored leaves whose threads are gone."""
        rows = self._database.execute(
            "SELECT path FROM insight i WHERE namespace = ? AND level = 'leaf' AND NOT EXISTS"
            " (SELECT 1 FROM thread t WHERE t.namespace = ? AND t.path = i.path)",
            (self._layer, self._namespace),
        )
        return [path for (path,) in rows]

    def levels(self) -> list[LevelThreads]:
        """The first levels that have threads, by name; a digest combines those of all threads."""
        rows = self._database.execute(
            "SELECT level, sum(size), count(*), sum(digest & 0xFFFFFFFF), sum(digest >> 32 & 0xFFFFFFFF) FROM thread"
            " WHERE namespace = ? GROUP BY level ORDER BY level",
            (self._namespace,),
        )
        return [LevelThreads(name, size, str(sums).encode()) for name, size, *sums in rows]

    def above(self) -> Mapping[str, StoredInsight]:
        """The metadata of the stored branches and the root, by path."""
        sql = "SELECT path, digest, terms FROM insight WHERE namespace = ? AND level <> 'leaf'"
        rows = self._database.execute(sql, (self._layer,))
        return {path: StoredInsight(_digest_text(digest), _lines(terms)) for path, digest, terms in rows}

    def _leaves(self, where: str, *values: Any) -> list[Leaf]:
        rows = self._database.execute(
            "SELECT t.path, t.number, t.size, t.digest, i.terms FROM thread t"
            f" LEFT JOIN insight i ON i.namespace = ? AND i.path = t.path WHERE t.namespace = ? AND {where}",
            (self._layer, self._namespace, *values),
        )
        return [Leaf(path, number, size, _digest_text(its), _lines(terms)) for path, number, size, its, terms in rows]


def _insight_row(address: Address, fields: Mapping[str, Any]) -> tuple[Any, ...]:
    terms = fields.get("terms")
    lines = "\n".join(str(term) for term in terms) if isinstance(terms, list) else ""
    try:
        digest = _as_number(str(fields.get("sources")))
    except ValueError:
        digest = None  # it is equal to no thread's, so the insight counts as out of date
    return *address, str(fields.get("level")), digest, lines


def _digest_text(digest: int | None) -> str:
    return "" if digest is None else digest.to_bytes(DIGEST_BYTES, signed=True).hex()


def _lines(terms: str | None) -> tuple[str, ...]:
    return tuple(terms.split("\n")) if terms else ()
