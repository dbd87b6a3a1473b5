"""Checks a tree's shape and counts against trusted trees.

Only nodes that no trusted tree has are opened: without trusted trees it is a full check, against the parent commit's
tree it costs O(changes * log n). So the same function serves `fsck` and every foreign commit.

Whether a node is sound depends on its entry in the parent node, its height, and its upper bound, which all its keys
must be below. A node is accepted if a trusted tree has it at the same height, with the same entry and the same or a
smaller bound; between formats only leaves are. Trusted trees are opened only beside nodes not yet accepted; no list of
sound nodes is kept.

No node is opened twice for the same claim, however often a hostile tree repeats it.
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
"""A node's entry for a child: its first key, count and id."""
_OpenNode = tuple[_Claim | None, TreeNode, bytes]
"""The claim about a node (None for the root), the node, and its upper bound."""


def shape_problems(tree: Tree, *trusted: Tree) -> Iterator[str]:
    """The faults in the shape and counts of a tree, in the parts that no trusted tree has.

    Checks of every node: keys increase and stay below the next node's; each key is at exactly the height of its level;
    each child has the first key and the count that its parent says.
    """
    return (found for found in problems_and_leaves(tree, *trusted) if isinstance(found, str))


def problems_and_leaves(tree: Tree, *trusted: Tree) -> Iterator[str | TreeNode]:
    """The faults in a tree's shape, and each leaf after its faults, so that callers need not read leaves again."""
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
    keys = node.keys if node.counts else node.keys[-1:]  # those of a leaf are sorted
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
    """Each child's claim, with its upper bound."""
    if node.counts is None:
        return {}
    rows = zip(node.keys, node.counts, node.ids, strict=True)
    return dict(zip(rows, [*node.keys[1:], bound], strict=True))


class _TrustedTree:
    """The claims of a trusted tree, height by height, near those of another tree."""

    def __init__(self, tree: Tree, version: int) -> None:
        self._tree = tree
        self._height = tree.height
        self._shares_all = tree.version == version
        self._nodes = [(tree.top, LAST)]

    def strike_out(self, claims: dict[_Claim, bytes], height: int) -> None:
        """Drop the claims, made by nodes at a height, that this tree contains."""
        if not claims or not 0 < height <= self._height or not (height == 1 or self._shares_all):
            return
        while self._height > height:
            self._descend(claims)
        for node, end in self._nodes:
            for claim, bound in _claims(node, end).items():
                if bound <= claims.get(claim, b""):
                    del claims[claim]

    def _descend(self, claims: dict[_Claim, bytes]) -> None:
        """Go down a level, to the nodes whose ranges overlap those of the claims."""
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
