"""A table of commits: which of them may have changed a key, so that a long history is searched without reading it.

It is derived and believed as far as the index is: its name, pages and schema are checked alike. Whatever goes wrong
with it, the walk reads every commit instead, so there is never another answer.
"""

from collections.abc import Collection
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING

from memoir.errors import DamagedStore, ReadOnlyStore
from memoir.store.commit import Commit, CommitId
from memoir.store.graph import LONG
from memoir.store.history import clear_changes
from memoir.store.store import Store
from memoir.store.walk import Range, everything

if TYPE_CHECKING:
    import apsw

_MOST_KEYS = 100
"""Keys that are noted of one commit; of one with more, that it is to be read."""
_TIPS = 20
"""Tips that are remembered, the last ones; from any of them a new one is not far."""
_BATCH = 1000


class CommitTable:
    """A store's table, as what walks a history takes it (`memoir.store.walk.ChangeTable`)."""

    def __init__(self, store: Store) -> None:
        """Opens nothing yet."""
        self._store = store
        self._is_lost = False

    def touching(self, tip: CommitId, keys: Range, *, walked: int) -> Collection[CommitId] | None:
        """See `ChangeTable`. A history that is not long gets no table."""
        import apsw

        from memoir.index import database as files
        from memoir.index.place import commits_file

        try:
            if self._is_lost or (walked <= LONG and not commits_file(self._store.git_dir).exists()):
                return None
            with closing(_connect(self._store)) as database:
                _bring_to(database, self._store, tip)
                with files.reading(database):
                    return _found(database, keys)
        except (apsw.Error, ReadOnlyStore, OSError, TypeError, ValueError) as error:
            self._is_lost = True
            if isinstance(error, apsw.CorruptError | apsw.NotADBError):
                self._discard()
            return None

    def _discard(self) -> None:
        from memoir.index import database as files

        try:
            files.discard_commits(self._store.git_dir)
        except (ReadOnlyStore, OSError):
            return


def _connect(store: Store) -> "apsw.Connection":
    from memoir.index import database as files
    from memoir.index.place import commits_file
    from memoir.index.schema import COMMITS

    return files.checked(store.git_dir, commits_file(store.git_dir), COMMITS, vectors=False)


def _found(database: "apsw.Connection", keys: Range) -> frozenset[CommitId]:
    sql = "SELECT id FROM changed WHERE key >= ? AND key < ? UNION SELECT id FROM unclear"
    return frozenset(commit.hex() for (commit,) in database.execute(sql, keys) if isinstance(commit, bytes))


def _bring_to(database: "apsw.Connection", store: Store, tip: CommitId) -> None:
    """Let the table know all that a tip reaches."""
    from memoir.index import database as files

    if tip in _tips(database):
        return
    with files.writing(database):
        tips = _tips(database)
        try:
            _add(database, store, tip, *(f"^{old}" for old in tips))
        except DamagedStore:  # a tip is gone for good, and so are commits that nobody should find here any more
            if not tips:
                raise
            database.execute("DELETE FROM tip; DELETE FROM changed; DELETE FROM unclear")
            _add(database, store, tip)
        number = 1 + (database.execute("SELECT max(number) FROM tip").get or 0)
        database.execute("INSERT OR REPLACE INTO tip VALUES(unhex(?), ?)", (tip, number))
        database.execute("DELETE FROM tip WHERE number <= ?", (number - _TIPS,))


def _tips(database: "apsw.Connection") -> list[CommitId]:
    return [str(tip) for (tip,) in database.execute("SELECT lower(hex(id)) FROM tip")]


def _add(database: "apsw.Connection", store: Store, *revisions: str) -> None:
    """Note what some revisions reach."""
    commits = everything(store, *revisions)
    while batch := list(islice(commits, _BATCH)):
        rows, unclear = _rows(store, batch)
        database.executemany("INSERT OR IGNORE INTO changed VALUES(?, unhex(?))", rows)
        database.executemany("INSERT OR IGNORE INTO unclear VALUES(unhex(?))", unclear)


def _rows(store: Store, batch: list[Commit]) -> tuple[list[tuple[bytes, CommitId]], list[tuple[CommitId]]]:
    rows: list[tuple[bytes, CommitId]] = []
    unclear: list[tuple[CommitId]] = []
    for commit, keys in zip(batch, clear_changes(store, batch), strict=True):
        if keys is None or len(keys) > _MOST_KEYS or len(commit.parents) > 1:
            unclear.append((commit.id,))
        else:
            rows += ((key, commit.id) for key in keys)
    return rows, unclear
