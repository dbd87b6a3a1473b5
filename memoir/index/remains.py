"""What is left in the index of memories that have been removed, and how it goes.

SQLite overwrites deleted rows (`secure_delete`), but the write-ahead log keeps what was written before, FTS5 keeps a
removed document's words until it merges them away, and the prompts of kept answers quote memories. All three are
cleaned after a memory was removed; the words of a large index when it is completed, because that reads all of it.
"""

import apsw

from memoir.index import state
from memoir.index.database import empty_log, writing

_LARGE = 20_000
"""Documents from which merging all words takes longer than a question should wait."""


def clean(database: apsw.Connection, *, thoroughly: bool) -> None:
    """Remove what is left of removed memories, as far as nobody is reading it and, if it costs much, `thoroughly`."""
    if not state.has_remains(database):
        return
    words = thoroughly or state.total(database) < _LARGE
    with writing(database):
        database.execute("DELETE FROM answer")
        if words:
            database.execute("INSERT INTO words(words) VALUES('optimize')")
    if empty_log(database) and words:
        with writing(database):
            state.mark_remains(database, False)
