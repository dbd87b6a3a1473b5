"""The request of a question to the index, and whether the index can serve it."""

from typing import NamedTuple

import apsw

from memoir.index import state
from memoir.index.allowance import IndexTurn
from memoir.index.embedders.embedder import Embedder


class Request(NamedTuple):
    """The needs of a question from an index, and how much of the index the question may build.

    `stand_in` computes vectors for documents that wait for one of `embedder`; `threads` tells whether threads are
    wanted.
    """

    embedder: Embedder | None
    stand_in: Embedder | None
    threads: bool
    turn: IndexTurn

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
