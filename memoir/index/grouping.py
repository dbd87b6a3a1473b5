"""Which thread a memory belongs to: a fold over the memories in the order of time.

A memory looks only back. It is compared with those earlier memories that hold one of its rarer topics, and joins the
thread of the likest one if the two are alike enough. If it is very like memories of several threads, these become one,
under the number of the oldest. So what is decided about a memory depends on it and on those before it alone: whether
all are folded at once or one by one as they come, the threads are the same, and a newer memory renames none.

Two memories are alike by the rarity of the topics that they share, against that of all their topics:

    likeness(a, b) = sum of w * idf over shared topics / sqrt(mass(a) * mass(b)),   mass = sum of w * idf over all
    idf = ln((n + 100) / (df + 0.5))

with the `n` memories and the `df` holders of a topic that there were when the later one came. A word that is a name in
one of these is a name in it as well, even where it opens a sentence. 100 imaginary memories
about other things keep a topic rare in a small store (compare `memoir.index.schema.PRIOR`).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from memoir.index.schema import PRIOR

ALIKE = 0.2
"""The likeness from which a memory joins a thread. On talk and on facts about projects, from 0.15 on threads of a
hundred memories about everything grew, and with 0.25 most memories stayed alone."""
VERY_ALIKE = 0.35
"""The likeness from which a memory joins several threads to one."""
ENOUGH = 2.0
"""The summed weight of shared topics below which two memories have nothing to do with each other: a name has it, or two
other words. One common word is a coincidence."""
LATEST = 20
"""The newest holders of a topic that a memory is compared with, so that one more memory costs the same in any store."""
_RARE_SHARE, _RARE_COUNT = 0.03, 10
"""A topic in more than this share of the memories before it, and in more than this number, finds no memories."""


class Holders(NamedTuple):
    """How many earlier memories hold a topic, its greatest weight in any, and the numbers of the newest of them."""

    count: int  # type: ignore[assignment]  # hides the method of tuples
    weight: float
    newest: Sequence[int]


class Earlier(Protocol):
    """The memories before a new one, numbered in the order of time."""

    def holders(self, topic: str) -> Holders:
        """The memories that hold a topic."""

    def masses(self, numbers: Iterable[int]) -> Mapping[int, float]:
        """The masses of some memories, by their numbers."""

    def thread(self, number: int) -> int:
        """The thread of a memory: the number of the memory that founded it."""


class Membership(NamedTuple):
    """The decision about a memory.

    Attributes:
        mass: The summed rarity of its topics.
        thread: The number of its thread's founder, None if it founds a thread.
        others: The founders of the threads that it makes a part of that thread.
    """

    mass: float
    thread: int | None
    others: Sequence[int]


def group(topics: Mapping[str, float], count: int, earlier: Earlier) -> Membership:
    """Decide the thread of a memory.

    Args:
        topics: The memory's topics with their weights.
        count: How many memories come before it.
        earlier: What is known of these.
    """
    evidence: dict[int, float] = defaultdict(float)
    overlap: dict[int, float] = defaultdict(float)
    mass = 0.0
    for topic, own in topics.items():
        holders, most, newest = earlier.holders(topic)
        weight = max(own, most)
        rarity = weight * idf(count, holders)
        mass += rarity
        for number in newest if is_rare(count, holders) else ():
            evidence[number] += weight
            overlap[number] += rarity
    near = {number: its for number, its in overlap.items() if evidence[number] >= ENOUGH}
    return _join(mass, _by_thread(near, mass, earlier))


def idf(count: int, holders: int) -> float:
    """The rarity of a topic that some of a number of memories hold."""
    return math.log((count + PRIOR) / (holders + 0.5))


def is_rare(count: int, holders: int) -> bool:
    """Whether a topic is rare enough to find memories by."""
    return holders <= max(_RARE_COUNT, _RARE_SHARE * count)


def _by_thread(weights: Mapping[int, float], mass: float, earlier: Earlier) -> dict[int, float]:
    """The greatest likeness to a memory of each thread."""
    best: dict[int, float] = {}
    for number, its in earlier.masses(weights).items():
        thread = earlier.thread(number)
        best[thread] = max(best.get(thread, 0.0), weights[number] / math.sqrt(mass * its))
    return best


def _join(mass: float, likeness: Mapping[int, float]) -> Membership:
    near = sorted(thread for thread, its in likeness.items() if its >= VERY_ALIKE)
    if not near:
        near = sorted((thread for thread, its in likeness.items() if its >= ALIKE), key=lambda t: (-likeness[t], t))[:1]
    return Membership(mass, near[0] if near else None, near[1:])
