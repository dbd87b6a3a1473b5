"""Whether an index may follow to a snapshot, or leaves it to the second one.

Paths that only the snapshot has are to be indexed whichever index it is. What the index gives up are the paths that it
holds and the snapshot does not: who comes back to them has them indexed again. Few are given up for every snapshot, as
for the last commits of two branches. More are as well, because an index from nothing would take longer, until all that
was given up in this way adds up to a share of the index. So a large store that was tidied up keeps its index. Of two
branches with little in common that are read in turn, one is left to the second index in the end, and then neither is
indexed again; nor is a distant past.
"""

import apsw

from memoir.errors import DamagedStore
from memoir.index import state
from memoir.index.request import Limits
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.tree.diff import diff


def is_far(database: apsw.Connection, store: Store, snapshot: Snapshot, limits: Limits) -> bool:
    """Whether too much would be given up for a snapshot."""
    if state.paths(database) <= limits.given_up:
        return False
    try:
        losses = sum(delta.old is not None for delta in diff(store.tree(state.root(database)), snapshot.tree))
    except DamagedStore:  # the objects of the snapshot that the index is at have been deleted
        return False
    most = state.paths(database) // limits.given_up_share
    return losses > limits.given_up and losses + state.given_up(database) > most


def note(database: apsw.Connection, losses: int, limits: Limits) -> None:
    """Note how many paths the index gives up for a snapshot. Call it in the write transaction in which it follows."""
    if losses > limits.given_up:
        state.given_up.add(database, losses)
