"""Editing the prolly tree: `apply` rewrites the nodes an edit touches, level by level.

The result must be the tree that building from scratch would give (history independence). At each
height the argument is the same:

1. Only nodes that hold an edited key can change, and a node whose head disappears: its entries
   then belong to the node on its left (unless it is the leftmost, which needs no boundary key).
2. So those nodes, joined into runs, are edited and cut again by `chunking.cut`, which looks at one
   key at a time; everything outside the runs is cut as before.
3. Seen from the next height, the old heads are removals and the new nodes are additions.

At the top, several nodes grow new levels until one is left; a root with a single child gives way
to that child.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memoir.git.objects import Oid
from memoir.git.odb import PackWriter
from memoir.tree.chunking import cut
from memoir.tree.node import TreeNode, encode_internal, encode_leaf
from memoir.tree.tree import Tree


class NodeEntry(NamedTuple):
    """The entry of a key in a node: a value (count 1) or a child node with its count."""

    oid: Oid
    total: int


Changes = Mapping[bytes, NodeEntry | None]
"""New entries by key; None removes the key."""

_Level = dict[bytes, NodeEntry]
"""The entries of a node, or of a run of neighbouring nodes, in key order."""


def apply(tree: Tree, edits: Mapping[bytes, Oid | None], pack: PackWriter) -> Oid:
    """Write the tree that `tree` becomes under the edits (key to value id, None to remove).

    Costs O(edits * log n) node reads and writes. Returns the id of the new root.
    """
    return _Edit(tree, pack).run({key: None if oid is None else NodeEntry(oid, 1) for key, oid in edits.items()})


class _TouchedNode(NamedTuple):
    """A node that has to be looked at again, and the changes that fall into its range."""

    node: TreeNode
    oid: Oid
    changes: dict[bytes, NodeEntry | None]

    @property
    def loses_head(self) -> bool:
        return self.changes.get(self.node.keys[0], self) is None


class _Edit:
    def __init__(self, tree: Tree, pack: PackWriter) -> None:
        self.tree = tree
        self.pack = pack
        self.rewritten: dict[Oid, _Level] = {}

    def run(self, changes: Changes) -> Oid:
        self.tree.get(changes)  # brings every node on the way into the cache, a level at a time
        for height in range(self.tree.height):
            changes = self._rewrite_level(height, changes)
        top = _apply(_entries(self.tree.top), changes)
        return self._write_root(_cut(top, self.tree.height), self.tree.height)

    def _rewrite_level(self, height: int, changes: Changes) -> Changes:
        """Edit the nodes at a height below the root's; return the changes for the height above."""
        nodes = self._nodes_to_edit(height, changes)
        above: dict[bytes, NodeEntry | None] = {place.node.keys[0]: None for place in nodes}
        for run in _runs(nodes):
            for node in _cut(run, height):
                entry = above[next(iter(node))] = self._write(node, height)
                self.rewritten[entry.oid] = node
        before = {place.node.keys[0]: place.oid for place in nodes}
        return {head: entry for head, entry in above.items() if entry is None or entry.oid != before.get(head)}

    def _nodes_to_edit(self, height: int, changes: Changes) -> list[_TouchedNode]:
        """Nodes that hold changed keys, with the left neighbours of those that lose their head."""
        nodes: dict[bytes, _TouchedNode] = {}
        for key, entry in changes.items():
            node, oid = self._locate(height, key)
            nodes.setdefault(node.keys[0], _TouchedNode(node, oid, {})).changes[key] = entry
        for place in list(nodes.values()):
            while place.loses_head:
                node, oid = self._locate(height, place.node.keys[0], before=True)
                if node.keys[0] in nodes:  # so is its own neighbour, or it is the leftmost node
                    break
                place = nodes[node.keys[0]] = _TouchedNode(node, oid, {})
        return [nodes[head] for head in sorted(nodes)]

    def _locate(self, height: int, key: bytes, *, before: bool = False) -> tuple[TreeNode, Oid]:
        """The node at a height whose range holds the key; with `before`, the last that begins before it."""
        node, oid = self.tree.top, Oid()
        for _ in range(self.tree.height - height):
            position = max(bisect_left(node.keys, key) - 1, 0) if before else node.child_for(key)
            oid = node.ids[position]
            node = self.tree.node(oid)
        return node, oid

    def _write_root(self, nodes: list[_Level], height: int) -> Oid:
        while len(nodes) > 1:
            nodes = _cut({next(iter(node)): self._write(node, height) for node in nodes}, height + 1)
            height += 1
        root = nodes[0] if nodes else {}
        while height and len(root) == 1:
            (child,) = root.values()
            root = self.rewritten.get(child.oid) or _entries(self.tree.node(child.oid))
            height -= 1
        return self._write(root, height if root else 0, marker=self.pack.add("blob", b"")).oid

    def _write(self, entries: _Level, height: int, marker: Oid | None = None) -> NodeEntry:
        if height:
            data = encode_internal([(key, *entry) for key, entry in entries.items()], marker)
        else:
            data = encode_leaf([(key, entry.oid) for key, entry in entries.items()], marker)
        return NodeEntry(self.pack.add("tree", data), sum(entry.total for entry in entries.values()))


def _runs(nodes: list[_TouchedNode]) -> Iterator[_Level]:
    """Join each node that loses its head to the one before it, and apply the changes."""
    entries: _Level = {}
    changes: dict[bytes, NodeEntry | None] = {}
    for place in nodes:
        if not place.loses_head and (entries or changes):
            yield _apply(entries, changes)
            entries, changes = {}, {}
        entries |= _entries(place.node)
        changes |= place.changes
    yield _apply(entries, changes)


def _apply(entries: _Level, changes: Changes) -> _Level:
    union = {**entries, **changes}
    return {key: entry for key in sorted(union) if (entry := union[key]) is not None}


def _entries(node: TreeNode) -> _Level:
    counts = node.counts if node.counts is not None else [1] * len(node.keys)
    return dict(zip(node.keys, map(NodeEntry, node.ids, counts), strict=True))


def _cut(entries: _Level, height: int) -> list[_Level]:
    return [{key: entries[key] for key in keys} for keys in cut(entries, height)]
