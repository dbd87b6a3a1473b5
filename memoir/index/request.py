"""The request of a question to the index: its needs, what it may build, and the notes in its answer."""

import time
from typing import NamedTuple

import apsw

from memoir.embedders.embedder import Embedder
from memoir.errors import DamagedStore
from memoir.index import state
from memoir.index.vectors import FIRST_PASS, FirstPass
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address

_HASTY_BYTES = 128 << 10
"""The bytes of records that one transaction indexes if the time of its question is limited."""


class Limits(NamedTuple):
    """How much of an index one question builds, and how much of it may be given up."""

    paths: int = 500
    """How many paths one transaction indexes: a piece."""
    most_bytes: int | None = None
    """The bytes of records that one transaction indexes; None: as many as there are."""
    seconds: float = 1.0
    """What one question spends on indexing, if much is missing; it indexes one piece in any case."""
    few: int = 6000
    """Paths that one question indexes all, so that answers from a small store do not depend on the machine's speed."""
    smallest_batch: int = 4
    """How many contents are embedded at once, and then kept: twice as many as before while that takes little time."""
    largest_batch: int = 64
    batches: int = 2
    """The batches of vectors of a learned embedder that one question computes in any case."""
    embed_seconds: float = 0.1
    """What it spends on further batches."""
    embed_all_seconds: float = 2.0
    """Seconds in which it computes all that are missing, if that is time enough."""
    stand_in_seconds: float = 1.0
    """What one question spends on vectors that stand in for those that are missing."""
    group_seconds: float = 1.0
    """What one question spends on grouping memories into threads."""
    removed_singly: int = 2000
    """How many paths are removed from the index one by one; if more, and more than a quarter of it, it is built again.
    """
    given_up: int = 2000
    """The paths that are given up for every snapshot; see `is_far`."""
    given_up_share: int = 8
    """More are given up until they add up to one in so many. Where each has neighbours in a sequence, giving up one in
    four takes longer than an index from nothing; where none has, a tenth of that."""
    first_pass: FirstPass = FIRST_PASS
    """When vectors are compared by their signs first."""

    def in_haste(self, seconds: float) -> "Limits":
        """The same for a question whose seconds are limited, however few paths are missing."""
        return self._replace(seconds=seconds, few=0, most_bytes=_HASTY_BYTES)


LIMITS = Limits()


class Allowance:
    """How much of one kind of work a question may do: a few steps in any case, then more until its time is over."""

    def __init__(self, steps: int, seconds: float, *, wait: bool) -> None:
        self._steps, self._seconds, self.waits = steps, seconds, wait
        self._end: float | None = None
        self._count = 0
        self.is_over = False

    def extend(self, seconds: float) -> None:
        """Allow the work to go on for some seconds from now, if it was to end sooner."""
        self._end = max(self._end or 0.0, time.monotonic() + seconds)

    def takes_more(self) -> bool:
        """Whether one more step may be done; if so, it is counted."""
        if self._end is None:
            self._end = time.monotonic() + self._seconds
        self._count += 1
        self.is_over = not self.waits and self._count > self._steps and time.monotonic() >= self._end
        return not self.is_over


class IndexTurn:
    """The indexing that one question may do; a question that waits does all of it.

    If no more than a few paths are missing, it indexes all of them, and otherwise one piece, and more as long as it has
    patience. With `seconds`, that is its patience, however few are missing,
    and a piece is small; at a record that is larger than a piece it stops.
    """

    def __init__(self, limits: Limits = LIMITS, *, wait: bool = False, seconds: float | None = None) -> None:
        self.waits = wait
        self.limits = limits if seconds is None else limits.in_haste(seconds)
        self.restart()

    def does_all(self, count: int) -> bool:
        """Whether a number of missing paths is indexed whatever time that takes."""
        return self.waits or count <= self.limits.few

    def end(self) -> None:
        """Build nothing more: another process does."""
        for allowance in (self.pieces, self.batches, self.stand_ins, self.threads):
            allowance.is_over = True

    def restart(self) -> None:
        """Begin again, because the work was lost."""
        self.pieces = Allowance(1, self.limits.seconds, wait=self.waits)
        self.batches = Allowance(self.limits.batches, self.limits.embed_seconds, wait=self.waits)
        self.stand_ins = Allowance(1, self.limits.stand_in_seconds, wait=self.waits)
        self.threads = Allowance(1, self.limits.group_seconds, wait=self.waits)


def progress(database: apsw.Connection, snapshot: Snapshot) -> tuple[int, int]:
    """How many paths are indexed, and how many there are."""
    return state.paths(database), snapshot.tree.count() - state.kept_apart(database)


