"""The inventory of a store for a model: paths, counts and the beginnings of memories, in parts.

Counts come from the store's nodes, samples from its index.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.memory.layer_namespaces import memories_of
from memoir.memory.read import select_namespaces
from memoir.memory.survey import summarize
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, rank
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address


def prefix_of(address: Address, depth: int) -> Address:
    """The prefix under which an address is counted: its first `depth` segments."""
    return address._replace(path=".".join(address.path.split(".")[:depth]))


class InventoryEntry(NamedTuple):
    """One path of the inventory: the number of its memories, and the first characters of the first one."""

    address: Address
    count: int  # type: ignore[assignment]  # hides the method of tuples
    sample: str


class Inventory:
    """The memories that a query may find. Prefixes are addresses too: `preferences.coding`."""

    namespaces: Sequence[str]
    """The searched namespaces; if there are several, paths are written `namespace:path`."""

    def __init__(self, index: Index, snapshot: Snapshot, query: Query) -> None:
        self._index = index
        self._snapshot = snapshot
        self._query = query
        names = select_namespaces(snapshot, query.where.namespaces)
        self.namespaces = list(names if query.where.namespaces else memories_of(snapshot, names))

    def prefixes(self, depth: int, under: Sequence[Address] = ()) -> dict[Address, int]:
        """Count paths by their first `depth` segments, sorted; below some prefixes, if given.

        A shorter path counts under itself. If the query is restricted by namespaces only, the store's nodes hold the
        counts: O(prefixes * log n).
        """
        counts: Counter[Address] = Counter()
        if self._query.where._replace(namespaces=()).everything:
            for prefix in under or [Address(name, "") for name in self.namespaces]:
                counts.update(self._survey(prefix, depth))
        else:
            counts.update(prefix_of(entry.address, depth) for entry in self.entries(under))
        return dict(sorted(counts.items()))

    def _survey(self, prefix: Address, depth: int) -> dict[Address, int]:
        globs = [f"{prefix.path}.*" if prefix.path else "*"]
        survey = summarize(self._snapshot, [prefix.namespace], depth=depth, globs=globs, limit=0)
        counts = Counter({Address(prefix.namespace, p): n for p, n in survey.prefixes[prefix.namespace].items()})
        if prefix.path and prefix.key in self._snapshot.tree.get([prefix.key]):
            counts[prefix_of(prefix, depth)] += 1
        return counts

    def entries(self, under: Sequence[Address] = (), limit: int | None = None) -> list[InventoryEntry]:
        """The paths at or below the prefixes (all, if empty), sorted; at most `limit`."""
        where = self._query.where._replace(under=tuple(under))
        return self._entries(where, limit)

    def describe(self, paths: Sequence[Address]) -> list[InventoryEntry]:
        """The entries of the paths that exist, sorted."""
        where = self._query.where._replace(paths=frozenset(paths))
        return self._entries(where)

    def _entries(self, where: Filter, limit: int | None = None) -> list[InventoryEntry]:
        rows = self._index.read(self._snapshot, lambda view: view.select(where).inventory(limit))
        return list(map(partial(tuple.__new__, InventoryEntry), rows))

    def rank(self, under: Sequence[Address], limit: int, *, quickly: bool = False) -> list[Address]:
        """Rank paths at or below the prefixes (all, if empty) for the query without a model, best first.

        `quickly` ranks by words alone, which is enough to choose what a model is shown.
        """
        query, where = self._wide(limit), self._query.where._replace(under=tuple(under))
        if quickly and query.weight("bm25"):
            query = query._replace(weights={**query.weights, "vector": 0.0})
        ranking = self._index.read(self._snapshot, lambda view: rank(view, query, where=where))
        return list(dict.fromkeys(each.document.address for each in ranking.candidates))[:limit]

    def unpack(self, paths: Sequence[Address]) -> list[RankedCandidate]:
        """All memories at the paths, the best matches first."""
        query, where = self._wide(len(paths)), self._query.where._replace(paths=frozenset(paths))
        ranking = self._index.read(
            self._snapshot, lambda view: rank(view, query, where=where, also=view.select(where).ids())
        )
        return [*ranking.candidates, *ranking.others]

    def _wide(self, pool: int) -> Query:
        """The query with room for n candidates."""
        return self._query._replace(pool=max(self._query.pool, pool))
