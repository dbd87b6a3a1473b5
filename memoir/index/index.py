"""`Index`: brings the index of a store to a snapshot and reads it there."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import apsw

from memoir.embedders.choose_embedder import stand_in_of
from memoir.embedders.embedder import Embedder, Vector
from memoir.errors import EmbedderUnavailable, MemoirError, ReadOnlyStore, StoreBusy
from memoir.git.objects import sha1
from memoir.index import database as files
from memoir.index import state, vectors
from memoir.index.location import remove_others
from memoir.index.request import LIMITS, Budget, Limits, Request, note_damaged
from memoir.index.signatures import DimensionMismatch
from memoir.index.vectors import keep
from memoir.index.view import View
from memoir.progress import Progress, tell_nobody
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store

if TYPE_CHECKING:
    from memoir.index.building import Builder
    from memoir.llm.model import Prompt

T = TypeVar("T")


class IndexMismatch(Exception):
    """The index names memories that the store does not have: something other than memoir has written it."""


MOST_ANSWERS = 1000
"""The most answers of models that are kept."""
_TRIES = 3
_BRIEFLY = 0.2
"""Seconds that a question waits for another process that builds the index, before it checks its progress."""
_REPAIRS = 4
"""The most failures repaired during one read: damage, a read-only file, a failing embedder."""
_UNUSABLE = (apsw.ReadOnlyError, apsw.CantOpenError, apsw.FullError, apsw.IOError, apsw.PermissionsError, ReadOnlyStore)
_DAMAGE = (apsw.Error, ValueError, LookupError, TypeError, AttributeError)
"""Exceptions of a damaged index, if its checksums do not detect the damage first."""


class Index:
    """The index of a store, as one process uses it. Close it after use."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None = None,
        progress: Progress = tell_nobody,
        *,
        wait: bool = False,
        threads: bool = False,
        limits: Limits = LIMITS,
    ):
        """Take a store; the first read opens the index. Without an embedder there are no vectors.

        `wait` and `threads` are as for `begin`.
        """
        self._store = store
        self._progress = progress
        self._files: dict[bool, apsw.Connection] = {}
        self._database: apsw.Connection | None = None
        self._limits = limits
        self.begin(wait=wait, threads=threads)
        self.embedder = embedder
        self._stand_in = stand_in_of(embedder)
        self._loss: str | None = None
        self.unwritable: str | None = None
        """The reason for an index only in memory; None if it is in a file."""
        self.is_complete = True
        """Whether the last read saw every memory of its snapshot; some may lack a vector."""
        self._shortfalls: list[str] = []

    @property
    def degraded(self) -> list[str]:
        """Notes on what failed or is not indexed yet, as of the last read."""
        choice = self.embedder.degraded if self.embedder else None
        return [*filter(None, (choice, self._loss, self.unwritable)), *self._shortfalls]

    def begin(self, *, wait: bool = False, seconds: float | None = None, threads: bool = False) -> None:
        """Begin a question: its reads may build the index for about a second, or with `wait` until it is complete.

        `seconds` limits the time exactly, however few memories are missing. With `threads` the reads see threads.
        """
        self._budget = Budget(self._limits, wait=wait, seconds=seconds)
        self._threads = threads

    def for_another_thread(self) -> "Index":
        """The same index with its own connections, for use in another thread; close it."""
        return Index(self._store, self.embedder, limits=self._limits)

    def close(self) -> None:
        """Close the files."""
        for database in self._files.values():
            database.close()
        self._files.clear()
        self._database = None

    def read(self, snapshot: Snapshot, work: Callable[[View], T]) -> T:
        """Call `work` with a view of the index, which has only memories of the snapshot.

        The view has all memories of the snapshot, unless indexing them takes longer than the question may wait
        (`begin`); then `degraded` says how many it has.

        A damaged index is rebuilt once; an index that cannot be written is built in memory. If the embedder fails,
        `work` is called again without it.

        Raises:
            StoreBusy: another process has locked the index for too long.
            MemoirError: the index cannot be read even after a rebuild.
        """
        was_discarded = False
        for _ in range(_REPAIRS):
            try:
                return self._read(snapshot, work)
            except (EmbedderUnavailable, ReadOnlyStore, DimensionMismatch) as error:
                self._do_without(error)
            except MemoirError:
                raise
            except _UNUSABLE as error:
                self._do_without(error)
            except _DAMAGE as error:
                if isinstance(error, apsw.BusyError):
                    raise StoreBusy("the index is busy: another process is changing it", "try again") from error
                if was_discarded:
                    raise _unreadable(error) from error
                was_discarded = True
                self._discard_or_do_without()
        return self._read(snapshot, work)

    def _do_without(self, error: Exception) -> None:
        """Stop using whatever failed, so that the read can be repeated; raise the error if that did not help."""
        if isinstance(error, EmbedderUnavailable):
            self._loss = f"{error.message}; ranked by words alone"
            self.embedder = None
        elif isinstance(error, DimensionMismatch) and self._database and self.embedder:
            vectors.forget(self._database, self.embedder)
        elif not self.unwritable:
            self.unwritable = f"the index cannot be written ({error}); it was built in memory for this answer"
            self.close()
            self._budget.restart()
            self._files[False] = files.in_memory()
        else:
            raise error

    def _discard_or_do_without(self) -> None:
        try:
            self.discard()
        except (ReadOnlyStore, OSError) as error:
            self._do_without(error)

    def discard(self) -> None:
        """Delete the index; the next read builds it again."""
        self.close()
        self._budget.restart()
        files.discard(self._store.git_dir)

    def find_answer(self, model: str, prompt: "Prompt") -> str | None:
        """The kept answer of a model to a prompt; None if there is none or it cannot be read."""
        with suppress(*_DAMAGE, ReadOnlyStore):
            database = self._open()
            with files.writing(database):
                sql = "UPDATE answer SET used = ? WHERE id = ? RETURNING value"
                value: str | None = database.execute(sql, (time.time(), _answer_id(model, prompt))).get
            return value
        return None

    def keep_answer(self, model: str, prompt: "Prompt", answer: str) -> None:
        """Keep an answer to a prompt; beyond `MOST_ANSWERS`, the least recently used are deleted."""
        with suppress(*_DAMAGE, ReadOnlyStore):
            database = self._open()
            with files.writing(database):
                row = (_answer_id(model, prompt), time.time(), answer)
                database.execute("INSERT OR REPLACE INTO answer VALUES(?, ?, ?)", row)
                rest = "SELECT id FROM answer ORDER BY used DESC LIMIT -1 OFFSET ?"
                database.execute(f"DELETE FROM answer WHERE id IN ({rest})", (MOST_ANSWERS,))

    def keep_vectors(self, plain: Mapping[str, Vector], told: Mapping[str, Vector] | None = None) -> None:
        """Keep the embedder's vectors of texts that will be indexed, so that they are not computed again.

        `told` are the vectors of the texts with the classes of their names added.
        """
        if self.embedder is None or not plain:
            return
        with suppress(*_DAMAGE, ReadOnlyStore):
            database = self._open()
            with files.patient(database, _BRIEFLY), files.writing(database):
                keep(database, self.embedder, plain, told or {})

    def _open(self, *, second: bool = False) -> apsw.Connection:
        if second not in self._files:
            self._files[second] = files.connect(self._store.git_dir, second=second)
        return self._files[second]

    def _choose(self, request: Request) -> apsw.Connection:
        """Choose the index for a snapshot: the one that has it, else the first, unless that drops too many paths."""
        first = self._open()
        if self.unwritable or state.root(first) in (request.root, b""):
            return first
        if files.exists(self._store.git_dir, second=True) and state.root(self._open(second=True)) == request.root:
            return self._open(second=True)
        from memoir.index.building import is_far  # not needed if the index is complete

        return self._open(second=is_far(first, self._store, request.snapshot, self._limits))

    def _read(self, snapshot: Snapshot, work: Callable[[View], T]) -> T:
        request = Request(snapshot, self.embedder, self._stand_in, self._threads, self._budget)
        database = self._database = self._choose(request)
        for _ in range(_TRIES):
            self._prepare(database, request)
            with files.reading(database):
                if request.is_ready(database):
                    return self._work(database, request, work)
        with files.writing(database):  # other processes keep changing the index: lock them out
            self._prepare(database, request)
            return self._work(database, request, work)

    def _prepare(self, database: apsw.Connection, request: Request) -> None:
        if not request.is_ready(database):
            from memoir.index.building import Builder  # not needed if the index is complete

            builder = Builder(request, self._store, self._progress)
            if self._budget.waits:
                builder.build(database)
            else:
                self._build_unless_busy(database, request, builder)
            if not self.unwritable:
                remove_others(self._store.git_dir)
        if database.get_autocommit() and state.remains(database):
            from memoir.index import remains  # needed only after a removal

            remains.clean(database, thoroughly=self._budget.waits)

    def _build_unless_busy(self, database: apsw.Connection, request: Request, builder: "Builder") -> None:
        """Build; if another process is building a large index of this snapshot, use what is there."""
        end = time.monotonic() + files.PATIENCE
        while True:
            try:
                with files.patient(database, _BRIEFLY):
                    return builder.build(database)
            except apsw.BusyError:
                if request.is_at(database) and not builder.does_all(database):
                    return self._budget.end()
                if time.monotonic() > end:
                    raise

    def _work(self, database: apsw.Connection, request: Request, work: Callable[[View], T]) -> T:
        self.is_complete = state.rest(database) is None
        self._shortfalls = list(request.shortfalls(database))
        note_damaged(database, request.snapshot)
        return work(View(database, self.embedder, self._stand_in, self._limits.first_pass))


def _answer_id(model: str, prompt: "Prompt") -> bytes:
    """The key of a kept answer: a digest of the model and the prompt."""
    return sha1("\0".join((model, *prompt)).encode(errors="surrogatepass"))


def _unreadable(error: Exception) -> MemoirError:
    return MemoirError(
        f"the index cannot be read, although it was built again: {type(error).__name__}: {error}",
        "this is a bug in memoir; 'memoir get', 'ls' and 'grep' do without the index",
    )
