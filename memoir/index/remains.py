"""Cleans the index of remains of removed memories.

SQLite overwrites deleted rows (`secure_delete`), but the write-ahead log keeps what was written before, FTS5 keeps a
removed document's words until it merges them away, and kept answers may quote memories. All three are cleaned after a
memory is removed or its text edited. A superseded memory needs no cleaning, because it is still in its record. A large
index's words are cleaned only when the index is completed, because cleaning reads all of it.
"""

from collections.abc import Sequence

import apsw

from memoir.errors import DamagedStore
from memoir.git.objects import Oid
from memoir.index import state
from memoir.index.database import empty_log, writing
from memoir.records.metadata import persons
from memoir.records.record import DamagedRecord, decode
from memoir.store.snapshot import Snapshot
from memoir.tree.tree import Delta

_LARGE = 20_000
"""The number of documents from which merging all words takes longer than a question should wait."""


def clean(database: apsw.Connection, *, thoroughly: bool) -> None:
    """Clean the index, unless a reader needs the log; the words of a large index only if `thoroughly`."""
    words = thoroughly or state.total(database) < _LARGE
    with writing(database):
        database.execute("DELETE FROM answer")
        if words:
            database.execute("INSERT INTO words(words) VALUES('optimize')")
    if empty_log(database) and words:
        with writing(database):
            state.remains.put(database, 0)


def lose_words(snapshot: Snapshot, stale: Sequence[Delta]) -> bool:
    """Whether changed paths lost words: a record was removed, or the new one lacks words of the old.

    True if a record cannot be read.
    """
    if any(delta.new is None for delta in stale):
        return True
    try:
        values = snapshot.blobs(oid for delta in stale for oid in (delta.old, delta.new))
        return any(_words(values, delta.old) - _words(values, delta.new) for delta in stale)
    except (DamagedStore, DamagedRecord):  # a record was deleted or cannot be read
        return True


def _words(values: dict[Oid, bytes], oid: Oid | None) -> set[str]:
    """Every string of a record that the index may hold."""
    record = decode(values[oid]) if oid else ()
    return {text for memory in record for text in (memory.content, *persons(memory.metadata))}
