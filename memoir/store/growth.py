"""Grow a snapshot's tree by a change, portion by portion."""

from collections.abc import Iterable, Sequence
from itertools import islice

from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.store.commit import BULK, ChangeList
from memoir.store.snapshot import Snapshot
from memoir.tree.edit import apply, upgrade
from memoir.tree.node import FORMAT
from memoir.tree.tree import Tree

PORTION = 5000
"""The edits that are applied at once."""

Moves = tuple[tuple[bytes, bytes], ...]


class Growth:
    """Applies a change to a snapshot's tree, and finds the edits that really changed something.

    A change is applied in portions, so that memory use does not grow with its size. A tree depends only on its set of
    keys, so the root is the same for any portions. Each portion is applied to the tree after the one before, whose
    newest nodes may still wait in the pack. The few nodes needed only by such a tree stay in the store until `gc`.

    A head in an older format is rewritten in the newest one first.
    """

    def __init__(self, head: Snapshot, reader: ObjectReader, pack: PackWriter) -> None:
        self._head = head
        self._reader = StoreAndPack(reader, pack)
        self._pack = pack
        self._tree = self._before = head.tree
        self._put: set[bytes] = set()
        self._forget: set[bytes] = set()
        self._count = 0
        self.met = False
        """Whether the head has any of the keys."""
        self.unchanged = head.stored_root
        """The resulting root if nothing changes."""
        if head.tree.root != head.stored_root:  # rebuilt from another git's commit, so its nodes are not stored
            self._tree = self._tree_at(None)
            self._apply(dict(head.tree.scan()))
        elif head.tree.version < FORMAT:
            self.unchanged = upgrade(head.tree, pack)
            self._tree = self._tree_at(self.unchanged)

    def take(self, edits: Iterable[tuple[bytes, Oid | None]], moves: Moves) -> tuple[Oid, ChangeList]:
        """Apply edits of different keys (None removes one); return the root and the actual difference from the head."""
        rest = iter(edits)
        size = None if moves else PORTION  # moves need the old values of all keys at once
        portion = dict(islice(rest, size))
        before = self._before.get(portion)
        root = self._step(portion, before, listed=True)
        real_moves = tuple((old, new) for old, new in moves if old in before and new in self._put)
        while portion := dict(islice(rest, size)):
            if self._head.tree.root == self._head.stored_root:
                self._before = self._tree_at(self._head.tree.root)  # drops the cached nodes of the last portion
            root = self._step(portion, self._before.get(portion), listed=self._count <= BULK)
        if self._count > BULK:
            return root, ChangeList(self._head.stored_root, moves=real_moves, bulk=self._count)
        put, forget = tuple(sorted(self._put)), tuple(sorted(self._forget))
        return root, ChangeList(self._head.stored_root, put, forget, real_moves)

    def _step(self, portion: dict[bytes, Oid | None], before: dict[bytes, Oid], *, listed: bool) -> Oid:
        put = {key for key, oid in portion.items() if oid is not None and before.get(key) != oid}
        forget = {key for key, oid in portion.items() if oid is None and key in before}
        self.met |= bool(before)
        self._count += len(put) + len(forget)
        if listed:
            self._put |= put
            self._forget |= forget
        return self._apply(portion)

    def _apply(self, portion: dict[bytes, Oid | None]) -> Oid:
        root = apply(self._tree, portion, self._pack)
        self._tree = self._tree_at(root)
        return root

    def _tree_at(self, root: Oid | None) -> Tree:
        return Tree(self._reader, self._head.tree.id_size, root)


class StoreAndPack(ObjectReader):
    """Reads objects from the store and trees that still wait in a pack; reading a waiting value flushes the pack."""

    def __init__(self, below: ObjectReader, pack: PackWriter) -> None:
        self._below = below
        self._pack = pack

    def read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        """Read trees from the pack if they are there, all else from the store."""
        if kind == "blob" and any(map(self._pack.waits, ids)):
            self._pack.flush()
        from_pack = {oid: data for oid in ids if (data := self._pack.new_trees.get(oid)) is not None}
        rest = [oid for oid in ids if oid not in from_pack]
        from_store = dict(zip(rest, self._below.read(rest, kind), strict=True))
        return [from_pack[oid] if oid in from_pack else from_store[oid] for oid in ids]
