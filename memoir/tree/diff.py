"""The differences between two trees; only nodes whose ids differ are opened.

A node's id stands for all keys and values below it, and a tree holds each key once. So nodes that
both sides have can be struck out on both, height by height; what is left at the leaves is the
difference. The cost is the nodes that changed: O(changes * log n). Of a range of keys, the cost is the changes in it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from memoir.git.objects import Oid
from memoir.tree.node import TreeNode
from memoir.tree.tree import LAST, Tree, levels, operation


class Delta(NamedTuple):
    """One key whose value differs; None where a side does not have the key."""

    key: bytes
    old: Oid | None
    new: Oid | None

    @property
    def operation(self) -> str:
        """The effect of the change on the key; see `memoir.tree.tree.operation`."""
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
    """How many levels stand above the leaves of each tree.

    Any way down shows it. This one keeps to nodes that the others lack, which have to be read in any case.
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
    """The nodes of one tree, at one height, that the other tree may not have and that may hold keys of a range.

    A node of both may be left on one side alone, where its neighbour shows that it ends before the range: it holds none
    of the range's keys, then.
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
