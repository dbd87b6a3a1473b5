"""The table `thread`: each thread of two or more memories summed up, so that nobody has to look at all of them.

A row follows from the memories of its thread alone. What changes one of these puts the thread into the table `unsure`,
and who asks for threads has those summed up again, and no others. The table `level` adds up the threads of each first
level: their number, their sizes, and the lower and the higher halves of their digests.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import apsw

from memoir.index import stale_leaves
from memoir.index.sequence import Key, parts, wholes
from memoir.memory.layer_namespaces import INSIGHTS, layer_of
from memoir.records.metadata import DIGEST_BYTES, digest_of
from memoir.taxonomy.paths import Address

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


class Row(NamedTuple):
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
    new = [row for thread in whole if (row := _row(database, thread))]
    database.executemany("DELETE FROM unsure WHERE thread = ?", [(thread,) for thread in unsure_threads])
    database.executemany("INSERT INTO thread VALUES(?,?,?,?,?,?,?,?)", new)
    _add(database, old, -1)
    _add(database, new, 1)
    stale_leaves.compare(database, (row.leaf for row in (*old, *new)))


def _take(database: apsw.Connection, threads: Iterable[int]) -> list[Row]:
    """Remove the rows of some threads."""
    sql = "DELETE FROM thread WHERE number = ? RETURNING *"
    rows: list[Any] = database.executemany(sql, [(thread,) for thread in threads]).fetchall()
    return [Row(*row) for row in rows]


def _add(database: apsw.Connection, rows: Iterable[Row], times: int) -> None:
    """Add some threads to the sums of their first levels, or subtract them (-1 times)."""
    sums = [(row.namespace, row.level, 1, row.size, row.digest & _LOW, row.digest >> 32 & _LOW) for row in rows]
    database.executemany(_ADD, [(*its[:2], *(times * number for number in its[2:])) for its in sums])
    if times < 0:
        database.execute("DELETE FROM level WHERE threads = 0")


def insight_path(founder: Key) -> str:
    """The path of the insight about a thread: its founder's first level and id, so that no newer memory changes it."""
    return f"{founder.path.partition('.')[0]}.{founder.id}"


def as_number(digest: str) -> int:
    """A digest as SQLite keeps it.

    Raises:
        ValueError: it is none.
    """
    value = bytes.fromhex(digest)
    if len(value) != DIGEST_BYTES:
        raise ValueError(digest)
    return int.from_bytes(value, signed=True)


def _row(database: apsw.Connection, thread: int) -> Row | None:
    """The sum of a thread; None if it has less than two memories."""
    its = str(parts(database, thread))
    size, newest = next(database.execute(_SUM, (its,)))
    if size < 2:
        return None
    sql = "SELECT learnt, namespace, path, content_id FROM threaded WHERE number = ?"
    founder, last = Key(*next(database.execute(sql, (thread,)))), next(database.execute(sql, (newest,)))[0]
    path = insight_path(founder)
    contents = [(Address(*place), key) for *place, key in database.execute(_CONTENTS, (its, MOST_SOURCES))]
    own = Address(layer_of(INSIGHTS, founder.namespace), path), str(size).encode()
    level, digest = path.partition(".")[0], as_number(digest_of([own, *contents]))
    return Row(thread, founder.namespace, level, path, size, founder.learnt, last, digest)