def note_on_memories(database: apsw.Connection, snapshot: Snapshot) -> str | None:
    """The note about memories that are not indexed yet; None if all are."""
    if state.rest(database) is None:
        return None
    done, total = progress(database, snapshot)
    return f"{done:,} of {total:,} memories are indexed; 'memoir index' completes it"


def note_on_vectors(database: apsw.Connection, embedder: Embedder | None) -> str | None:
    """The note about memories that have no vector yet; None if all have one, or no vectors are wanted."""
    if embedder is None or not (backlog := state.count_waiting(database)):
        return None
    kind, total = embedder.name.partition("-")[0], state.total(database)
    return f"{backlog:,} of {total:,} memories have no {kind} vector yet; 'memoir index' completes it"


def note_on_threads(database: apsw.Connection) -> str | None:
    """The note about memories that are in no thread yet; None if all are grouped."""
    from memoir.index import sequence

    if not sequence.has_ungrouped(database):
        return None
    count, total = sequence.count(database), state.total(database)
    return f"{count:,} of {total:,} memories are grouped into threads; 'memoir threads' completes them"


def note_damaged(database: apsw.Connection, snapshot: Snapshot) -> None:
    """Note in a snapshot the damaged records, which the index had to leave out."""
    for namespace, path, reason in database.execute("SELECT namespace, path, reason FROM damaged"):
        snapshot.damage[Address(namespace, path).full_key] = reason


class Request:
    """The needs of a question from an index, and how much of the index the question may build.

    `stand_in` computes vectors for documents that wait for one of `embedder`; `threads` tells whether threads are
    wanted.
    """

    def __init__(self, embedder: Embedder | None, stand_in: Embedder | None, threads: bool, turn: IndexTurn) -> None:
        self.embedder, self.stand_in, self.threads, self.turn = embedder, stand_in, threads, turn

    def is_ready(self, database: apsw.Connection, root: bytes) -> bool:
        """Whether the index has all of the snapshot of a root, or as much as the question may index."""
        if not self.is_at(database, root) or (self.has_more(database) and not self.turn.pieces.is_over):
            return False
        if self.lacks_threads(database) and not self.turn.threads.is_over:
            return False
        is_learned = self.embedder is not None and self.embedder.learned
        return not (is_learned and state.has_waiting(database)) or self.turn.batches.is_over

    def is_at(self, database: apsw.Connection, root: bytes) -> bool:
        """Whether the index is at the snapshot of a root, with vectors of this embedder or none."""
        is_same_embedder = self.embedder is None or state.embedder(database) == self.embedder.name
        return is_same_embedder and state.root(database) == root

    def has_more(self, database: apsw.Connection) -> bool:
        """Whether there are paths or vectors to index, learned ones aside."""
        waits = self.embedder is not None and not self.embedder.learned and state.has_waiting(database)
        return waits or state.rest(database) is not None

    def lacks_threads(self, database: apsw.Connection) -> bool:
        """Whether threads are wanted, and all paths are indexed but not all are grouped."""
        if not self.threads or state.rest(database) is not None:
            return False
        from memoir.index import sequence

        return sequence.has_more(database)


def is_far(database: apsw.Connection, store: Store, snapshot: Snapshot, limits: Limits) -> bool:
    """Whether an index may not follow to a snapshot, because too much would be given up; the second one is for it.

    Paths that only the snapshot has are to be indexed whichever index it is. What the index gives up are the paths that
    it holds and the snapshot does not: who comes back to them has them indexed again. Few are given up for every
    snapshot, as for the last commits of two branches. More are as well, because an index from nothing would take
    longer, until all that was given up in this way adds up to a share of the index. So a large store that was tidied up
    keeps its index. Of two branches with little in common that are read in turn, one is left to the second index in the
    end, and then neither is indexed again; nor is a distant past.
    """
    if state.paths(database) <= limits.given_up:
        return False
    from memoir.tree.tree import diff

    try:
        losses = sum(delta.old is not None for delta in diff(store.tree(state.root(database)), snapshot.tree))
    except DamagedStore:  # the objects of the snapshot that the index is at have been deleted
        return False
    most = state.paths(database) // limits.given_up_share
    return losses > limits.given_up and losses + state.given_up(database) > most


def note_losses(database: apsw.Connection, losses: int, limits: Limits) -> None:
    """Note how many paths the index gives up for a snapshot. Call it in the write transaction in which it follows."""
    if losses > limits.given_up:
        state.given_up.add(database, losses)
