"""`Index`: the index of a store, brought to a snapshot and read there."""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any, TypeVar

import apsw

from memoir.errors import DamagedStore, EmbedderUnavailable, MemoirError, ReadOnlyStore, StoreBusy
from memoir.index import database as files
from memoir.index import notes, records, remains, stand_ins, state, threaded, update, vectors
from memoir.index.embedders.choose import stand_in_of
from memoir.index.embedders.embedder import Embedder
from memoir.index.turn import Turn
from memoir.index.view import View
from memoir.store.diff import diff
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store

T = TypeVar("T")


class IndexMismatch(Exception):
    """The index names memories that the store does not have, so memoir has not written it."""


FAR = 2000
"""The most paths in which two snapshots may differ and still share an index."""
_TRIES = 3
_REPAIRS = 4
"""Failures of one read that are repaired, one after another: damage, a read-only file, an embedder that fails."""
_UNUSABLE = (apsw.ReadOnlyError, apsw.CantOpenError, apsw.FullError, apsw.IOError, apsw.PermissionsError, ReadOnlyStore)
_DAMAGE = (apsw.Error, ValueError, LookupError, TypeError, AttributeError)
"""Exceptions that a damaged index causes if its checksums do not detect the damage first."""


class Index:
    """A store's index as one process uses it. Close it, or let the process end."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None = None,
        progress: vectors.Progress = lambda done, total: None,
        *,
        wait: bool = False,
        threads: bool = False,
    ):
        """Take a store; its index is opened by the first read. Without an embedder there are no vectors.

        `wait` and `threads` are as for `begin`.
        """
        self._store = store
        self._progress = progress
        self._files: dict[bool, apsw.Connection] = {}
        self._database: apsw.Connection | None = None
        self._turn = Turn(wait=wait)
        self._threads = threads
        self.embedder = embedder
        self._stand_in = stand_in_of(embedder)
        self._lost: str | None = None
        self._unwritable: str | None = None
        self._partial: str | None = None
        self._waiting: str | None = None
        self._ungrouped: str | None = None

    @property
    def degraded(self) -> list[str]:
        """What does not work as it should, and why; what is not indexed yet is as the last read found it."""
        notes_ = (self._lost, self._unwritable, self._partial, self._waiting, self._ungrouped)
        return [note for note in notes_ if note]

    @property
    def is_complete(self) -> bool:
        """Whether the last read saw every memory of its snapshot, though perhaps not its vector."""
        return self._partial is None

    @property
    def is_embedded(self) -> bool:
        """Whether the last read saw the vector of every memory that it saw, or no vectors are wanted."""
        return self._waiting is None

    def begin(self, *, wait: bool = False, seconds: float | None = None, threads: bool = False) -> None:
        """Begin a question: its reads may build more of the index for about a second, or with `wait` all of it.

        With `seconds` they do so for that long, however few memories that are. With `threads` the reads see threads.
        """
        self._turn = Turn(wait=wait, seconds=seconds)
        self._threads = threads

    def for_another_thread(self) -> "Index":
        """The same index with files of its own, so that another thread can read it at the same time; close it."""
        return Index(self._store, self.embedder)

    def close(self) -> None:
        """Close the files."""
        for database in self._files.values():
            database.close()
        self._files.clear()
        self._database = None

    def read(self, snapshot: Snapshot, work: Callable[[View], T]) -> T:
        """Call `work` with a view of the index, which holds only memories of a snapshot.

        The view has all memories of the snapshot, unless indexing the new ones takes longer than the question may wait
        (`begin`); then `degraded` says how many it has.

        A damaged index is deleted and built again, once; one that cannot be written is built in memory. If the
        embedder fails, `work` is called again without it.

        Raises:
            StoreBusy: another process locked the index for too long.
            MemoirError: the index cannot be read, although it was built again.
        """
        discarded = False
        for _ in range(_REPAIRS):
            try:
                return self._read(snapshot, work)
            except (EmbedderUnavailable, ReadOnlyStore, vectors.DimensionMismatch) as error:
                self._do_without(error)
            except MemoirError:
                raise
            except _UNUSABLE as error:
                self._do_without(error)
            except _DAMAGE as error:
                if isinstance(error, apsw.BusyError):
                    raise _busy() from error
                if discarded:
                    raise _unreadable(error) from error
                discarded = True
                self._discard_or_do_without()
        return self._read(snapshot, work)

    def _do_without(self, error: Exception) -> None:
        """Stop using what has failed, so that the read can be tried again; raise the error if that was done before."""
        if isinstance(error, EmbedderUnavailable):
            self._lost = f"{error.message}; ranked by words alone"
            self.embedder = None
        elif isinstance(error, vectors.DimensionMismatch) and self._database and self.embedder:
            vectors.forget(self._database, self.embedder)
        elif not self._unwritable:
            self._unwritable = f"the index cannot be written ({error}); it was built in memory for this answer"
            self.close()
            self._turn.restart()
            self._files[False] = files.in_memory()
        else:
            raise error

    def _discard_or_do_without(self) -> None:
        try:
            self.discard()
        except (ReadOnlyStore, OSError) as error:
            self._do_without(error)

    def discard(self) -> None:
        """Delete the index; the next read builds it again.

        Raises:
            ReadOnlyStore: the store's folder cannot be written to.
        """
        self.close()
        self._turn.restart()
        files.discard(self._store.git_dir)

    def answer(self, identity: bytes) -> Any:
        """The answer kept under an identity; None if there is none or the cache cannot be read."""
        from memoir.index import answers

        with suppress(*_DAMAGE, ReadOnlyStore):
            database = self._open()
            with files.writing(database):
                return answers.find(database, identity)
        return None

    def keep_answer(self, identity: bytes, value: Any) -> None:
        """Keep an answer, as JSON."""
        from memoir.index import answers

        with suppress(*_DAMAGE, ReadOnlyStore):
            database = self._open()
            with files.writing(database):
                answers.keep(database, identity, value)

    def _open(self, *, second: bool = False) -> apsw.Connection:
        if second not in self._files:
            self._files[second] = files.connect(self._store.git_dir, second=second)
        return self._files[second]

    def _choose(self, snapshot: Snapshot, wanted: bytes) -> apsw.Connection:
        """Choose the index for a snapshot: the one that holds it, else the first, unless it differs too much.

        So one index is not rebuilt again and again for a distant past, or for two branches with little in common.
        """
        first = self._open()
        root = state.root(first)
        if self._unwritable or root in (wanted, b""):
            return first
        if files.exists(self._store.git_dir, second=True) and state.root(self._open(second=True)) == wanted:
            return self._open(second=True)
        return self._open(second=True) if self._is_far(first, root, snapshot) else first

    def _is_far(self, first: apsw.Connection, root: bytes, snapshot: Snapshot) -> bool:
        if state.total(first) + snapshot.tree.count() <= FAR:
            return False
        try:
            return len(list(islice(diff(self._store.tree(root), snapshot.tree), FAR + 1))) > FAR
        except DamagedStore:  # the objects of that snapshot have been deleted
            return False

    def _read(self, snapshot: Snapshot, work: Callable[[View], T]) -> T:
        wanted = snapshot.tree.root or b""
        database = self._database = self._choose(snapshot, wanted)
        for _ in range(_TRIES):
            self._prepare(database, snapshot, wanted)
            with files.reading(database):
                if self._is_ready(database, wanted):
                    return self._work(database, snapshot, work)
        with files.writing(database):  # other processes keep changing it: lock them out
            self._prepare(database, snapshot, wanted)
            return self._work(database, snapshot, work)

    def _work(self, database: apsw.Connection, snapshot: Snapshot, work: Callable[[View], T]) -> T:
        self._partial = notes.missing_memories(database, snapshot)
        self._waiting = notes.missing_vectors(database, self.embedder)
        self._ungrouped = notes.missing_threads(database) if self._lacks_threads(database) else None
        records.name_damaged(database, snapshot)
        return work(View(database, self.embedder, self._stand_in))

    def _prepare(self, database: apsw.Connection, snapshot: Snapshot, wanted: bytes) -> None:
        if not self._is_there(database, wanted):
            with files.writing(database):
                self._move(database, snapshot, wanted)
        while self._has_more(database) and self._turn.pieces.takes_more():
            with files.writing(database):
                if not self._is_there(database, wanted):
                    return
                update.add_piece(database, snapshot)
                self._compose(database)
            if state.paths(database) > update.PIECE:
                self._progress(*notes.progress(database, snapshot))
        if database.get_autocommit():
            remains.clean(database, thoroughly=self._turn.waits)
        self._embed(database)
        if self._threads:
            self._build_threads(database, wanted)

    def _embed(self, database: apsw.Connection) -> None:
        """Compute a learned embedder's vectors as long as the question may, and stand-ins for missing ones."""
        if self.embedder and self.embedder.learned and not state.is_embedded(database, self.embedder.name):
            from memoir.index.fill import fill

            if not self._turn.batches.is_over:
                fill(database, self.embedder, self._turn.batches, self._progress)
            if self._stand_in and state.has_waiting(database) and not self._turn.stand_ins.is_over:
                stand_ins.add(database, self._stand_in, self._turn.stand_ins)

    def _build_threads(self, database: apsw.Connection, wanted: bytes) -> None:
        from memoir.index import thread_building

        while self._lacks_threads(database) and self._turn.threads.takes_more():
            with files.writing(database):
                if not self._is_there(database, wanted):
                    return
                done = thread_building.add_batch(database)
            self._progress(done, state.total(database))

    def _lacks_threads(self, database: apsw.Connection) -> bool:
        return self._threads and state.rest(database) is None and threaded.has_more(database)

    def _is_there(self, database: apsw.Connection, wanted: bytes) -> bool:
        """Whether the index is at a snapshot, with vectors of this embedder or none."""
        own = self.embedder is None or state.embedder(database) == self.embedder.name
        return own and state.root(database) == wanted

    def _is_ready(self, database: apsw.Connection, wanted: bytes) -> bool:
        """Whether the index has all of the snapshot, or as much as this question may index."""
        if not self._is_there(database, wanted) or (self._has_more(database) and not self._turn.pieces.is_over):
            return False
        if self._lacks_threads(database) and not self._turn.threads.is_over:
            return False
        learned = self.embedder is not None and self.embedder.learned
        return not (learned and state.has_waiting(database)) or self._turn.batches.is_over

    def _has_more(self, database: apsw.Connection) -> bool:
        waits = self.embedder is not None and not self.embedder.learned and state.has_waiting(database)
        return waits or state.rest(database) is not None

    def _move(self, database: apsw.Connection, snapshot: Snapshot, wanted: bytes) -> None:
        """Bring the index to a snapshot and an embedder, the newest paths first. Call it in a write transaction."""
        if state.root(database) != wanted:
            update.bring_to(database, self._store, snapshot)
        if self.embedder:
            if self._stand_in:
                stand_ins.keep(database, self._stand_in)
            state.set_embedder(database, self.embedder.name)
        self._compose(database)

    def _compose(self, database: apsw.Connection) -> None:
        if self.embedder and not self.embedder.learned:
            vectors.compose_some(database, self.embedder, 2 * update.PIECE)


def _busy() -> StoreBusy:
    return StoreBusy("the index is busy: another process is changing it", "try again")


def _unreadable(error: Exception) -> MemoirError:
    return MemoirError(
        f"the index cannot be read, although it was built again: {type(error).__name__}: {error}",
        "this is a bug in memoir; 'memoir get', 'ls' and 'grep' do without the index",
    )
