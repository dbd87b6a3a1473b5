"""Builds the missing parts of an index, piece by piece, for as long as a question may wait."""

import time
from collections.abc import Iterator

import apsw

from memoir.embedders.embedder import Embedder
from memoir.errors import DamagedStore
from memoir.index import concept_table, stand_ins, state, update, vectors
from memoir.index import database as files
from memoir.index.database import writing
from memoir.index.documents import content, told_id
from memoir.index.request import Allowance, Budget, Limits, Request, count_paths
from memoir.progress import Progress
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.tree.tree import diff

_QUICK = 0.25
"""Seconds: after a quicker batch the next one is larger."""
_AT_ONCE = 5000
"""Contents that are looked up at once."""
_VECTORS_AT_ONCE = 1000
"""Vectors that one transaction composes."""

Content = tuple[bytes, str]
"""The id of the text that an embedder gets for a content, and the content."""


def fill(database: apsw.Connection, embedder: Embedder, budget: Budget, progress: Progress) -> None:
    """Compute the missing vectors, newest documents first, until all are done or the allowance is used up.

    Finished batches are kept if the process dies: vectors are stored by content, and composed with those of the
    neighbours once these are known.
    """
    with writing(database):
        state.set_embedder(database, embedder.name)
    allowance = budget.batches
    _compose_known(database, embedder, allowance)
    while not allowance.is_over and (contents := _contents_without_vector(database, embedder)):
        _embed(database, embedder, contents, budget, progress)
        _compose_known(database, embedder, allowance)


def _embed(
    database: apsw.Connection,
    embedder: Embedder,
    contents: list[Content],
    budget: Budget,
    progress: Progress,
) -> None:
    done, total = 0, max(_count_unknown(database, embedder), len(contents))
    is_warm = False  # the first batch may include loading the model
    for batch in _batches(contents, budget.limits):
        if not budget.batches.takes_more():
            return
        start = time.thread_time()  # processor time, so that a busy machine does not change the estimate
        rows = vectors.rows_of(database, embedder, batch, concept_table.own_words(database))
        with writing(database):
            vectors.write(database, embedder, rows)
        done += len(batch)
        progress(done, total)
        rest = (time.thread_time() - start) / len(batch) * (total - done)
        if is_warm and rest <= budget.limits.embed_all_seconds:
            budget.batches.extend(budget.limits.embed_all_seconds)
        is_warm = True


def _batches(contents: list[Content], limits: Limits) -> Iterator[list[Content]]:
    """The contents in batches, which grow as long as they are done quickly."""
    size, position = limits.smallest_batch, 0
    while position < len(contents):
        start = time.monotonic()
        yield contents[position : position + size]
        position += size
        if time.monotonic() - start < _QUICK:
            size = min(2 * size, limits.largest_batch)


_UNKNOWN = (
    "FROM pending p JOIN document d ON d.id = p.document"
    " WHERE NOT EXISTS (SELECT 1 FROM vector v WHERE v.embedder = ? AND v.content = " + told_id("d") + ")"
)


def _contents_without_vector(database: apsw.Connection, embedder: Embedder) -> list[Content]:
    """The contents without a vector, newest first.

    Among those of one time, neighbours follow each other, because a vector is composed with its neighbours'.
    """
    order = "max(d.learnt) DESC, d.sequence, d.place DESC"  # SQLite takes sequence and place from the newest row
    sql = f"SELECT {told_id('d')}, {content('d')} {_UNKNOWN} GROUP BY 1 ORDER BY {order} LIMIT ?"
    return [(key, text) for key, text in database.execute(sql, (embedder.name, _AT_ONCE))]


def _count_unknown(database: apsw.Connection, embedder: Embedder) -> int:
    count: int = database.execute(f"SELECT count(DISTINCT {told_id('d')}) {_UNKNOWN}", (embedder.name,)).get
    return count


def _compose_known(database: apsw.Connection, embedder: Embedder, allowance: Allowance) -> None:
    """Compose the vectors of waiting documents whose own contents have one, even if some neighbours' lack theirs."""
    sql = (
        "SELECT p.document FROM pending p JOIN document d ON d.id = p.document"
        f" JOIN vector v ON v.embedder = ? AND v.content = {told_id('d')}"
    )
    ids = [document for (document,) in database.execute(sql, (embedder.name,))]
    for start in range(0, len(ids), _VECTORS_AT_ONCE):
        if start and not allowance.takes_more():
            return
        with writing(database):
            state.set_embedder(database, embedder.name)
            vectors.compose(database, embedder, ids[start : start + _VECTORS_AT_ONCE])
            stand_ins.drop(database)
            vectors.measure(database, embedder)


