"""The notes in an answer about an index that is not complete."""

import apsw

from memoir.index import state
from memoir.index.embedders.embedder import Embedder
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address


def progress(database: apsw.Connection, snapshot: Snapshot) -> tuple[int, int]:
    """How many paths are indexed, and how many there are."""
    return state.paths(database), snapshot.tree.count() - state.categories(database)


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
