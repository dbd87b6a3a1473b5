"""Commits that memoir did not write, and putting their trees right.

A hosted merge button merges the trees of two commits entry by entry. It often gets the contents
right and the counts and cuts wrong, without a conflict. Such a tree must not be navigated (keys
could hide behind a wrong boundary) nor built upon. Only its leaves are believed.
"""

from memoir.errors import DamagedStore
from memoir.store.node import Node
from memoir.store.odb import Oid
from memoir.store.snapshot import Snapshot
from memoir.store.tree import Tree

_SIGN = b"\nMemoir-"


def is_sound(snapshot: Snapshot) -> bool:
    """Whether a snapshot's tree may be navigated: memoir wrote its commit, or its whole shape is right."""
    if snapshot.found is None or _SIGN in snapshot.found.data:
        return True
    from memoir.store.shape import shape_problems

    empty = Tree(snapshot.tree.reader, snapshot.tree.id_size, None)
    return next(shape_problems(snapshot.tree, empty), None) is None


def leaves(tree: Tree) -> dict[bytes, Oid]:
    """Every key and value id in a tree's leaves, whatever its internal nodes say.

    Raises:
        DamagedStore: two leaves hold different values of one key.
    """
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
