"""Builds the missing parts of an index, piece by piece, for as long as a question may wait."""

import time
from collections.abc import Iterator

import apsw

from memoir.embedders.embedder import Embedder
from memoir.index import concept_table, request, stand_ins, state, update, vectors
from memoir.index import database as files
from memoir.index.database import writing
from memoir.index.documents import content, told_id
from memoir.index.request import Allowance, IndexTurn, Limits, Request
from memoir.progress import Progress
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store

_QUICK = 0.25
"""Seconds: after a quicker batch the next one is larger."""
_AT_ONCE = 5000
"""Contents that are looked up at once."""
_VECTORS_AT_ONCE = 1000
"""Vectors that one transaction composes."""

Content = tuple[bytes, str]
"""The id of the text that an embedder gets for a content, and the content."""


def fill(database: apsw.Connection, embedder: Embedder, turn: IndexTurn, progress: Progress) -> None:
    """Compute the missing vectors, newest documents first, until all are done or the allowance is used up.

    Finished batches are kept if the process dies: vectors are stored by content, and composed with those of the
    neighbours once these are known.
    """
    with writing(database):
        state.set_embedder(database, embedder.name)
    allowance = turn.batches
    _compose_known(database, embedder, allowance)
    while not allowance.is_over and (contents := _contents_without_vector(database, embedder)):
        _embed(database, embedder, contents, turn, progress)
        _compose_known(database, embedder, allowance)


def _embed(
    database: apsw.Connection,
    embedder: Embedder,
    contents: list[Content],
    turn: IndexTurn,
    progress: Progress,
) -> None:
    done, total = 0, max(_count_unknown(database, embedder), len(contents))
    is_warm = False  # the first batch may include loading the model
    for batch in _batches(contents, turn.limits):
        if not turn.batches.takes_more():
            return
        start = time.thread_time()  # processor time, so that a busy machine does not change the estimate
        rows = vectors.rows_of(database, embedder, batch, concept_table.own_words(database))
        with writing(database):
            vectors.write(database, embedder, rows)
        done += len(batch)
        progress(done, total)
        rest = (time.thread_time() - start) / len(batch) * (total - done)
        if is_warm and rest <= turn.limits.embed_all_seconds:
            turn.batches.extend(turn.limits.embed_all_seconds)
        is_warm = True


def _batches(contents: list[Content], limits: Limits) -> Iterator[list[Content]]:
    """The contents in batches, which grow as long as they are done quickly."""
    size, place = limits.smallest_batch, 0
    while place < len(contents):
        start = time.monotonic()
        yield contents[place : place + size]
        place += size
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


class Builder:
    """Brings an index to a snapshot, or as far as the question's allowance goes."""

    def __init__(self, request: Request, store: Store, snapshot: Snapshot, root: bytes, progress: Progress) -> None:
        self._request, self._store, self._snapshot, self._root = request, store, snapshot, root
        self._progress = progress
        self._limits = request.turn.limits

    def build(self, database: apsw.Connection) -> None:
        """Index paths, then compute vectors, then group memories into threads."""
        self._index(database)
        self._embed(database)
        if self._request.threads:
            self._group(database)

    def _index(self, database: apsw.Connection) -> None:
        if not self._request.is_at(database, self._root):
            with files.writing(database):
                self._require_unpurged()
                self._bring_to_snapshot(database)
        does_all = self.does_all(database)
        while self._request.has_more(database) and (does_all or self._request.turn.pieces.takes_more()):
            with files.writing(database):
                if not self._request.is_at(database, self._root):
                    return
                self._require_unpurged()
                if not update.add_piece(database, self._snapshot, self._limits):
                    self._request.turn.pieces.is_over = True
                    return
                self._compose(database)
            if state.paths(database) > self._limits.paths:
                self._progress(*request.progress(database, self._snapshot))

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
        return self._request.turn.does_all(self._count_missing(database))

    def _count_missing(self, database: apsw.Connection) -> int:
        """The number of paths not indexed yet, or, if more, of memories without a vector of a quick embedder."""
        done, total = request.progress(database, self._snapshot)
        embedder = self._request.embedder
        backlog = state.count_waiting(database) if embedder and not embedder.learned else 0
        return max(total - done, backlog)

    def _bring_to_snapshot(self, database: apsw.Connection) -> None:
        """Bring the index to the snapshot and the embedder, newest paths first. Call it in a write transaction."""
        embedder, stand_in = self._request.embedder, self._request.stand_in
        if state.root(database) != self._root:
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
        request = self._request
        embedder, stand_in, allowances = request.embedder, request.stand_in, request.turn
        if embedder is None or not embedder.learned or state.is_embedded(database, embedder.name):
            return

        if not allowances.batches.is_over:
            fill(database, embedder, allowances, self._progress)
        if stand_in and state.has_waiting(database) and not allowances.stand_ins.is_over:
            stand_ins.add(database, stand_in, allowances.stand_ins)

    def _group(self, database: apsw.Connection) -> None:
        from memoir.index import grouping

        while self._request.lacks_threads(database) and self._request.turn.threads.takes_more():
            with files.writing(database):
                if not self._request.is_at(database, self._root):
                    return
                done = grouping.add_batch(database)
            self._progress(done, state.total(database))
