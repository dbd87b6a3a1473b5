"""The table `thread`: each thread of two or more memories summed up, so that nobody has to look at all of them.

A row follows from the memories of its thread alone. What changes one of these puts the thread into the table `unsure`,
and who asks for threads has those summed up again, and no others.
"""

from typing import Any

import apsw

from memoir.index.threaded import Key, parts, wholes
from memoir.memory.insight import DIGEST_BYTES, digest_of
from memoir.memory.layers import INSIGHTS, layer_of
from memoir.taxonomy.paths import Address

MOST_SOURCES = 500
"""The most memories that an insight about a thread rests on, the newest; so one more costs the same in any thread."""

_SUM = "SELECT count(*), max(number) FROM threaded WHERE thread IN (SELECT value FROM json_each(?))"
_CONTENTS = """
WITH newest(number) AS (
    SELECT number FROM threaded WHERE thread IN (SELECT value FROM json_each(?)) ORDER BY number DESC LIMIT ?
)
SELECT DISTINCT d.namespace, d.path, d.content_id
FROM newest JOIN threaded t USING (number) JOIN document d USING (namespace, path)
"""


def sum_up(database: apsw.Connection, limit: int) -> None:
    """Sum up some of the threads that have changed. Call it when all memories are grouped, in a write transaction."""
    changed = [thread for (thread,) in database.execute("SELECT thread FROM unsure LIMIT ?", (limit,))]
    for table, column in (("thread", "number"), ("unsure", "thread")):
        database.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(thread,) for thread in changed])
    for thread in sorted(set(wholes(database, changed).values())):
        if row := _row(database, thread):
            database.execute("INSERT OR REPLACE INTO thread VALUES(?,?,?,?,?,?,?,?)", row)


def insight_path(founder: Key) -> str:
    """The path of the insight about a thread: its founder's first level and id, so that no newer memory changes it."""
    return f"{founder.path.partition('.')[0]}.{founder.id}"


def as_number(digest: str) -> int:
    """A digest as SQLite keeps it.

    Raises:
        ValueError: it is none.
    """
    told = bytes.fromhex(digest)
    if len(told) != DIGEST_BYTES:
        raise ValueError(digest)
    return int.from_bytes(told, signed=True)


def _row(database: apsw.Connection, thread: int) -> tuple[Any, ...] | None:
    """The sum of a thread; None if it has less than two memories."""
    its = str(parts(database, thread))
    size, newest = next(database.execute(_SUM, (its,)))
    if size < 2:
        return None
    sql = "SELECT learnt, namespace, path, content_id FROM threaded WHERE number = ?"
    founder, last = Key(*next(database.execute(sql, (thread,)))), next(database.execute(sql, (newest,)))[0]
    path = insight_path(founder)
    contents = [(Address(*place), told) for *place, told in database.execute(_CONTENTS, (its, MOST_SOURCES))]
    own = Address(layer_of(INSIGHTS, founder.namespace), path), str(size).encode()
    level, digest = path.partition(".")[0], as_number(digest_of([own, *contents]))
    return thread, founder.namespace, level, path, size, founder.learnt, last, digest
