"""Plan the tree of insights of a namespace: its nodes, before any text is written.

A leaf summarizes the memories of a thread, a branch the leaves of a first level, the root the branches. A leaf is at
`LEVEL.THREAD`, the first level of its thread's founder and the thread's id, so newer memories do not move it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memoir.index.insight_state import MOST_SOURCES, Insights, Leaf, LevelThreads, StoredInsight
from memoir.index.thread_view import Threads
from memoir.index.view import View
from memoir.memory.layer_namespaces import INSIGHTS, layer_of
from memoir.records.metadata import BRANCH, LEAF, ROOT, digest_of
from memoir.taxonomy.paths import Address

ROOT_PATH = "_root"
MOST_BELOW = 60
"""The most sources of a branch or the root: those about the most memories."""
_TERMS = 5


class BuildPlan(NamedTuple):
    """The work to bring the insights of a namespace up to date."""

    leaves: Sequence[Leaf]
    """The leaves to write."""
    branches: Sequence[LevelThreads]
    """The first levels whose branches to write."""
    root: str | None
    """The digest of the root, if it has to be written."""
    removals: Sequence[Address]
    """The insights to remove."""
    total: int
    """The number of insights in the complete tree."""
    levels: Sequence[LevelThreads]
    """All first levels with threads."""
    above: Mapping[str, StoredInsight]
    """The stored branches and root, by path."""

    def addresses(self, layer: str) -> Iterator[Address]:
        """Yield the addresses of the insights to write, leaves first, the root last."""
        paths = (*(leaf.path for leaf in self.leaves), *(level.name for level in self.branches))
        yield from (Address(layer, path) for path in paths)
        if self.root:
            yield Address(layer, ROOT_PATH)


class InsightNode(NamedTuple):
    """A node of the tree: an insight to write."""

    address: Address
    """Its address in the layer."""
    level: str
    """`leaf`, `branch` or `root`."""
    terms: tuple[str, ...]
    """The words shared by its sources."""
    sources: tuple[Address, ...]
    """Its sources: memories for a leaf, insights for others."""
    digest: str
    """A digest that changes if a source changes, is added or removed."""
    size: int
    """The number of memories below it."""
    digests: Mapping[Address, str] = {}
    """The digests of the sources, if these are insights."""


def plan(view: View, namespace: str) -> BuildPlan:
    """Plan the insights of a namespace."""
    insights, layer = view.insights(namespace), layer_of(INSIGHTS, namespace)
    above, levels = insights.above(), insights.levels()

    def is_old(path: str, digest: str) -> bool:
        insight = above.get(path)
        return insight is None or insight.digest != digest

    root = _digest(layer, levels) if levels else None
    paths = {*(level.name for level in levels), *([ROOT_PATH] if levels else [])}
    return BuildPlan(
        insights.find_outdated(),
        [level for level in levels if is_old(level.name, _digest(layer, [level]))],
        root if root and is_old(ROOT_PATH, root) else None,
        [Address(layer, path) for path in sorted({*insights.find_orphans(), *(above.keys() - paths)})],
        insights.count() + len(paths),
        levels,
        above,
    )


def nodes(view: View, namespace: str, plan: BuildPlan) -> list[InsightNode]:
    """The nodes of a plan, leaves first and the root last."""
    insights, threads, layer = view.insights(namespace), view.threads(), layer_of(INSIGHTS, namespace)
    leaves = {leaf.path: _leaf(threads, layer, leaf) for leaf in plan.leaves}
    branches = {level.name: _branch(insights, layer, level, leaves) for level in plan.branches}
    root = [_root(plan, layer, plan.root, branches)] if plan.root else []
    return [*leaves.values(), *branches.values(), *root]


def _leaf(threads: Threads, layer: str, leaf: Leaf) -> InsightNode:
    members = threads.members(leaf.number, MOST_SOURCES)
    sources = tuple(dict.fromkeys(member.address for member in members))
    terms = tuple(threads.words(leaf.number, members))
    return InsightNode(Address(layer, leaf.path), LEAF, terms, sources, leaf.digest, leaf.size)


class _Below(NamedTuple):
    """A source of a branch or the root."""

    address: Address
    size: int
    digest: str
    terms: Sequence[str]


def _branch(insights: Insights, layer: str, level: LevelThreads, fresh: Mapping[str, InsightNode]) -> InsightNode:
    leaves = insights.largest(level.name, MOST_BELOW)
    terms = {leaf.path: fresh[leaf.path].terms if leaf.path in fresh else leaf.terms for leaf in leaves}
    below = [_Below(Address(layer, leaf.path), leaf.size, leaf.digest, terms[leaf.path]) for leaf in leaves]
    return _make_node(Address(layer, level.name), BRANCH, _digest(layer, [level]), level.size, below)


def _root(plan: BuildPlan, layer: str, digest: str, fresh: Mapping[str, InsightNode]) -> InsightNode:
    def terms(name: str) -> Sequence[str]:
        return fresh[name].terms if name in fresh else plan.above[name].terms

    largest = sorted(plan.levels, key=lambda level: (-level.size, level.name))[:MOST_BELOW]
    below = [_Below(Address(layer, each.name), each.size, _digest(layer, [each]), terms(each.name)) for each in largest]
    return _make_node(Address(layer, ROOT_PATH), ROOT, digest, sum(level.size for level in plan.levels), below)


def _make_node(address: Address, level: str, digest: str, size: int, below: Sequence[_Below]) -> InsightNode:
    weights: Counter[str] = Counter()
    for each in below:
        for rank, term in enumerate(each.terms):
            weights[term] += each.size * (_TERMS - rank)
    terms = tuple(sorted(weights, key=lambda term: (-weights[term], term))[:_TERMS])
    digests = {each.address: each.digest for each in sorted(below)}
    return InsightNode(address, level, terms, tuple(digests), digest, size, digests)


def _digest(layer: str, levels: Sequence[LevelThreads]) -> str:
    return digest_of((Address(layer, level.name), level.digest) for level in levels)
