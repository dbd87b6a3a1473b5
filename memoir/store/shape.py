"""Checking a tree's shape and counts against one that is trusted.

Only what the trusted tree does not have is opened: against nothing it is a full check, against
its parent commit's tree it costs O(changes * log n). So the same function serves `fsck`
and every commit that arrives from elsewhere.
"""

from collections.abc import Iterator

from memoir.store.chunking import level
from memoir.store.node import Node
from memoir.store.odb import Oid
from memoir.store.tree import LAST, Tree

_Claim = tuple[bytes, int, Oid]
"""What a node says of a child: its first key, its count, its id."""


def shape_problems(tree: Tree, trusted: Tree) -> Iterator[str]:
    """What is wrong with the shape and counts of a tree, in the parts that `trusted` does not share.

    Checked of every node: keys increase and stay below the next node's; each key stands at exactly
    the height its level asks for; each child begins where, and holds as many as, its parent says.
    """
    if tree.height and len(tree.top.keys) == 1:
        yield "the root has a single child"
    known = _Trusted(trusted)
    opened: list[tuple[Node, bytes]] = [(tree.top, LAST)]
    for height in range(tree.height, -1, -1):
        for node, bound in opened:
            yield from _node_problems(node, height, bound)
        if height == 0:
            return
        claims = {claim: bound for node, bound in opened for claim, bound in _claims(node, bound)}
        fresh = {claim: bound for claim, bound in claims.items() if claim not in known.claims(height)}
        children = tree.nodes([oid for _, _, oid in fresh])
        for (key, count, _), child in zip(fresh, children, strict=True):
            if not child.keys or child.keys[0] != key or child.total != count:
                yield f"the node at {key.decode()!r} is said to hold {count} and holds {child.total}"
        opened = list(zip(children, fresh.values(), strict=True))


def _node_problems(node: Node, height: int, bound: bytes) -> Iterator[str]:
    if (node.counts is None) != (height == 0):
        yield f"a node at height {height} is of the wrong kind"
        return
    for left, right in zip(node.keys, [*node.keys[1:], bound], strict=False):  # an empty root has no keys
        if left >= right:
            yield f"key {left.decode(errors='replace')!r} is out of order"
    for key in node.keys[1:]:
        if level(key) != height:
            yield f"key {key.decode(errors='replace')!r} stands at height {height}, not {level(key)}"


def _claims(node: Node, bound: bytes) -> Iterator[tuple[_Claim, bytes]]:
    """Each child's claim, with the key that everything below it must stay under."""
    if node.counts is not None:
        rows = zip(node.keys, node.counts, node.ids, strict=True)
        yield from zip(rows, [*node.keys[1:], bound], strict=True)


class _Trusted:
    """The claims of a trusted tree, height by height, opened no further than asked."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._height = tree.height
        self._nodes = [tree.top]

    def claims(self, height: int) -> set[_Claim]:
        if height > self._tree.height:
            return set()
        while self._height > height:
            self._nodes = self._tree.nodes([oid for node in self._nodes for oid in node.ids])
            self._height -= 1
        return {claim for node in self._nodes for claim, _ in _claims(node, LAST)}
