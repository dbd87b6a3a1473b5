"""Edits the prolly tree level by level: `apply` rewrites the nodes an edit touches, `rebuilt` starts from the leaves.

The result must be the tree that building from scratch would give (history independence). At each height:

1. Only nodes that hold an edited key can change, and a node whose head disappears: its entries
   then belong to the node on its left (unless it is the leftmost, which needs no boundary key).
2. So those nodes, joined into runs, are edited and cut again by `chunking.cut`, which looks at one
   key at a time; everything outside the runs is cut as before.
3. Seen from the next height, the old heads are removals and the new nodes are additions.

At the top, levels are added until one node is left; a root with a single child is replaced by that child.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid, object_id, sha1, sha256
from memoir.git.pack_writer import PackWriter
from memoir.tree.chunking import cut
from memoir.tree.node import FORMAT, TreeNode, encode_internal, encode_leaf
from memoir.tree.tree import Tree, levels


class NodeEntry(NamedTuple):
    """The entry of a key in a node: a value (total 1) or a child node with its total."""

    oid: Oid
    total: int


Changes = Mapping[bytes, NodeEntry | None]
"""New entries by key; None removes the key."""

_Level = dict[bytes, NodeEntry]
"""The entries of a node, or of a run of neighbouring nodes, in key order."""


def apply(tree: Tree, edits: Mapping[bytes, Oid | None], pack: PackWriter) -> Oid:
    """Apply edits (key to value id, None to remove) to a tree, in its own format.

    Costs O(edits * log n) node reads and writes. Return the id of the new root.
    """
    return _Edit(tree, pack).run({key: None if oid is None else NodeEntry(oid, 1) for key, oid in edits.items()})


def upgrade(tree: Tree, pack: PackWriter) -> Oid:
    """Rewrite a tree in the newest format: its internal nodes, about one in 4,096 keys; leaves are the same in all.

    Return the id of the new root.
    """
    return _Edit(tree, pack, FORMAT).rewrite_all()


class _TouchedNode(NamedTuple):
    """A node to edit, and the changes in its range."""

    node: TreeNode
    oid: Oid
    changes: dict[bytes, NodeEntry | None]

    @property
    def loses_first_key(self) -> bool:
        return self.changes.get(self.node.keys[0], self) is None


class _Edit:
    def __init__(self, tree: Tree, pack: PackWriter, version: int | None = None) -> None:
        self.tree = tree
        self.pack = pack
        self.version = version or tree.version
        self.rewritten: dict[Oid, _Level] = {}

    def run(self, changes: Changes) -> Oid:
        self.tree.get(changes)  # loads the nodes on all paths into the cache, level by level
        for height in range(self.tree.height):
            changes = self._rewrite_level(height, changes)
        top = _apply(_entries(self.tree.top), changes)
        return self._write_root(_cut(top, self.tree.height), self.tree.height)

    def rewrite_all(self) -> Oid:
        """Rewrite every internal node once, however often a hostile tree repeats it; return the new root."""
        entries = self._over_new_children(self.tree.top, self.tree.height, {})
        return self._write(entries, self.tree.height, marker=self.pack.add("blob", b"")).oid

    def _over_new_children(self, node: TreeNode, height: int, written: dict[Oid, NodeEntry]) -> _Level:
        """The entries of a node after rewriting the internal nodes below it; `written` has the new nodes by old id."""
        entries = _entries(node)
        if height > 1:
            for oid, child in zip(node.ids, self.tree.nodes(node.ids, keep=False), strict=True):
                if oid not in written and child.counts is not None:
                    written[oid] = self._write(self._over_new_children(child, height - 1, written), height - 1)
        return {key: written.get(entry.oid, entry) for key, entry in entries.items()}

    def _rewrite_level(self, height: int, changes: Changes) -> Changes:
        """Edit the nodes at a height below the root; return the changes for the height above."""
        nodes = self._nodes_to_edit(height, changes)
        above: dict[bytes, NodeEntry | None] = {touched.node.keys[0]: None for touched in nodes}
        for run in _runs(nodes):
            for node in _cut(run, height):
                entry = above[next(iter(node))] = self._write(node, height)
                self.rewritten[entry.oid] = node
        before = {touched.node.keys[0]: touched.oid for touched in nodes}
        return {head: entry for head, entry in above.items() if entry is None or entry.oid != before.get(head)}

    def _nodes_to_edit(self, height: int, changes: Changes) -> list[_TouchedNode]:
        """The nodes with changed keys, and the left neighbours of those that lose their first key."""
        nodes: dict[bytes, _TouchedNode] = {}
        for key, entry in changes.items():
            node, oid = self._locate(height, key)
            nodes.setdefault(node.keys[0], _TouchedNode(node, oid, {})).changes[key] = entry
        for touched in list(nodes.values()):
            while touched.loses_first_key:
                node, oid = self._locate(height, touched.node.keys[0], before=True)
                if node.keys[0] in nodes:  # already included, or the node is the leftmost
                    break
                touched = nodes[node.keys[0]] = _TouchedNode(node, oid, {})
        return [nodes[head] for head in sorted(nodes)]

    def _locate(self, height: int, key: bytes, *, before: bool = False) -> tuple[TreeNode, Oid]:
        """The node at a height whose range includes the key; with `before`, the last one that begins before it."""
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
            data = encode_internal([(key, *entry) for key, entry in entries.items()], marker, self.version)
        else:
            data = encode_leaf([(key, entry.oid) for key, entry in entries.items()], marker, self.version)
        return NodeEntry(self.pack.add("tree", data), sum(entry.total for entry in entries.values()))


def _runs(nodes: list[_TouchedNode]) -> Iterator[_Level]:
    """Join each node that loses its first key to the one before it, and apply the changes."""
    entries: _Level = {}
    changes: dict[bytes, NodeEntry | None] = {}
    for touched in nodes:
        if not touched.loses_first_key and (entries or changes):
            yield _apply(entries, changes)
            entries, changes = {}, {}
        entries |= _entries(touched.node)
        changes |= touched.changes
    yield _apply(entries, changes)


def _apply(entries: _Level, changes: Changes) -> _Level:
    union = {**entries, **changes}
    return {key: entry for key in sorted(union) if (entry := union[key]) is not None}


def _entries(node: TreeNode) -> _Level:
    counts = node.counts if node.counts is not None else [1] * len(node.keys)
    return dict(zip(node.keys, map(NodeEntry, node.ids, counts), strict=True))


def _cut(entries: _Level, height: int) -> list[_Level]:
    return [{key: entries[key] for key in keys} for keys in cut(entries, height)]


def rebuilt(tree: Tree) -> Tree:
    """Build the right tree for the leaves of another one, in memory."""
    overlay = _Overlay(tree.reader, tree.id_size)
    root = apply(Tree(overlay, tree.id_size, None), _leaves(tree), overlay)
    return Tree(overlay, tree.id_size, root)


def _leaves(tree: Tree) -> dict[bytes, Oid]:
    """The keys and value ids in a tree's leaves, regardless of its internal nodes; each node is opened once."""
    entries: dict[bytes, Oid] = {}
    nodes: list[TreeNode] = [tree.top]
    ids_so_far: set[Oid] = set()
    for _ in levels():
        if not nodes:
            break
        for node in nodes:
            if node.counts is None:
                _collect(node, entries)
        below = {oid for node in nodes if node.counts is not None for oid in node.ids} - ids_so_far
        ids_so_far |= below
        nodes = tree.nodes(list(below), keep=False)
    return entries


def _collect(leaf: TreeNode, values: dict[bytes, Oid]) -> None:
    for key, oid in zip(leaf.keys, leaf.ids, strict=True):
        if values.setdefault(key, oid) != oid:
            raise DamagedStore(
                f"a commit that memoir did not write has two values of {key.decode(errors='replace')!r}",
                "merge its parents with 'memoir merge' instead",
            )


class _Overlay(ObjectReader, PackWriter):
    """Objects only in memory, on top of those of the store."""

    def __init__(self, below: ObjectReader, id_size: int) -> None:
        self._below = below
        self._digest = sha1 if id_size == 20 else sha256
        self._objects: dict[Oid, bytes] = {}

    def add(self, kind: str, data: bytes) -> Oid:
        """Keep an object in memory."""
        oid = object_id(self._digest, kind, data)
        self._objects[oid] = data
        return oid

    def read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        """Read objects from memory if they are there, else from the store."""
        rest = [oid for oid in ids if oid not in self._objects]
        from_store = dict(zip(rest, self._below.read(rest, kind), strict=True))
        return [self._objects[oid] if oid in self._objects else from_store[oid] for oid in ids]
