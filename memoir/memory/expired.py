"""Filters lists of paths by expiry and by origin.

Few memories expire, so a list does not read every record it names. Nodes of the tree never change, so the ids of those
without any mention of an expiry below them are kept in the user's cache; only records below other nodes are read.
"""

import os
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from itertools import islice

from memoir import user_folders
from memoir.errors import DamagedStore
from memoir.git.objects import Oid, blake2b
from memoir.memory.read import records
from memoir.records.metadata import EXPIRES, has_expired
from memoir.records.origins import check_origin, origins_of
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address
from memoir.times import instant_at, now
from memoir.tree.node import TreeNode
from memoir.tree.tree import Tree, levels

_BATCH = 500
_MENTION = f'"{EXPIRES}"'.encode()
"""The field in the canonical bytes of a record; the text of a memory may contain it as well."""
_SIZE = 8
"""How many bytes of a node's id are kept: enough that two nodes of a store practically never share them."""
_MOST_NODES = 100_000
"""The most nodes kept for a store; a store of a million memories has 17,000."""


class ExpiryMarks:
    """Tells for each listed address whether its memories have all expired; reads a batch ahead."""

    def __init__(self, store: Store, snapshot: Snapshot, addresses: Iterable[Address], when: datetime) -> None:
        self._snapshot = snapshot
        self._addresses = iter(addresses)
        self._when = when
        self._lasting = LastingNodes(store)
        self._expired: set[Address] = set()

    def addresses(self, *, expired_only: bool = False, origins: Collection[str] = ()) -> Iterator[Address]:
        """Yield the addresses in order, optionally only expired ones, or ones with a memory of the given origins."""
        wanted = frozenset(map(check_origin, origins))
        while batch := list(islice(self._addresses, _BATCH)):
            mentions = self._lasting.mentions(self._snapshot, batch[0].key, batch[-1].key + b"\0")
            read = batch if wanted else [address for address in batch if address.key in mentions]
            found = records(self._snapshot, read, listed=True)
            self._expired = {address for address, record in found.items() if all_expired(record, self._when)}
            batch = [each for each in batch if not expired_only or each in self._expired]
            yield from (each for each in batch if not wanted or _is_vouched_for(found.get(each, ()), wanted))
        self._lasting.save()

    def is_expired(self, address: Address) -> bool:
        """Whether all active memories at an address have expired; valid until the next address is listed."""
        return address in self._expired


class LastingNodes:
    """A cache of the nodes below which no record mentions an expiry."""

    def __init__(self, store: Store) -> None:
        self._name = "lasting-" + blake2b(os.fsencode(os.path.realpath(store.git_dir)), size=_SIZE).hex()
        known = user_folders.read_cached(self._name) or b""
        self._known = dict.fromkeys(known[at : at + _SIZE] for at in range(0, len(known), _SIZE))
        self._is_new = False

    def mentions(self, snapshot: Snapshot, low: bytes, high: bytes) -> set[bytes]:
        """The keys of records that mention an expiry: all with low <= key < high, and maybe some around them."""
        nodes = self._open(snapshot.tree, low, high)
        leaves = [(oid, node) for oid, node in nodes.items() if node.counts is None]
        pairs = [pair for _, node in leaves for pair in zip(node.keys, node.ids, strict=True)]
        try:
            found = _mentioning(snapshot, pairs)
        except DamagedStore:  # the damaged value may be outside the range
            return _mentioning(snapshot, [pair for pair in pairs if low <= pair[0] < high])
        for oid, node in leaves:
            if found.isdisjoint(node.keys):
                self._remember(oid)
        for oid, node in reversed(nodes.items()):
            if node.counts is not None and all(child[:_SIZE] in self._known for child in node.ids):
                self._remember(oid)
        return found

    def _open(self, tree: Tree, low: bytes, high: bytes) -> dict[Oid, TreeNode]:
        """The nodes above a range of keys that are not in the cache, parents first."""
        opened: dict[Oid, TreeNode] = {}
        level = [tree.root] if tree.root else []
        for _ in levels():
            new = [oid for oid in dict.fromkeys(level) if oid[:_SIZE] not in self._known and oid not in opened]
            if not new:
                break
            nodes = [tree.top] if tree.root in new else tree.nodes(new)
            opened |= zip(new, nodes, strict=True)
            level = [child for node in nodes if node.counts is not None for child in node.children_within(low, high)]
        return opened

    def _remember(self, node: Oid) -> None:
        self._known[node[:_SIZE]] = None
        self._is_new = True

    def save(self) -> None:
        """Write the cache, if it has grown."""
        if self._is_new:
            user_folders.write_cached(self._name, b"".join(list(self._known)[-_MOST_NODES:]))


def _mentioning(snapshot: Snapshot, pairs: Iterable[tuple[bytes, Oid]]) -> set[bytes]:
    return {key for key, value in snapshot.values(pairs) if _MENTION in value}


def _is_vouched_for(record: Record, wanted: Collection[str]) -> bool:
    return any(each in wanted for memory in record if memory.active for each in origins_of(memory.metadata))


def all_expired(record: Record, when: datetime) -> bool:
    """Whether a record has active memories and all have expired at the given time."""
    active = [memory for memory in record if memory.active]
    return bool(active) and all(has_expired(memory.metadata, when) for memory in active)


def time_of(snapshot: Snapshot | None) -> datetime:
    """Return the commit time of a snapshot; now, for an empty snapshot or None."""
    commit = snapshot.commit if snapshot else None
    return instant_at(commit.committer.time) if commit else now()
