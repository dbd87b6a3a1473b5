"""The order in which git lists a history, from the numbers of its commits.

Commits are numbered, parents before children. A commit whose only parent has the number before its own needs no entry;
every other one is a *joint*. So a straight history of any length is one block, and it costs nothing to find out what a
tip reaches.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

Joints = Mapping[int, Sequence[int]]
"""The parents of each joint, by its number."""


class CommitBlock(NamedTuple):
    """The commits numbered `low` to `high`, each the only parent of the next; `parents` are those of the first."""

    low: int
    high: int
    parents: Sequence[int]


def blocks(joints: Joints, tips: Sequence[int]) -> list[CommitBlock]:
    """The blocks that some tips reach, in the order of `git rev-list --topo-order`. Every parent ends a block.

    Raises:
        ValueError: a parent's number is not below its child's.
    """
    if 1 not in joints or any(not 0 < parent < child for child, parents in joints.items() for parent in parents):
        raise ValueError("every commit but a first one has parents with lower numbers")
    by_end = _find_blocks(joints, tips)
    children = Counter(parent for block in by_end.values() for parent in block.parents)
    return list(_sort(by_end, children, tips))


def _find_blocks(joints: Joints, tips: Sequence[int]) -> dict[int, CommitBlock]:
    """The blocks that some tips reach, by the number of their last commit."""
    ends = {*tips, *(parent for parents in joints.values() for parent in parents), *(low - 1 for low in joints)}
    edges = sorted(end for end in ends if 0 <= end <= max(tips))
    by_end: dict[int, CommitBlock] = {}
    stack = list(tips)
    while stack:
        high = stack.pop()
        if high not in by_end:
            before = edges[bisect_right(edges, high - 1) - 1]
            by_end[high] = CommitBlock(before + 1, high, joints.get(before + 1, (before,)))
            stack += by_end[high].parents
    return by_end


def _sort(blocks: Mapping[int, CommitBlock], children: Counter[int], tips: Iterable[int]) -> Iterator[CommitBlock]:
    """The blocks, children first; of several that are next, the one whose last child came latest."""
    ready = [tip for tip in dict.fromkeys(tips) if not children[tip]][::-1]
    while ready:
        block = blocks[ready.pop()]
        yield block
        for parent in block.parents:
            children[parent] -= 1
            if not children[parent]:
                ready.append(parent)


class CommitCandidates:
    """Some of the commits of a history's blocks, and how each leads to the next ones below it.

    A merge that is not among them is like all its parents in what matters, so it leads to the first one.
    """

    def __init__(self, order: Sequence[CommitBlock], numbers: Sequence[int]) -> None:
        self._order, self._numbers = order, numbers
        self.firsts: dict[int, int | None] = {}
        """The first candidate from the last commit of each block on."""
        for block in reversed(order):
            members = self._within(block)
            self.firsts[block.high] = members[-1] if members else self._below(block)[0]

    def stops(self) -> Iterator[tuple[int, Sequence[int | None]]]:
        """The candidates in the order of the blocks; for each parent of one the candidate that is next there."""
        for block in self._order:
            members = self._within(block)
            for number, successor in zip(members[:0:-1], members[-2::-1], strict=True):
                yield number, (successor,)
            if members:
                below = self._below(block)
                yield members[0], below[: len(block.parents)] if members[0] == block.low else below[:1]

    def _within(self, block: CommitBlock) -> list[int]:
        start, end = bisect_left(self._numbers, block.low), bisect_right(self._numbers, block.high)
        return list(self._numbers[start:end])

    def _below(self, block: CommitBlock) -> Sequence[int | None]:
        """The first candidates below a block, one for each parent; none below a block without parents."""
        return [self.firsts[parent] for parent in block.parents] or [None]
