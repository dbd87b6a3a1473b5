"""Checking a tree's shape and counts against trees that are trusted.

Only what no trusted tree has is opened: against nothing it is a full check, against its parent commit's tree it costs
O(changes * log n). So the same function serves `fsck` and every commit that arrives from elsewhere.

What is sound about a node depends on its entry in the node above it, on its height, and on the key that everything in
it must stay under. A trusted tree vouches for a node at the same height, with the same entry, and with that key or a
smaller one; between formats only for leaves. Of each trusted tree the nodes are opened that lie beside what is not
vouched for yet: no list of sound nodes is kept.

No node is opened twice for the same claim, however often a hostile tree holds it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import lt

from memoir.git.objects import Oid
from memoir.tree.chunking import level, misplaced
from memoir.tree.node import TreeNode
from memoir.tree.tree import LAST, Tree

_BATCH = 500
_Claim = tuple[bytes, int, Oid]
"""A node's entry for a child: its first key, its count, its id."""
_OpenNode = tuple[_Claim | None, TreeNode, bytes]
"""A node, what was said of it (nothing of the root), and the key that everything in it must stay under."""


def shape_problems(tree: Tree, *trusted: Tree) -> Iterator[str]:
    """The faults in the shape and counts of a tree, in the parts that it shares with no trusted tree.

    Checked of every node: keys increase and stay below the next node's; each key stands at exactly
    the height its level asks for; each child begins where, and holds as many as, its parent says.
    """
    return (found for found in problems_and_leaves(tree, *trusted) if isinstance(found, str))


def problems_and_leaves(tree: Tree, *trusted: Tree) -> Iterator[str | TreeNode]:
    """The faults in a tree's shape, and each leaf behind its own: whoever wants them need not read them again."""
    if tree.height and len(tree.top.keys) == 1:
        yield "the root has a single child"
    sides = [_TrustedTree(each, tree.version) for each in trusted if each.root]
    nodes: Iterable[_OpenNode] = [(None, tree.top, LAST)]
    for height in range(tree.height, -1, -1):
        claims: dict[_Claim, bytes] = {}
        for claim, node, bound in nodes:
            yield from _claim_problems(claim, node)
            yield from _node_problems(node, height, bound, tree.version)
            if node.counts is None:
                yield node
            claims |= _claims(node, bound)
        for side in sides:
            side.strike_out(claims, height)
        nodes = _open(tree, claims)


def _open(tree: Tree, claims: dict[_Claim, bytes]) -> Iterator[_OpenNode]:
    rest = iter(claims.items())
    while batch := list(islice(rest, _BATCH)):
        nodes = tree.nodes([oid for (_, _, oid), _ in batch], keep=False)
        yield from ((claim, node, bound) for (claim, bound), node in zip(batch, nodes, strict=True))


def _claim_problems(claim: _Claim | None, node: TreeNode) -> Iterator[str]:
    if claim and (node.keys[0] != claim[0] or node.total != claim[1]):
        yield f"the node at {_quote(claim[0])} has the count {claim[1]}, but holds {node.total}"


def _node_problems(node: TreeNode, height: int, bound: bytes, version: int) -> Iterator[str]:
    if (node.counts is None) != (height == 0):
        yield f"a node at height {height} is of the wrong kind"
        return
    if node.version not in (0, version):
        yield f"the node at {_quote(node.keys[0])} has the format {node.version}, and the root {version}"
    keys = node.keys if node.counts else node.keys[-1:]  # those of a leaf are in order
    followers = [*keys[1:], bound]
    if not all(map(lt, keys, followers)):
        for first, second in zip(keys, followers, strict=False):  # an empty root has no keys
            if first >= second:
                yield f"key {_quote(first)} is out of order"
    for key in misplaced(node.keys[1:], height):
        yield f"key {_quote(key)} is at height {height}, not {level(key)}"


def _quote(key: bytes) -> str:
    return repr(key.decode(errors="replace"))


def _claims(node: TreeNode, bound: bytes) -> dict[_Claim, bytes]:
    """Each child's claim, with the key that everything below it must stay under."""
    if node.counts is None:
        return {}
    rows = zip(node.keys, node.counts, node.ids, strict=True)
    return dict(zip(rows, [*node.keys[1:], bound], strict=True))


class _TrustedTree:
    """The claims of a trusted tree, height by height, as far as they lie beside those of another tree."""

    def __init__(self, tree: Tree, version: int) -> None:
        self._tree = tree
        self._height = tree.height
        self._shares_all = tree.version == version
        self._nodes = [(tree.top, LAST)]

    def strike_out(self, claims: dict[_Claim, bytes], height: int) -> None:
        """Drop the claims of which this tree shows that they hold; they are made by nodes at a height."""
        if not claims or not 0 < height <= self._height or not (height == 1 or self._shares_all):
            return
        while self._height > height:
            self._descend(claims)
        for node, end in self._nodes:
            for claim, bound in _claims(node, end).items():
                if bound <= claims.get(claim, b""):
                    del claims[claim]

    def _descend(self, claims: dict[_Claim, bytes]) -> None:
        """Go on to the nodes that may hold keys of some claims' ranges."""
        ranges = sorted((first, bound) for (first, _, _), bound in claims.items())
        beside = []
        for node, end in self._nodes:
            for (first, _, oid), bound in _claims(node, end).items():
                before = bisect_left(ranges, (bound,))
                if before and ranges[before - 1][1] > first:
                    beside.append((oid, bound))
        nodes = self._tree.nodes([oid for oid, _ in beside])
        self._nodes = [(node, bound) for node, (_, bound) in zip(nodes, beside, strict=True)]
        self._height -= 1
