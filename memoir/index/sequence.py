"""The two orders of documents: within a sequence by number, and of all memories by time.

The first gives the neighbours of a document. The second is the table `threaded`, which also has the thread of each
memory.

`threaded` always has the first documents in the order of time (then of address and content), without gaps. A document
newer than all others is added at the end. If one in between is removed or added, the table is cut off before it and
built up again, so threads never depend on the order of writing. Nothing is grouped until a question needs threads.

`Moments` are all memories, also superseded ones, in the order in which they were learnt.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import apsw

from memoir.git.objects import blake2b
from memoir.index import state
from memoir.index.documents import Place, place_of, sequence_id
from memoir.taxonomy.paths import Address


def around(database: apsw.Connection, place: Place, reach: int) -> list[tuple[int, Place]]:
    """Up to `reach` documents on either side of one, in order, each with its distance (-1: right before)."""
    before = _beside(database, place, "< ? ORDER BY place DESC", reach)
    after = _beside(database, place, "> ? ORDER BY place", reach)
    return [*reversed([(-n, each) for n, each in enumerate(before, 1)]), *enumerate(after, 1)]


def _beside(database: apsw.Connection, place: Place, side: str, reach: int) -> list[Place]:
    address, ordinal = place
    sql = f"SELECT namespace, path, ordinal FROM document WHERE sequence = ? AND place {side} LIMIT ?"
    rows = database.execute(sql, (sequence_id(address), place_of(address, ordinal), reach))
    return [(Address(namespace, path), number) for namespace, path, number in rows]


_ID_BYTES = 6
_KEY = "learnt, namespace, path, content_id"
_HOLDS = "SELECT 1 FROM threaded WHERE namespace = ? LIMIT 1"


class Key(NamedTuple):
    """The sort key of a memory in the order of time; `learnt` is in seconds since 1970."""

    learnt: float
    namespace: str
    path: str
    content_id: bytes

    @property
    def id(self) -> str:
        """The id of the memory, which does not change when it moves within its namespace."""
        return blake2b(f"{self.namespace}\n{self.learnt!r}\n".encode() + self.content_id, size=_ID_BYTES).hex()


def forget_from(database: apsw.Connection, addresses: Iterable[Address]) -> None:
    """Undo the grouping from the first memory on that was removed from or added to the given paths.

    Memories newer than all grouped ones change nothing. Call it in a write transaction, after the documents of the
    paths are up to date.
    """
    last = last_key(database)
    if last is None:
        return
    differences: list[Key] = []
    for address in addresses:
        old_keys, threads = _documents_and_threads(database, address)
        doubt(database, threads)
        differences += old_keys ^ _documents_up_to(database, address, last)
    if differences:
        _cut_off_from(database, min(differences))


def keep_apart(database: apsw.Connection, layers: Collection[str]) -> None:
    """Forget all threads if the set of layers has changed, because records in layers belong to no thread.

    A new layer that had no memories changes nothing. Call it before `state.set_layers`.
    """
    old, new = set(state.layers(database)), set(layers)
    if old - new or any(database.execute(_HOLDS, (name,)).get for name in new - old):
        clear(database)


def has_more(database: apsw.Connection) -> bool:
    """Whether any document is not grouped yet, or any thread is not summed up."""
    return bool(database.execute("SELECT EXISTS (SELECT 1 FROM unsure)").get) or has_ungrouped(database)


def has_ungrouped(database: apsw.Connection) -> bool:
    """Whether any document is not grouped yet."""
    return bool(next_documents(database, 1))


def clear(database: apsw.Connection) -> None:
    """Forget all threads."""
    database.execute("".join(f"DELETE FROM {each};" for each in ("threaded", "topic", "joined", "thread", "unsure")))
    state.forget_grouped(database)


def doubt(database: apsw.Connection, threads: Iterable[int]) -> None:
    """Mark the summaries of threads as out of date."""
    database.executemany("INSERT OR IGNORE INTO unsure VALUES(?)", [(thread,) for thread in threads])


def count(database: apsw.Connection) -> int:
    """The number of grouped memories."""
    return 1 + int(database.execute("SELECT ifnull(max(number), -1) FROM threaded").get)


def wholes(database: apsw.Connection, threads: Iterable[int]) -> dict[int, int]:
    """Map each thread to the one that it is now part of."""
    by_part = {thread: thread for thread in threads}
    while by_part:
        ids = ",".join(map(str, set(by_part.values())))
        joins: dict[int, int] = dict(
            iter(database.execute(f"SELECT thread, into_thread FROM joined WHERE thread IN ({ids})"))
        )
        if not joins:
            break
        by_part = {thread: joins.get(whole, whole) for thread, whole in by_part.items()}
    return by_part


def parts(database: apsw.Connection, thread: int) -> list[int]:
    """A thread and all threads that were joined to it."""
    rows = database.execute(
        "WITH RECURSIVE part(thread) AS (VALUES(?) UNION"
        " SELECT j.thread FROM part p JOIN joined j ON j.into_thread = p.thread) SELECT thread FROM part",
        (thread,),
    )
    return [part for (part,) in rows]


def words_of(topics: str) -> list[tuple[str, str]]:
    """Parse the topics of a row: stems, each with its word."""
    return [(stem, word) for line in topics.splitlines() for stem, _, word in [line.partition("\t")]]


def last_key(database: apsw.Connection) -> Key | None:
    """The newest memory that is grouped."""
    row = database.execute(f"SELECT {_KEY} FROM threaded ORDER BY number DESC LIMIT 1").fetchone()
    return Key(*row) if row else None


def next_documents(database: apsw.Connection, limit: int) -> list[tuple[Key, str, str]]:
    """The next ungrouped documents in the order of time, with contents and people; equal ones once."""
    after = last_key(database) or Key(float("-inf"), "", "", b"")
    layers = state.layers(database)
    rows = database.execute(
        "SELECT d.learnt, d.namespace, d.path, d.content_id, d.content, d.person"
        " FROM moment m JOIN document d USING (namespace, path, ordinal)"
        " WHERE m.active AND NOT m.source AND (m.learnt, m.namespace, m.path) >= (?, ?, ?)"
        " AND (d.learnt, d.namespace, d.path, d.content_id) > (?, ?, ?, ?)"
        f" AND m.namespace NOT IN ({','.join('?' * len(layers))})"
        " ORDER BY m.learnt, m.namespace, m.path, d.content_id LIMIT ?",
        (*after[:3], *after, *layers, limit),
    )
    return list({Key(*row[:4]): (Key(*row[:4]), row[4], row[5]) for row in rows}.values())


def _documents_and_threads(database: apsw.Connection, address: Address) -> tuple[set[Key], set[int]]:
    """The grouped documents of a path, and their threads."""
    sql = f"SELECT thread, {_KEY} FROM threaded WHERE namespace = ? AND path = ?"
    rows: list[Any] = database.execute(sql, address).fetchall()
    return {Key(*key) for _, *key in rows}, {thread for thread, *_ in rows}


def _documents_up_to(database: apsw.Connection, address: Address, last: Key) -> set[Key]:
    """The documents of a path that are no newer than the last grouped one."""
    if address.namespace in state.layers(database):
        return set()
    rows = database.execute(f"SELECT {_KEY} FROM document WHERE namespace = ? AND path = ?", address)
    return {key for row in rows if (key := Key(*row)) <= last}


def _cut_off_from(database: apsw.Connection, first: Key) -> None:
    first_number = f"(SELECT number FROM threaded WHERE ({_KEY}) >= (?, ?, ?, ?) ORDER BY {_KEY} LIMIT 1)"
    rows: list[Any] = database.execute(
        f"SELECT number, namespace, topics, thread FROM threaded WHERE number >= {first_number}", first
    ).fetchall()
    if not rows:
        return
    whole = set(wholes(database, {row[-1] for row in rows}).values())
    doubt(database, [part for thread in whole for part in parts(database, thread)])
    for namespace, total in Counter(row[1] for row in rows).items():
        state.grouped(namespace).add(database, -total)
    topics = [(namespace, topic, number) for number, namespace, its, _ in rows for topic, _ in words_of(its)]
    database.executemany("DELETE FROM topic WHERE namespace = ? AND topic = ? AND number = ?", topics)
    number = rows[0][0]
    database.execute("DELETE FROM joined WHERE since >= ?", (number,))
    database.execute("DELETE FROM threaded WHERE number >= ?", (number,))


class LearntAt(NamedTuple):
    """The time at which a memory was learnt (seconds since 1970), and its address; moments sort like this."""

    learnt: float
    namespace: str
    path: str
    ordinal: int

    @property
    def address(self) -> Address:
        """The path of the memory, with its namespace."""
        return Address(self.namespace, self.path)


class Moments:
    """The moments of the namespaces (by default of all but `layers`), from one time to another, inclusive.

    Segments are included only with `sources`; then all moments must be sorted.
    """

    def __init__(
        self,
        database: apsw.Connection,
        namespaces: Sequence[str],
        since: float | None,
        until: float | None,
        layers: Sequence[str] = (),
        *,
        sources: bool = False,
    ) -> None:
        self._database = database
        self._conditions, self._values = ["1" if sources else "NOT source"], list[object]()
        if namespaces:
            self._conditions.append(f"namespace IN ({','.join('?' * len(namespaces))})")
            self._values += namespaces
        if layers:
            self._conditions.append(f"namespace NOT IN ({','.join('?' * len(layers))})")
            self._values += layers
        for bound, sign in ((since, ">="), (until, "<=")):
            if bound is not None:
                self._conditions.append(f"learnt {sign} ?")
                self._values.append(bound)

    def count(self) -> int:
        """The number of moments."""
        sql = f"SELECT count(*) FROM moment WHERE {' AND '.join(self._conditions)}"
        return int(self._database.execute(sql, tuple(self._values)).get)

    def newest(self, limit: int, until: LearntAt | None = None) -> list[LearntAt]:
        """The newest moments, newest first; with `until`, only up to that one."""
        return self._rows(limit, "DESC", "<=", until)

    def oldest(self, limit: int, after: LearntAt) -> list[LearntAt]:
        """The oldest moments after another one, oldest first."""
        return self._rows(limit, "ASC", ">", after)

    def _rows(self, limit: int, order: str, sign: str, bound: LearntAt | None) -> list[LearntAt]:
        conditions, values = list(self._conditions), list(self._values)
        if bound:
            conditions.append(f"({', '.join(LearntAt._fields)}) {sign} (?, ?, ?, ?)")
            values += bound
        sort_key = ", ".join(f"{column} {order}" for column in LearntAt._fields)
        sql = (
            f"SELECT {', '.join(LearntAt._fields)} FROM moment"
            f" WHERE {' AND '.join(conditions)} ORDER BY {sort_key} LIMIT ?"
        )
        return [LearntAt(*row) for row in self._database.execute(sql, (*values, limit))]
