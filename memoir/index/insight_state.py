"""Insights that are stored, beside the threads that they should be about: which of them are out of date.

The table `insight` has what the metadata of each stored insight say (see `memoir.records.metadata`). A leaf is up to
date
if its digest is that of its thread's row, so no insight is read; and the table `outdated` names the others, so nobody
looks at all rows.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import apsw

from memoir.index import stale_leaves
from memoir.index.thread_view import as_number
from memoir.memory.layer_namespaces import INSIGHTS, layer_of
from memoir.records.metadata import DIGEST_BYTES, EXTRACTIVE, insight_fields
from memoir.records.record import Record
from memoir.taxonomy.paths import Address


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
    stale_leaves.compare(database, (Address(*row[:2]) for row in rows))


def remove(database: apsw.Connection, address: Address) -> None:
    """Forget the insight at a path, if there is one."""
    database.execute("DELETE FROM insight WHERE namespace = ? AND path = ?", address)
    stale_leaves.compare(database, [address])


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
        digest = as_number(str(fields.get("sources")))
    except ValueError:
        digest = None  # it is equal to no thread's, so the insight counts as out of date
    return *address, str(fields.get("level")), str(fields.get("by")), digest, lines


def _text(digest: int | None) -> str:
    return "" if digest is None else digest.to_bytes(DIGEST_BYTES, signed=True).hex()


def _lines(terms: str | None) -> tuple[str, ...]:
    return tuple(terms.split("\n")) if terms else ()
