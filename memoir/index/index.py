"""`Index`: the index of a store, brought to a snapshot and read there."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, TypeVar

import apsw

from memoir.errors import DamagedStore, EmbedderUnavailable, ReadOnlyStore, StoreBusy
from memoir.index import database as files
from memoir.index import state, update, vectors
from memoir.index.embedders.embedder import Embedder
from memoir.store.diff import diff
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store

T = TypeVar("T")


class IndexLiesError(Exception):
    """The index names memories that the store does not have; somebody else has made it."""


FAR = 2000
"""Paths in which two snapshots may differ and yet share an index."""
_TRIES = 3
_REPAIRS = 3
"""Things that may go wrong one after another: the file is damaged, cannot be written, the embedder fails."""
_UNUSABLE = (apsw.ReadOnlyError, apsw.CantOpenError, apsw.FullError, apsw.IOError, apsw.PermissionsError, ReadOnlyStore)


class Index:
    """One process's hold on a store's index. Close it, or let the process end."""

    def __init__(
        self, store: Store, embedder: Embedder | None = None, progress: vectors.Progress = lambda done, total: None
    ):
        """Opens nothing yet. Without an embedder there are no vectors."""
        self._store = store
        self._progress = progress
        self._files: dict[bool, apsw.Connection] = {}
        self._database: apsw.Connection | None = None
        self.embedder = embedder
        self._lost: str | None = None
        self._unwritable: str | None = None

    @property
    def degraded(self) -> list[str]:
        """What cannot be done as it should, and why; it lasts as long as this object."""
        return [note for note in (self._lost, self._unwritable) if note]

    def close(self) -> None:
        """Close the files."""
        for database in self._files.values():
            database.close()
        self._files.clear()
        self._database = None

    def read(self, snapshot: Snapshot, work: Callable[[apsw.Connection], T]) -> T:
        """Call `work` with the database, which holds exactly a snapshot's memories while it runs.

        An index that turns out to be damaged is thrown away and built again, once; one that cannot be
        written is built in memory. An embedder that fails is given up, and `work` is called again without it.

        Raises:
            StoreBusy: another process kept it for too long.
        """
        for _ in range(_REPAIRS):
            try:
                return self._read(snapshot, work)
            except (EmbedderUnavailable, vectors.OtherSizeError, ReadOnlyStore, apsw.Error) as error:
                self._repair(error)
        return self._read(snapshot, work)

    def _repair(self, error: Exception) -> None:
        """Do what lets a read be tried again after an error; raise the error if there is nothing."""
        if isinstance(error, apsw.BusyError):
            raise StoreBusy("the index is busy: another process is changing it", "try again") from None
        if isinstance(error, EmbedderUnavailable):
            self._lost = f"{error.message}; ranked by words alone"
            self.embedder = None
        elif isinstance(error, vectors.OtherSizeError) and self._database and self.embedder:
            vectors.forget(self._database, self.embedder)
        elif isinstance(error, _UNUSABLE) and not self._unwritable:
            self._unwritable = f"the index cannot be written ({error}); it was built in memory for this answer"
            self.close()
            self._files[False] = files.in_memory()
        elif isinstance(error, (apsw.InterruptError, *_UNUSABLE)):
            raise error
        elif isinstance(error, apsw.SQLError) and self._database and files.is_whole(self._database):
            raise error  # a bug of memoir's own, which a new index would not cure
        else:
            self.discard()

    def discard(self) -> None:
        """Throw the index away; the next read builds it again."""
        self.close()
        files.discard(self._store.git_dir)

    def answer(self, identity: bytes) -> Any:
        """The answer kept under an identity, or None. The cache is a convenience: where it fails there is none."""
        from memoir.index import answers

        with suppress(apsw.Error, ReadOnlyStore):
            database = self._open()
            with files.writing(database):
                return answers.find(database, identity)
        return None

    def keep_answer(self, identity: bytes, value: Any) -> None:
        """Keep an answer, as JSON."""
        from memoir.index import answers

        with suppress(apsw.Error, ReadOnlyStore):
            database = self._open()
            with files.writing(database):
                answers.keep(database, identity, value)

    def _open(self, *, second: bool = False) -> apsw.Connection:
        if second not in self._files:
            self._files[second] = files.connect(self._store.git_dir, second=second)
        return self._files[second]

    def _chosen(self, snapshot: Snapshot, wanted: bytes) -> apsw.Connection:
        """The index to use for a snapshot: the one that holds it, else the first, unless it is far from there.

        So looking at a distant past, or working on two branches that have little in common, does not move one index
        to and fro.
        """
        first = self._open()
        root = state.root(first)
        if self._unwritable or root in (wanted, b""):
            return first
        if files.has_second(self._store.git_dir) and state.root(self._open(second=True)) == wanted:
            return self._open(second=True)
        return self._open(second=True) if self._is_far(first, root, snapshot) else first

    def _is_far(self, first: apsw.Connection, root: bytes, snapshot: Snapshot) -> bool:
        if state.total(first) + snapshot.tree.count() <= FAR:
            return False
        try:
            return len(list(islice(diff(self._store.tree(root), snapshot.tree), FAR + 1))) > FAR
        except DamagedStore:  # the first one's snapshot is gone for good
            return False

    def _read(self, snapshot: Snapshot, work: Callable[[apsw.Connection], T]) -> T:
        wanted = snapshot.tree.root or b""
        database = self._database = self._chosen(snapshot, wanted)
        for _ in range(_TRIES):
            self._prepare(database, snapshot, wanted)
            with _reading(database):
                if state.root(database) == wanted and self._is_embedded(database):
                    return work(database)
        with files.writing(database):  # others keep moving it: hold them off
            self._move(database, snapshot, wanted)
            if self.embedder and not self._is_embedded(database):
                vectors.fill(database, self.embedder, self._progress, inside=True)
            return work(database)

    def _prepare(self, database: apsw.Connection, snapshot: Snapshot, wanted: bytes) -> None:
        if state.root(database) != wanted:
            with files.writing(database):
                self._move(database, snapshot, wanted)
                if self.embedder and not self.embedder.learned:  # quick enough for the same transaction
                    vectors.fill(database, self.embedder, self._progress, inside=True)
        if self.embedder and not self._is_embedded(database):
            vectors.fill(database, self.embedder, self._progress)

    def _is_embedded(self, database: apsw.Connection) -> bool:
        return self.embedder is None or state.is_embedded(database, self.embedder.name)

    def _move(self, database: apsw.Connection, snapshot: Snapshot, wanted: bytes) -> None:
        if state.root(database) != wanted:
            update.bring_to(database, self._store, snapshot)


@contextmanager
def _reading(database: apsw.Connection) -> Iterator[None]:
    """A transaction that sees one state of the index throughout."""
    database.execute("BEGIN")
    try:
        yield
    finally:
        database.execute("ROLLBACK")