def is_far(database: apsw.Connection, store: Store, snapshot: Snapshot, limits: Limits) -> bool:
    """Whether moving the index to a snapshot would drop too many paths, so that the second index is for it.

    Paths that only the snapshot has must be indexed in either index. Moving drops the paths that the index has and the
    snapshot lacks; coming back means indexing them again. A few are dropped for any snapshot, such as the last commits
    of two branches. More are dropped, too, because a new index would take longer, until the paths dropped in this way
    add up to a share of the index. So a large store that was tidied up keeps its index. If two branches with little in
    common are read in turn, one of them gets the second index in the end, and neither is indexed again; the same holds
    for a distant past.
    """
    if state.paths(database) <= limits.given_up:
        return False
    try:
        losses = sum(delta.old is not None for delta in diff(store.tree(state.root(database)), snapshot.tree))
    except DamagedStore:  # the index's own snapshot has been deleted from the store
        return False
    most = state.paths(database) // limits.given_up_share
    return losses > limits.given_up and losses + state.given_up(database) > most


class Builder:
    """Brings an index to a snapshot, or as far as the question's allowance goes."""

    def __init__(self, request: Request, store: Store, progress: Progress) -> None:
        self._request, self._store, self._progress = request, store, progress
        self._snapshot, self._budget, self._limits = request.snapshot, request.budget, request.budget.limits

    def build(self, database: apsw.Connection) -> None:
        """Index paths, then compute vectors, then group memories into threads."""
        self._index(database)
        self._embed(database)
        if self._request.threads:
            self._group(database)

    def _index(self, database: apsw.Connection) -> None:
        if not self._request.is_at(database):
            with files.writing(database):
                self._require_unpurged()
                self._bring_to_snapshot(database)
        does_all = self.does_all(database)
        while self._request.has_more(database) and (does_all or self._budget.pieces.takes_more()):
            with files.writing(database):
                if not self._request.is_at(database):
                    return
                self._require_unpurged()
                if not update.add_piece(database, self._snapshot, self._limits):
                    self._budget.pieces.is_over = True
                    return
                self._compose(database)
            if state.paths(database) > self._limits.paths:
                self._progress(*count_paths(database, self._snapshot))

    def _require_unpurged(self) -> None:
        """Refuse to index a snapshot that was purged: a reader may still have the deleted packs open.

        Call it in a write transaction: a purge removes the index's files last, so it also removes what is written after
        this check.
        """
        if self._snapshot.id and self._store.git.last_purge():
            from memoir.store.transaction import require_stored  # needed only in purged stores

            require_stored(self._store, [self._snapshot.id])

    def does_all(self, database: apsw.Connection) -> bool:
        """Whether so few paths are missing that the question indexes them all."""
        return self._budget.does_all(self._count_missing(database))

    def _count_missing(self, database: apsw.Connection) -> int:
        """The number of paths not indexed yet, or, if more, of memories without a vector of a quick embedder."""
        done, total = count_paths(database, self._snapshot)
        embedder = self._request.embedder
        backlog = state.count_waiting(database) if embedder and not embedder.learned else 0
        return max(total - done, backlog)

    def _bring_to_snapshot(self, database: apsw.Connection) -> None:
        """Bring the index to the snapshot and the embedder, newest paths first. Call it in a write transaction."""
        embedder, stand_in = self._request.embedder, self._request.stand_in
        if state.root(database) != self._request.root:
            update.bring_to(database, self._store, self._snapshot, self._limits)
        if embedder:
            if stand_in:
                stand_ins.keep(database, stand_in)
            state.set_embedder(database, embedder.name)
        self._compose(database)

    def _compose(self, database: apsw.Connection) -> None:
        embedder = self._request.embedder
        if embedder and not embedder.learned:
            rows = database.execute("SELECT document FROM pending LIMIT ?", (2 * self._limits.paths,))
            vectors.compose(database, embedder, [document for (document,) in rows])

    def _embed(self, database: apsw.Connection) -> None:
        """Compute a learned embedder's vectors within the allowance, and stand-ins for missing ones."""
        embedder, stand_in, budget = self._request.embedder, self._request.stand_in, self._budget
        if embedder is None or not embedder.learned or state.is_embedded(database, embedder.name):
            return
        if not budget.batches.is_over:
            fill(database, embedder, budget, self._progress)
        if stand_in and state.has_waiting(database) and not budget.stand_ins.is_over:
            stand_ins.add(database, stand_in, budget.stand_ins)

    def _group(self, database: apsw.Connection) -> None:
        from memoir.index import grouping

        while self._request.lacks_threads(database) and self._budget.threads.takes_more():
            with files.writing(database):
                if not self._request.is_at(database):
                    return
                done = grouping.add_batch(database)
            self._progress(done, state.total(database))
