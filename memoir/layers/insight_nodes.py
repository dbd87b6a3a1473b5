"""The tree of insights as the memories of a namespace make it: what there should be, before a word of it is written.

A leaf rests on the memories of a thread, a branch on the leaves of a first level, the root on the branches. A thread's
leaf is at `LEVEL.THREAD`, its founder's first level and the thread's id, so a newer memory moves no leaf.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memoir.index.threads import Member, Threads
from memoir.index.view import View
from memoir.memory.insight import BRANCH, LEAF, ROOT, digest_of, told_by
from memoir.memory.layers import INSIGHTS, layer_of
from memoir.memory.record import Memory
from memoir.taxonomy.paths import Address

ROOT_PATH = "_root"
MOST_SOURCES = 500
"""The most memories that a leaf names as its sources: the newest."""
_TERMS = 5


class Node(NamedTuple):
    """An insight as it should be.

    Attributes:
        address: Where it is stored, in the layer.
        level: `leaf`, `branch` or `root`.
        terms: Words that its sources share.
        sources: What it rests on: memories of a leaf, insights of the others.
        central: The one of the sources that says most of what they share.
        digest: Changes if a source changes, comes or goes.
        size: How many memories there are below it.
    """

    address: Address
    level: str
    terms: tuple[str, ...]
    sources: tuple[Address, ...]
    central: Address
    digest: str
    size: int


def nodes(view: View, namespace: str, kept: Mapping[Address, Memory]) -> list[Node]:
    """The tree of a namespace, leaves first and the root last; empty if no memories belong together.

    A leaf whose sources are as they were when it was stored is not worked out again if it is to be `kept`: its terms
    are those that it has, and none of its sources is told to be central.
    """
    threads = view.threads()
    leaves = [_leaf(threads, namespace, thread.number, kept) for thread in threads.all([namespace])]
    by_level: dict[str, list[Node]] = defaultdict(list)
    for leaf in leaves:
        by_level[leaf.address.path.partition(".")[0]].append(leaf)
    layer = layer_of(INSIGHTS, namespace)
    branches = [_above(Address(layer, level), BRANCH, by_level[level]) for level in sorted(by_level)]
    root = [_above(Address(layer, ROOT_PATH), ROOT, branches)] if branches else []
    return [*leaves, *branches, *root]


def _leaf(threads: Threads, namespace: str, number: int, kept: Mapping[Address, Memory]) -> Node:
    members = threads.members(number)
    level = members[0].key.path.partition(".")[0]
    place = Address(layer_of(INSIGHTS, namespace), f"{level}.{members[0].key.id}")
    shown = members[-MOST_SOURCES:]
    sources = tuple(dict.fromkeys(member.address for member in shown))
    digest = digest_of(threads.contents(number, shown))
    told = (told_by(kept[place]) if place in kept else None) or {}
    if told.get("sources") == digest:
        return Node(place, LEAF, tuple(map(str, told.get("terms") or ())), sources, sources[-1], digest, len(members))
    central = _central(members).address
    return Node(place, LEAF, tuple(threads.words(number, members)), sources, central, digest, len(members))


def _central(members: Sequence[Member]) -> Member:
    """The memory whose topics the most others share, against its length; of equal ones the newest."""
    held = Counter(stem for member in members for stem, _ in member.topics)

    def centrality(member: Member) -> float:
        shared = sum(held[stem] - 1 for stem, _ in member.topics)
        return shared / (len(member.topics) + _TERMS)

    return max(members, key=lambda member: (centrality(member), member.key))


def _above(place: Address, level: str, below: Sequence[Node]) -> Node:
    largest = max(below, key=lambda node: (node.size, node.address))
    weights: Counter[str] = Counter()
    for node in below:
        for rank, term in enumerate(node.terms):
            weights[term] += node.size * (_TERMS - rank)
    terms = tuple(sorted(weights, key=lambda term: (-weights[term], term))[:_TERMS])
    sources = tuple(node.address for node in below)
    digest = digest_of((node.address, node.digest.encode()) for node in below)
    return Node(place, level, terms, sources, largest.address, digest, sum(node.size for node in below))
