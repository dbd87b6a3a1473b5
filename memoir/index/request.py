"""What a question needs of the index, how much of it the question may build, and what the index still lacks."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import apsw

from memoir.embedders.embedder import Embedder
from memoir.index import state
from memoir.index.vectors import FIRST_PASS, FirstPass
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

_HASTY_BYTES = 128 << 10
"""The bytes of records that one transaction indexes if the question's time is limited."""


class Limits(NamedTuple):
    """How much of an index one question builds, and how much of it may be dropped."""

    paths: int = 500
    """The paths that one transaction indexes: a piece."""
    most_bytes: int | None = None
    """The bytes of records that one transaction indexes; None: no limit."""
    seconds: float = 1.0
    """The time of one question for indexing if much is missing; it always indexes one piece."""
    few: int = 6000
    """Up to this many missing paths are all indexed: answers of small stores do not depend on the machine's speed."""
    smallest_batch: int = 4
    """The contents embedded and stored in one batch; the size doubles while batches are quick."""
    largest_batch: int = 64
    batches: int = 2
    """The batches of a learned embedder's vectors that one question always computes."""
    embed_seconds: float = 0.1
    """The time for further batches."""
    embed_all_seconds: float = 2.0
    """If all missing vectors take no longer than this, all are computed."""
    stand_in_seconds: float = 1.0
    """The time of one question for stand-ins of missing vectors."""
    group_seconds: float = 1.0
    """The time of one question for grouping memories into threads."""
    removed_singly: int = 2000
    """The most paths removed one by one; if there are more, and more than a quarter, the index is rebuilt.
    """
    given_up: int = 2000
    """The most paths that are dropped for any snapshot; see `is_far`."""
    given_up_share: int = 8
    """More are dropped until they add up to this fraction (1/8) of the index. Dropping a quarter takes longer than a
    new index where paths have neighbours in sequences; where none has, a tenth of that."""
    first_pass: FirstPass = FIRST_PASS
    """The limits of the first pass, which compares only signs of vectors."""

    def in_haste(self, seconds: float) -> "Limits":
        """The limits for a question whose time is limited, however few paths are missing."""
        return self._replace(seconds=seconds, few=0, most_bytes=_HASTY_BYTES)


LIMITS = Limits()


class Allowance:
    """How much of one kind of work a question may do: a fixed number of steps, then more until its time is over."""

    def __init__(self, steps: int, seconds: float, *, wait: bool) -> None:
        self._steps, self._seconds, self.waits = steps, seconds, wait
        self._end: float | None = None
        self._count = 0
        self.is_over = False

    def extend(self, seconds: float) -> None:
        """Allow the work for at least `seconds` from now."""
        self._end = max(self._end or 0.0, time.monotonic() + seconds)

    def takes_more(self) -> bool:
        """Whether one more step may be done; if so, it is counted."""
        if self._end is None:
            self._end = time.monotonic() + self._seconds
        self._count += 1
        self.is_over = not self.waits and self._count > self._steps and time.monotonic() >= self._end
        return not self.is_over


class Budget:
    """The indexing that one question may do; with `wait`, everything.

    If only a few paths are missing, it indexes all; otherwise one piece, and more until its time is over. With
    `seconds`, the time is limited to that even for a few, and pieces are small; it stops at a record larger than a
    piece.
    """

    def __init__(self, limits: Limits, *, wait: bool, seconds: float | None) -> None:
        self.waits = wait
        self.limits = limits if seconds is None else limits.in_haste(seconds)
        self.restart()

    def does_all(self, count: int) -> bool:
        """Whether so many missing paths are indexed regardless of time."""
        return self.waits or count <= self.limits.few

    def end(self) -> None:
        """Build nothing more, because another process does."""
        for allowance in (self.pieces, self.batches, self.stand_ins, self.threads):
            allowance.is_over = True

    def restart(self) -> None:
        """Renew all allowances, because the work was lost."""
        self.pieces = Allowance(1, self.limits.seconds, wait=self.waits)
        self.batches = Allowance(self.limits.batches, self.limits.embed_seconds, wait=self.waits)
        self.stand_ins = Allowance(1, self.limits.stand_in_seconds, wait=self.waits)
        self.threads = Allowance(1, self.limits.group_seconds, wait=self.waits)


def count_paths(database: apsw.Connection, snapshot: Snapshot) -> tuple[int, int]:
    """The number of indexed paths, and of all paths."""
    return state.paths(database), snapshot.tree.count() - state.kept_apart(database)


def note_damaged(database: apsw.Connection, snapshot: Snapshot) -> None:
    """Note the damaged records, which the index leaves out, in the snapshot."""
    for namespace, path, reason in database.execute("SELECT namespace, path, reason FROM damaged"):
        snapshot.damage[Address(namespace, path).full_key] = reason


class Request(NamedTuple):
    """What a question needs of an index, and how much of the index it may build."""

    snapshot: Snapshot
    embedder: Embedder | None
    stand_in: Embedder | None
    """Computes quick vectors for documents that wait for one of `embedder`."""
    threads: bool
    """Whether the question needs threads."""
    budget: Budget

    @property
    def root(self) -> bytes:
        """The root of the snapshot's tree; empty without memories."""
        return self.snapshot.tree.root or b""

    def is_ready(self, database: apsw.Connection) -> bool:
        """Whether the index has all of the snapshot, or as much as the question may build."""
        if not self.is_at(database) or (self.has_more(database) and not self.budget.pieces.is_over):
            return False
        if self.lacks_threads(database) and not self.budget.threads.is_over:
            return False
        is_learned = self.embedder is not None and self.embedder.learned
        return not (is_learned and state.has_waiting(database)) or self.budget.batches.is_over

    def is_at(self, database: apsw.Connection) -> bool:
        """Whether the index is at the snapshot, and its vectors, if needed, are of this embedder."""
        is_same_embedder = self.embedder is None or state.embedder(database) == self.embedder.name
        return is_same_embedder and state.root(database) == self.root

    def has_more(self, database: apsw.Connection) -> bool:
        """Whether there are paths, or vectors of a quick embedder, to index."""
        waits = self.embedder is not None and not self.embedder.learned and state.has_waiting(database)
        return waits or state.rest(database) is not None

    def lacks_threads(self, database: apsw.Connection) -> bool:
        """Whether threads are wanted but, with all paths indexed, not all are grouped."""
        if not self.threads or state.rest(database) is not None:
            return False
        from memoir.index import sequence

        return sequence.has_more(database)

    def shortfalls(self, database: apsw.Connection) -> Iterator[str]:
        """Notes on what the index still lacks for the question."""
        if state.rest(database) is not None:
            done, total = count_paths(database, self.snapshot)
            yield f"{done:,} of {total:,} memories are indexed; 'memoir index' completes it"
        if self.embedder and (backlog := state.count_waiting(database)):
            kind, total = self.embedder.name.partition("-")[0], state.total(database)
            yield f"{backlog:,} of {total:,} memories have no {kind} vector yet; 'memoir index' completes it"
        if self.lacks_threads(database):
            from memoir.index import sequence

            if sequence.has_ungrouped(database):
                count, total = sequence.count(database), state.total(database)
                yield f"{count:,} of {total:,} memories are grouped into threads; 'memoir threads' completes them"
