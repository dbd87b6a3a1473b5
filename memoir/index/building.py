"""Builds what an index lacks, piece by piece, as far as a question may."""

import apsw

from memoir.index import allowance, interim_vectors, notes, state, update, vectors
from memoir.index import database as files
from memoir.index.request import Request
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store


class Builder:
    """Brings an index to a snapshot, or as far as a question may."""

    def __init__(
        self, request: Request, store: Store, snapshot: Snapshot, root: bytes, progress: vectors.Progress
    ) -> None:
        self._request, self._store, self._snapshot, self._root = request, store, snapshot, root
        self._progress = progress

    def build(self, database: apsw.Connection) -> None:
        """Index paths, then compute vectors, then group memories into threads."""
        self._index(database)
        self._embed(database)
        if self._request.threads:
            self._group(database)

    def _index(self, database: apsw.Connection) -> None:
        if not self._request.is_at(database, self._root):
            with files.writing(database):
                self._move(database)
        does_all = self._request.turn.does_all(self._count_missing(database))
        while self._request.has_more(database) and (does_all or self._request.turn.pieces.takes_more()):
            with files.writing(database):
                if not self._request.is_at(database, self._root):
                    return
                if not update.add_piece(database, self._snapshot, self._request.turn.most_bytes):
                    self._request.turn.pieces.is_over = True
                    return
                self._compose(database)
            if state.paths(database) > allowance.PIECE:
                self._progress(*notes.progress(database, self._snapshot))

    def _count_missing(self, database: apsw.Connection) -> int:
        """How many paths are not indexed yet, or memories without a vector that need not be learned."""
        done, total = notes.progress(database, self._snapshot)
        embedder = self._request.embedder
        backlog = state.count_waiting(database) if embedder and not embedder.learned else 0
        return max(total - done, backlog)

    def _move(self, database: apsw.Connection) -> None:
        """Bring the index to the snapshot and the embedder, the newest paths first. Call it in a write transaction."""
        embedder, stand_in = self._request.embedder, self._request.stand_in
        if state.root(database) != self._root:
            update.bring_to(database, self._store, self._snapshot, self._request.turn.most_bytes)
        if embedder:
            if stand_in:
                interim_vectors.keep(database, stand_in)
            state.set_embedder(database, embedder.name)
        self._compose(database)

    def _compose(self, database: apsw.Connection) -> None:
        embedder = self._request.embedder
        if embedder and not embedder.learned:
            vectors.compose_some(database, embedder, 2 * allowance.PIECE)

    def _embed(self, database: apsw.Connection) -> None:
        """Compute a learned embedder's vectors as long as the question may, and stand-ins for missing ones."""
        embedder, stand_in, _, allowances = self._request
        if embedder is None or not embedder.learned or state.is_embedded(database, embedder.name):
            return
        from memoir.index.fill import fill

        if not allowances.batches.is_over:
            fill(database, embedder, allowances.batches, self._progress)
        if stand_in and state.has_waiting(database) and not allowances.stand_ins.is_over:
            interim_vectors.add(database, stand_in, allowances.stand_ins)

    def _group(self, database: apsw.Connection) -> None:
        from memoir.index import thread_building

        while self._request.lacks_threads(database) and self._request.turn.threads.takes_more():
            with files.writing(database):
                if not self._request.is_at(database, self._root):
                    return
                done = thread_building.add_batch(database)
            self._progress(done, state.total(database))
