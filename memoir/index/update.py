"""Bringing the index to a snapshot: only the difference between the two trees is read.

Many new paths are indexed in pieces, each a transaction of its own, so that a caller who cannot wait gets an answer
from what is there, and whoever comes next goes on from where the last one stopped, killed or not.

The newest paths come first, as far as they are known without reading every memory: the paths that the last commits
name, or a part of what was added since the last update; then all others from the last key to the first, because paths
with a date or a number in them mostly grow upwards. One key says how far the pieces have come (`state.rest`).
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

import apsw

from memoir.errors import DamagedStore
from memoir.index import records, remains, second_index, sequence, state
from memoir.index.allowance import PIECE
from memoir.index.records import Entry
from memoir.memory.layer_namespaces import layers
from memoir.memory.read import key_range
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import RAW_SUFFIX, TAXONOMY_NAMESPACE, from_key
from memoir.tree.diff import Delta, diff
from memoir.tree.tree import LAST

_MOST_STALE = 2000
"""How many paths are removed from the index one by one; if more, and more than a quarter of it, it is built again."""
_AT_ONCE = 25
"""Records that are read at once to see how large they are."""
_COMMITS = 200
"""How many of the last commits are read to find the newest paths."""


def bring_to(database: apsw.Connection, store: Store, snapshot: Snapshot, most: int | None) -> None:
    """Remove what is not in a snapshot, and add the newest of its paths. Call it inside a write transaction.

    Their records take `most` bytes; None: as many as they are.
    """
    layer_names = layers(snapshot)
    is_other = _reads_otherwise(database, layer_names)
    sequence.keep_apart(database, layer_names)
    state.set_layers(database, layer_names)
    deltas = None if is_other else _deltas(database, store, snapshot)
    stale = [delta for delta in deltas or () if delta.old is not None]
    if deltas is None or len(stale) > max(_MOST_STALE, state.paths(database) // 4):
        if state.paths(database):
            state.set_remains(database, True)
        records.clear(database)
        state.set_rest(database, LAST if snapshot.tree.root else None)
        new = fit(snapshot, list(snapshot.tree.get(_newest_keys(store, snapshot)).items()), most)
        records.replace(database, snapshot, (), new, alone=True)
    else:
        new = [(delta.key, delta.new) for delta in deltas if delta.new is not None]
        newest = fit(snapshot, new[:PIECE], most)
        if len(new) > len(newest):
            state.set_rest(database, LAST)
        second_index.note(database, len(stale))
        records.replace(database, snapshot, (from_key(delta.key) for delta in stale), newest, alone=False)
        if remains.lose_words(snapshot, stale):
            state.set_remains(database, True)
    state.set_categories(database, snapshot.tree.count(*key_range(TAXONOMY_NAMESPACE)))
    state.set_root(database, snapshot.tree.root or b"")


def add_piece(database: apsw.Connection, snapshot: Snapshot, most: int | None) -> bool:
    """Index some more of the snapshot that the index is at, of `most` bytes; whether a record was small enough for it.

    Call it inside a write transaction.
    """
    rest = state.rest(database)
    if rest is None:
        return True
    rank = snapshot.tree.rank(rest)
    low = snapshot.tree.key_at(rank - PIECE) if rank > PIECE else b""
    if low >= rest:
        low = b""  # the counts in the tree are wrong, so all of it is read
    entries = records.find_missing(database, list(snapshot.tree.scan(low, rest)))
    last = fit(snapshot, entries[::-1], most)
    records.replace(database, snapshot, (), last[::-1], alone=False)
    if len(last) < len(entries):
        low = last[-1][0] if last else rest
    state.set_rest(database, low or None)
    return bool(last) or not entries


def fit(snapshot: Snapshot, entries: Sequence[Entry], most: int | None) -> Sequence[Entry]:
    """The first of some entries whose records take no more bytes than `most`."""
    if most is None:
        return entries
    size = 0
    for start in range(0, len(entries), _AT_ONCE):
        for number, (_, data) in enumerate(snapshot.values(entries[start : start + _AT_ONCE]), start):
            size += len(data)
            if size > most:
                return entries[:number]
    return entries


def _deltas(database: apsw.Connection, store: Store, snapshot: Snapshot) -> list[Delta] | None:
    """The difference from the snapshot that the index is at; None if that is unknown or has been deleted."""
    old = state.root(database)
    try:
        return list(diff(store.tree(old), snapshot.tree)) if old else None
    except DamagedStore:  # `git gc` has deleted it
        return None


def _reads_otherwise(database: apsw.Connection, layers: Collection[str]) -> bool:
    """Whether a namespace that the index holds was taken for memories, and now is for segments, or the other way."""
    changes = set(state.layers(database)).symmetric_difference(layers)
    return any(name.endswith(RAW_SUFFIX) and records.holds(database, name) for name in changes)


def _newest_keys(store: Store, snapshot: Snapshot) -> list[bytes]:
    """The paths that the last commits name as written, the newest first."""
    keys: dict[bytes, None] = {}
    for put in islice(_puts(store, snapshot), _COMMITS):
        keys.update(dict.fromkeys(put))
        if len(keys) >= PIECE:
            break
    return list(keys)[:PIECE]


def _puts(store: Store, snapshot: Snapshot) -> Iterator[tuple[bytes, ...]]:
    commit = snapshot.commit
    while commit:
        yield commit.changes.put if commit.changes else ()
        commit = store.commits(commit.parents[:1])[0] if commit.parents else None
