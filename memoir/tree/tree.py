"""Reads the prolly tree: keys, ranges, counts and differences.

`get` opens one node a level, `count` two paths. `scan` opens the nodes of the range, level by level, in growing
batches, so that stopping early saves the rest.

`diff` opens only nodes whose ids differ. A node's id identifies all keys and values below it, and a tree has each key
once. So nodes common to both sides are struck out, height by height; the rest at the leaves is the difference. It costs
O(changes * log n), for a range of keys only the changes in it.

A tree may be hostile: a few nodes, each containing the next many times, look like any number of keys. So no walk goes
deeper than `MAX_HEIGHT`, and `scan` yields keys in strict order or raises an error.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from memoir.errors import DamagedStore
from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid
from memoir.tree.node import EMPTY, MAX_HEIGHT, TreeNode, decode

LAST = b"\xff"
"""Sorts after every key: no key begins with this byte, since keys are UTF-8."""

_FIRST_BATCH, _LARGEST_BATCH = 4, 256
_T = TypeVar("_T")


class Tree:
    """One immutable snapshot of keys and value ids, read lazily.

    `root` is the id of the root node, or None for the tree of a branch without commits.
    """

    def __init__(self, reader: ObjectReader, id_size: int, root: Oid | None) -> None:
        self.reader = reader
        self.id_size = id_size
        self.root = root
        self._cache: dict[Oid, TreeNode] = {}
        self._height: int | None = None

    @property
    def top(self) -> TreeNode:
        """The root node."""
        if self.root is None:
            return EMPTY
        if self.root not in self._cache:
            data = self.reader.read([self.root], "tree")[0]
            self._cache[self.root] = decode(data, self.id_size, root=True)
        return self._cache[self.root]

    @property
    def version(self) -> int:
        """The format that the tree has, or will have if it is empty."""
        return self.top.version

    @property
    def height(self) -> int:
        """The number of levels of internal nodes above the leaves."""
        if self._height is None:
            node = self.top
            for height in levels():
                if node.counts is None:
                    self._height = height
                    break
                child = next((oid for oid in node.ids if oid in self._cache), node.ids[0])  # any path down shows it
                node = self.node(child)
        assert self._height is not None
        return self._height

    def nodes(self, ids: Sequence[Oid], *, keep: bool = True) -> list[TreeNode]:
        """Decode nodes below the root, reading new ones in one batch."""
        new_ids = [oid for oid in dict.fromkeys(ids) if oid not in self._cache]
        fresh = {
            oid: decode(data, self.id_size)
            for oid, data in zip(new_ids, self.reader.read(new_ids, "tree"), strict=True)
        }
        if keep:
            self._cache |= fresh
        return [self._cache[oid] if oid in self._cache else fresh[oid] for oid in ids]

    def node(self, oid: Oid) -> TreeNode:
        """Decode one node below the root."""
        return self._cache[oid] if oid in self._cache else self.nodes([oid])[0]

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Oid]:
        """The value ids of those keys that exist: O(log n) nodes a key, read a level at a time."""
        value_ids: dict[bytes, Oid] = {}
        frontier = [(self.top, sorted(set(keys)))]
        for _ in levels():
            if not frontier:
                break
            children: dict[Oid, list[bytes]] = {}
            for node, keys_here in frontier:
                if node.counts is None:
                    entries = dict(zip(node.keys, node.ids, strict=True))
                    value_ids |= {key: entries[key] for key in keys_here if key in entries}
                else:
                    for key in keys_here:
                        children.setdefault(node.ids[node.child_for(key)], []).append(key)
            frontier = list(zip(self.nodes(list(children)), children.values(), strict=True))
        return value_ids

    def scan(self, low: bytes = b"", high: bytes = LAST) -> Iterator[tuple[bytes, Oid]]:
        """Keys and value ids with low <= key < high, in key order.

        Raises:
            DamagedStore: the keys are out of order or repeated.
        """
        last = b""
        for key, oid in self._scan([self.top], low, high, 0):
            if key <= last:
                name = key.decode(errors="replace")
                raise DamagedStore(f"a tree of the store has {name!r} out of order", "run 'memoir fsck'")
            last = key
            yield key, oid

    def _scan(self, nodes: list[TreeNode], low: bytes, high: bytes, depth: int) -> Iterator[tuple[bytes, Oid]]:
        if depth > MAX_HEIGHT:
            raise _too_high()
        if nodes and nodes[0].counts is None:
            for node in nodes:
                yield from ((k, v) for k, v in zip(node.keys, node.ids, strict=True) if low <= k < high)
            return
        inside = [child for node in nodes for child in node.children_within(low, high)]
        for batch in _batches(inside):
            yield from self._scan(self.nodes(batch, keep=False), low, high, depth + 1)

    def rank(self, key: bytes) -> int:
        """The number of keys that sort before the given one."""
        node, rank = self.top, 0
        for _ in levels():
            if node.counts is None:
                break
            position = node.child_for(key)
            rank += sum(node.counts[:position])
            node = self.node(node.ids[position])
        return rank + bisect_left(node.keys, key)

    def key_at(self, rank: int) -> bytes:
        """The key with the given rank, or the last key; the tree must not be empty."""
        node = self.top
        for _ in levels():
            if node.counts is None:
                break
            child = 0
            while child < len(node.counts) - 1 and rank >= node.counts[child]:
                rank -= node.counts[child]
                child += 1
            node = self.node(node.ids[child])
        return node.keys[min(rank, len(node.keys) - 1)]

    def count(self, low: bytes = b"", high: bytes = LAST) -> int:
        """The number of keys with low <= key < high; opens two paths from the root."""
        if low == b"" and high == LAST:
            return self.top.total
        return max(self.rank(high) - self.rank(low), 0)

    def first(self, low: bytes) -> bytes | None:
        """The smallest key that is not below `low`."""
        return self._first(self.top, low, 0)

    def _first(self, node: TreeNode, low: bytes, depth: int) -> bytes | None:
        if depth > MAX_HEIGHT:
            raise _too_high()
        if node.counts is None:
            position = bisect_left(node.keys, low)
            return node.keys[position] if position < len(node.keys) else None
        position = node.child_for(low)
        if (key := self._first(self.node(node.ids[position]), low, depth + 1)) is not None:
            return key
        return node.keys[position + 1] if position + 1 < len(node.keys) else None


def has_node(tree: Tree, key: bytes, oid: Oid) -> bool:
    """Whether a tree has the node, below its root, on the path to a key."""
    return any(node.counts is not None and node.ids[node.child_for(key)] == oid for node in _path_to(tree, key))


def has_value(tree: Tree, key: bytes, oid: Oid) -> bool:
    """Whether a key has the given value in a tree."""
    *_, leaf = _path_to(tree, key)
    position = bisect_left(leaf.keys, key)
    return leaf.keys[position : position + 1] == [key] and leaf.ids[position] == oid


def _path_to(tree: Tree, key: bytes) -> Iterator[TreeNode]:
    node = tree.top
    yield node
    for _ in levels():
        if node.counts is None:
            return
        node = tree.node(node.ids[node.child_for(key)])
        yield node


def levels() -> Iterator[int]:
    """The heights of a tree, for a walk that ends at a leaf.

    Raises:
        DamagedStore: the walk is deeper than any tree that memoir writes.
    """
    yield from range(MAX_HEIGHT + 2)
    raise _too_high()


def _too_high() -> DamagedStore:
    return DamagedStore("a tree of the store is higher than any that memoir writes", "run 'memoir fsck'")


def _batches(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    start, size = 0, _FIRST_BATCH
    while start < len(items):
        yield items[start : start + size]
        start, size = start + size, min(size * 4, _LARGEST_BATCH)


def operation(old: object | None, new: object | None) -> str:
    """The operation from an old to a new value (None: no value): `added`, `removed` or `modified`."""
    return "added" if old is None else "removed" if new is None else "modified"


class Delta(NamedTuple):
    """One key whose values differ; None where a side lacks the key."""

    key: bytes
    old: Oid | None
    new: Oid | None

    @property
    def operation(self) -> str:
        """The operation on the key; see `operation`."""
        return operation(self.old, self.new)


def diff(old: Tree, new: Tree, low: bytes = b"", high: bytes = LAST) -> Iterator[Delta]:
    """The keys with low <= key < high that differ between two trees, in key order."""
    if old.root == new.root:
        return
    before, after = (
        _Side(tree, height, low, high) for tree, height in zip((old, new), _heights(old, new), strict=True)
    )
    while before.height or after.height:
        if before.height == after.height:
            before.strike_out(after)
        height = max(before.height, after.height)
        for side in (before, after):
            if side.height == height:
                side.descend()
    rows_before, rows_after = before.rows(), after.rows()
    gone, come = dict(rows_before - rows_after), dict(rows_after - rows_before)
    for key in sorted(gone.keys() | come.keys()):
        if low <= key < high:
            yield Delta(key, gone.get(key), come.get(key))


def _heights(*trees: Tree) -> list[int]:
    """The height of each tree.

    Any path down shows it; this one prefers nodes that the others lack, which must be read anyway.
    """
    heights = [0] * len(trees)
    nodes = [tree.top for tree in trees]
    for _ in levels():
        if all(node.counts is None for node in nodes):
            break
        occurrences = Counter(oid for node in nodes for oid in node.ids)
        for number, (tree, node) in enumerate(zip(trees, nodes, strict=True)):
            if node.counts is not None:
                nodes[number] = tree.node(next((oid for oid in node.ids if occurrences[oid] == 1), node.ids[0]))
                heights[number] += 1
    return heights


class _Side:
    """The nodes of one tree at one height that the other tree may lack and that may have keys of the range.

    A node that both trees have may remain on one side if the other knows, from its neighbour, that it ends before the
    range: it has no keys of the range.
    """

    def __init__(self, tree: Tree, height: int, low: bytes, high: bytes) -> None:
        self.tree = tree
        self.height = height
        self.low = low
        self.high = high
        self.nodes: list[TreeNode] = [tree.top]
        self.children = self._children()

    def strike_out(self, other: "_Side") -> None:
        common = self.children & other.children
        self.children -= common
        other.children -= common

    def descend(self) -> None:
        self.nodes = self.tree.nodes(list(self.children))
        self.height -= 1
        self.children = self._children()

    def rows(self) -> set[tuple[bytes, Oid]]:
        return set().union(*(zip(node.keys, node.ids, strict=True) for node in self.nodes))

    def _children(self) -> set[Oid]:
        return (
            {oid for node in self.nodes for oid in node.children_within(self.low, self.high)} if self.height else set()
        )
