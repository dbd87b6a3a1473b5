"""The table `threaded`: memories in the order of time, each with its thread.

`threaded` holds a beginning of all documents in the order of time, learnt and address and content, never one without
all that come before it. A document that is newer than all others is added at the end. Where one among them is gone or
has come, the beginning ends before it and is built up again; so the threads never depend on the order of writing.
Nothing is grouped until somebody asks for threads.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import apsw

from memoir.index import state
from memoir.store.digest import blake2b
from memoir.taxonomy.paths import Address

_ID_BYTES = 6
_KEY = "learnt, namespace, path, content_id"
_HOLDS = "SELECT 1 FROM threaded WHERE namespace = ? LIMIT 1"


class Key(NamedTuple):
    """The place of a memory in the order of time; `learnt` is in seconds since 1970."""

    learnt: float
    namespace: str
    path: str
    content_id: bytes

    @property
    def id(self) -> str:
        """The id of the memory, which moving it within its namespace does not change."""
        return blake2b(f"{self.namespace}\n{self.learnt!r}\n".encode() + self.content_id, size=_ID_BYTES).hex()


def forget_from(database: apsw.Connection, changed: Iterable[Address]) -> None:
    """Drop what was decided about memories at or after the first one that is gone from, or new at, some paths.

    Memories newer than all that are grouped change nothing. Call it in a write transaction, when the documents of the
    paths are up to date.
    """
    last = last_key(database)
    if last is None:
        return
    differing = [key for address in changed for key in _grouped(database, address) ^ _present(database, address, last)]
    if differing:
        _truncate(database, min(differing))


def keep_apart(database: apsw.Connection, layers: Collection[str]) -> None:
    """Forget all threads if the namespaces that are layers, whose memories are in none, are no longer the same.

    A new layer that had no memories changes nothing. Call it before the index is told of the new layers.
    """
    old, new = set(state.layers(database)), set(layers)
    if old - new or any(database.execute(_HOLDS, (name,)).get for name in new - old):
        clear(database)


def has_more(database: apsw.Connection) -> bool:
    """Whether any document is not grouped yet."""
    return bool(following(database, 1))


def clear(database: apsw.Connection) -> None:
    """Forget all threads."""
    database.execute("DELETE FROM threaded; DELETE FROM topic; DELETE FROM joined")


def count(database: apsw.Connection) -> int:
    """How many memories are grouped."""
    return 1 + int(database.execute("SELECT ifnull(max(number), -1) FROM threaded").get)


def joined(database: apsw.Connection) -> dict[int, int]:
    """The threads that became part of another, with that other; which may be part of a third."""
    return dict(iter(database.execute("SELECT thread, into_thread FROM joined")))


def root(joins: Mapping[int, int], thread: int) -> int:
    """The thread that a thread is a part of now."""
    while thread in joins:
        thread = joins[thread]
    return thread


def words_of(topics: str) -> list[tuple[str, str]]:
    """The topics of a memory from its row: stems, each with its word."""
    return [(stem, word) for line in topics.splitlines() for stem, _, word in [line.partition("\t")]]


def last_key(database: apsw.Connection) -> Key | None:
    """The newest memory that is grouped."""
    row = database.execute(f"SELECT {_KEY} FROM threaded ORDER BY number DESC LIMIT 1").fetchone()
    return Key(*row) if row else None


def following(database: apsw.Connection, limit: int) -> list[tuple[Key, str, str]]:
    """The next documents in the order of time that are not grouped, with their contents and people; equal ones once."""
    after = last_key(database) or Key(float("-inf"), "", "", b"")
    layers = state.layers(database)
    rows = database.execute(
        "SELECT d.learnt, d.namespace, d.path, d.content_id, d.content, d.person"
        " FROM moment m JOIN document d USING (namespace, path, ordinal)"
        " WHERE m.active AND (m.learnt, m.namespace, m.path) >= (?, ?, ?)"
        " AND (d.learnt, d.namespace, d.path, d.content_id) > (?, ?, ?, ?)"
        f" AND m.namespace NOT IN ({','.join('?' * len(layers))})"
        " ORDER BY m.learnt, m.namespace, m.path, d.content_id LIMIT ?",
        (*after[:3], *after, *layers, limit),
    )
    return list({Key(*row[:4]): (Key(*row[:4]), row[4], row[5]) for row in rows}.values())


def _grouped(database: apsw.Connection, address: Address) -> set[Key]:
    rows = database.execute(f"SELECT {_KEY} FROM threaded WHERE namespace = ? AND path = ?", address)
    return {Key(*row) for row in rows}


def _present(database: apsw.Connection, address: Address, last: Key) -> set[Key]:
    """The documents of a path that are not newer than the last one that is grouped."""
    if address.namespace in state.layers(database):
        return set()
    rows = database.execute(f"SELECT {_KEY} FROM document WHERE namespace = ? AND path = ?", address)
    return {key for row in rows if (key := Key(*row)) <= last}


def _truncate(database: apsw.Connection, first: Key) -> None:
    first_number = f"(SELECT number FROM threaded WHERE ({_KEY}) >= (?, ?, ?, ?) ORDER BY {_KEY} LIMIT 1)"
    rows: list[Any] = database.execute(
        f"SELECT number, namespace, topics FROM threaded WHERE number >= {first_number}", first
    ).fetchall()
    if not rows:
        return
    held = [(namespace, topic, number) for number, namespace, its in rows for topic, _ in words_of(its)]
    database.executemany("DELETE FROM topic WHERE namespace = ? AND topic = ? AND number = ?", held)
    number = rows[0][0]
    database.execute("DELETE FROM joined WHERE since >= ?", (number,))
    database.execute("DELETE FROM threaded WHERE number >= ?", (number,))
