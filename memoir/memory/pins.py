"""Pinned memories, which every session begins with.

A memory is pinned if its metadata has `"pinned": true`, JSON's true and nothing that only looks like it. Which paths
hold one is kept in the user's cache, by the root of the snapshot, so that only what has changed since is read.
"""

import os
import time
from collections.abc import Iterable, Iterator, Sequence

from memoir.errors import DamagedStore, InvalidInput
from memoir.memory.damage import read_record, readable
from memoir.memory.metadata import PIN
from memoir.memory.options import DEFAULTS, WriteOptions, check_message
from memoir.memory.read import require
from memoir.memory.record import Memory, Record, active_facets, encode
from memoir.named_tuple import NamedTuple
from memoir.store import cache
from memoir.store.commit import Commit
from memoir.store.diff import diff
from memoir.store.digest import blake2b
from memoir.store.oid import Oid
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import LAYERS_NAMESPACE, TAXONOMY_NAMESPACE, Address, from_key

_MARK = b'"pinned":true'
"""How a pin looks in the canonical bytes of a record; a memory's text may look so too."""
_MOST_ROOTS = 4
"""The snapshots whose pins are kept for a store, such as those of its branches."""


class Pins(NamedTuple):
    """The addresses of pinned memories, sorted, and whether every memory was looked at."""

    places: tuple[Address, ...]
    complete: bool = True


def is_pinned(memory: Memory) -> bool:
    """Whether a memory is active and pinned."""
    return memory.active and memory.metadata.get(PIN) is True


def set_pins(store: Store, places: Sequence[Address], pinned: bool, options: WriteOptions = DEFAULTS) -> Commit | None:
    """Pin or unpin the active memories at some addresses, in one commit; None if all were so already.

    Raises:
        NotFound: one of them holds nothing. DamagedStore: a record cannot be read.
        InvalidInput: an address is in a layer or in a namespace of memoir's own, or the message looks like a
            credential.
    """
    from memoir.memory.layers import refuse_layers
    from memoir.store.transaction import Change, write

    check_message(options)
    if any(place.namespace in (TAXONOMY_NAMESPACE, LAYERS_NAMESPACE) for place in places):
        raise InvalidInput("only memories can be pinned", "'memoir taxonomy' changes categories")
    deed = f"{'pin' if pinned else 'unpin'} {', '.join(place.path for place in places)}"

    def change(head: Snapshot) -> Change:
        refuse_layers(head, places)
        values = require(head, places)
        records = {place: _mark(read_record(place, data), pinned) for place, data in values.items()}
        edits = [(place.key, data) for place, record in records.items() if (data := encode(record)) != values[place]]
        return Change(edits, options.message or deed)

    return write(store, change, branch=options.branch, dry_run=options.dry_run, reason=deed)


def _mark(record: Record, pinned: bool) -> Record:
    active = {id(facet) for facet in active_facets(record)}
    return tuple(_mark_facet(facet, pinned) if id(facet) in active else facet for facet in record)


def _mark_facet(facet: Memory, pinned: bool) -> Memory:
    rest = {name: value for name, value in facet.metadata.items() if name != PIN}
    return facet._replace(metadata={**rest, PIN: True} if pinned else rest)


def find(store: Store, snapshot: Snapshot, *, seconds: float | None = None) -> Pins:
    """The pinned memories of a snapshot: what is known of another one, and what differs from it.

    Args:
        store: The store.
        snapshot: What to look at.
        seconds: How long to look; afterwards the answer is incomplete. None: as long as it takes.
    """
    if snapshot.tree.root is None:
        return Pins(())
    by_root = _load(store)
    if (places := by_root.get(snapshot.tree.root.hex())) is not None:
        return Pins(tuple(map(from_key, sorted(places))))
    until = None if seconds is None else time.monotonic() + seconds
    pins = _since(store, snapshot, by_root, until)
    if pins.complete:
        _save(store, by_root, snapshot.tree.root, pins.places)
    return pins


def _since(store: Store, snapshot: Snapshot, by_root: dict[str, list[bytes]], until: float | None) -> Pins:
    """The pins of a snapshot from those of the one that was last looked at; else from all of its memories."""
    for root, places in reversed(by_root.items()):
        try:
            deltas = list(diff(store.tree(bytes.fromhex(root)), snapshot.tree))
        except DamagedStore:  # `git gc` has deleted it
            continue
        keys = {delta.key for delta in deltas}
        new = [(delta.key, delta.new) for delta in deltas if delta.new is not None]
        fresh, complete = _find(snapshot, snapshot.values(new), until)
        return Pins(tuple(map(from_key, sorted({*places} - keys | {*fresh}))), complete)
    fresh, complete = _find(snapshot, snapshot.scan(), until)
    return Pins(tuple(map(from_key, fresh)), complete)


def _find(snapshot: Snapshot, entries: Iterable[tuple[bytes, bytes]], until: float | None) -> tuple[list[bytes], bool]:
    """The keys of the pinned memories among some, and whether there was time for all of them."""
    keys: list[bytes] = []
    for number, (key, data) in enumerate(entries):
        if until is not None and number % 200 == 0 and time.monotonic() > until:
            return keys, False
        if _MARK in data and (record := readable(snapshot, key, data)) and any(map(is_pinned, record)):
            keys.append(key)
    return keys, True


def _name(store: Store) -> str:
    return "pins-" + blake2b(os.fsencode(os.path.realpath(store.git_dir)), size=8).hex()


def _load(store: Store) -> dict[str, list[bytes]]:
    """The pinned keys of the snapshots that were looked at, by their roots, the last one at the end."""
    return dict(_parse(cache.read(_name(store)) or b""))


def _parse(data: bytes) -> Iterator[tuple[str, list[bytes]]]:
    for line in data.splitlines():
        root, *keys = line.split(b" ")
        try:
            Oid.fromhex(root.decode())
        except ValueError:
            continue
        yield root.decode(), keys


def _save(store: Store, by_root: dict[str, list[bytes]], root: Oid, places: Iterable[Address]) -> None:
    by_root = {**by_root, root.hex(): [place.key for place in places]}
    lines = [b" ".join([each.encode(), *keys]) + b"\n" for each, keys in by_root.items()]
    cache.write(_name(store), b"".join(lines[-_MOST_ROOTS:]))
