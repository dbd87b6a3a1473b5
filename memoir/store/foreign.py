"""Commits that memoir did not write, read as what they hold.

A hosted merge button merges the trees of two commits entry by entry. It often gets the contents
right and the counts and cuts wrong, without a conflict. Such a tree must not be navigated (keys
could hide behind a wrong boundary) nor built upon. So its leaves alone are believed, and the
tree they ought to have is built in memory; the next write stores it.
"""

from collections.abc import Sequence

from memoir.errors import DamagedStore
from memoir.store.conversation import Found
from memoir.store.node import Node
from memoir.store.odb import ObjectReader, Oid, PackWriter
from memoir.store.tree import Tree

_BASE = b"Memoir-Base: "


def tree_of(commit: bytes) -> Oid:
    """The tree a commit object names, in its first line.

    Raises:
        DamagedStore: it names none.
    """
    word, _, rest = commit.partition(b" ")
    try:
        if word == b"tree":
            return bytes.fromhex(rest.partition(b"\n")[0].decode())
    except ValueError:
        pass
    raise DamagedStore("a commit of the store cannot be read", "run 'memoir fsck'")


def sound_tree(tree: Tree, commit: Found) -> Tree:
    """The tree of a commit, fit to be navigated: as it is stored, or rebuilt from its leaves.

    Raises:
        DamagedStore: it is not a memoir tree, or two of its leaves hold different values of one key.
    """
    return tree if _is_memoirs(tree.reader, commit.data) or _in_shape(tree) else _rebuilt(tree)


def _is_memoirs(reader: ObjectReader, commit: bytes) -> bool:
    """Whether memoir wrote a commit: it names its first parent's tree as what it was made from.

    The commit module's parser knows more; this one is on the way of every read.
    """
    header, _, body = commit.partition(b"\n\n")
    trailers = body.rstrip(b"\n").rpartition(b"\n\n")[2].split(b"\n")
    if not all(line.startswith(b"Memoir-") for line in trailers):
        return False
    base = next((line.removeprefix(_BASE) for line in trailers if line.startswith(_BASE)), None)
    parent = next((line[7:] for line in header.split(b"\n") if line.startswith(b"parent ")), None)
    if parent is None or base is None:
        return parent is base
    found = reader.resolve(parent.decode("ascii", "replace"))
    return found is not None and tree_of(found.data).hex().encode() == base


def _in_shape(tree: Tree) -> bool:
    from memoir.store.shape import shape_problems

    return next(shape_problems(tree, Tree(tree.reader, tree.id_size, None)), None) is None


def _rebuilt(tree: Tree) -> Tree:
    from memoir.store.edit import apply

    overlay = _Overlay(tree.reader, tree.id_size)
    root = apply(Tree(overlay, tree.id_size, None), _leaves(tree), overlay)
    return Tree(overlay, tree.id_size, root)


def _leaves(tree: Tree) -> dict[bytes, Oid]:
    """Every key and value id in a tree's leaves, whatever its internal nodes say."""
    found: dict[bytes, Oid] = {}
    nodes: list[Node] = [tree.top]
    while nodes:
        for node in nodes:
            if node.counts is None:
                _collect(node, found)
        nodes = tree.nodes([oid for node in nodes if node.counts is not None for oid in node.ids])
    return found


def _collect(leaf: Node, found: dict[bytes, Oid]) -> None:
    for key, oid in zip(leaf.keys, leaf.ids, strict=True):
        if found.setdefault(key, oid) != oid:
            raise DamagedStore(
                f"a commit from elsewhere holds two values of {key.decode(errors='replace')!r}",
                "merge its parents with 'memoir merge' instead",
            )


class _Overlay(ObjectReader, PackWriter):
    """Objects that are in memory only, over those of the store."""

    def __init__(self, below: ObjectReader, id_size: int) -> None:
        from memoir.store.digest import sha1, sha256

        self._below = below
        self._digest = sha1 if id_size == 20 else sha256
        self._objects: dict[Oid, bytes] = {}

    def add(self, kind: str, data: bytes) -> Oid:
        """Keep an object in memory."""
        oid = self._digest(b"%s %d\0" % (kind.encode(), len(data)) + data)
        self._objects[oid] = data
        return oid

    def read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        """Read from memory what is there, the rest from the store."""
        rest = [oid for oid in ids if oid not in self._objects]
        stored = dict(zip(rest, self._below.read(rest, kind), strict=True))
        return [self._objects[oid] if oid in self._objects else stored[oid] for oid in ids]
