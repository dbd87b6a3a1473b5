"""The library of a store: counts from its nodes, samples from its index."""

from collections.abc import Sequence

from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.index.inventory import Entry
from memoir.index.view import View
from memoir.memory.read import chosen_namespaces
from memoir.memory.survey import summarize
from memoir.recall.candidate import Candidate
from memoir.recall.library import beginning
from memoir.recall.ranking import Ranking, filter_of, rank
from memoir.recall.request import Request
from memoir.recall.settings import Settings
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE, Address


class Stock:
    """A `Library` over a snapshot and its index."""

    def __init__(self, index: Index, snapshot: Snapshot, request: Request, settings: Settings) -> None:
        self._index = index
        self._snapshot = snapshot
        self._request = request
        self._settings = settings
        names = chosen_namespaces(snapshot, request.namespaces)
        self.namespaces: Sequence[str] = [name for name in names if name != TAXONOMY_NAMESPACE]

    @property
    def _counted(self) -> bool:
        """Whether the store's own counts are the answer: nothing but namespaces restricts the request."""
        return filter_of(self._request)._replace(namespaces=()).everything

    def prefixes(self, depth: int, under: Sequence[Address] = ()) -> dict[Address, int]:
        """The first segments of the paths with their counts: from the store's nodes, O(prefixes * log n)."""
        if not self._counted:
            return self._grouped(depth, under)
        counts: dict[Address, int] = {}
        for place in under or [Address(name, "") for name in self.namespaces]:
            glob = f"{place.path}.*" if place.path else "*"
            found = summarize(self._snapshot, [place.namespace], depth=depth, globs=[glob], limit=0).prefixes[
                place.namespace
            ]
            if place.path and place.key in self._snapshot.tree.get([place.key]):
                own = beginning(place, depth).path
                found[own] = found.get(own, 0) + 1
            for path, count in found.items():
                prefix = Address(place.namespace, path)
                counts[prefix] = counts.get(prefix, 0) + count
        return dict(sorted(counts.items()))

    def _grouped(self, depth: int, under: Sequence[Address]) -> dict[Address, int]:
        counts: dict[Address, int] = {}
        for entry in self.entries(under):
            place = beginning(entry.address, depth)
            counts[place] = counts.get(place, 0) + 1
        return dict(sorted(counts.items()))

    def entries(self, under: Sequence[Address] = (), limit: int | None = None) -> list[Entry]:
        """The paths at or below some prefixes, with samples of what they hold."""
        where = filter_of(self._request)._replace(under=tuple(under))
        return self._index.read(self._snapshot, lambda view: view.select(where).inventory(limit))

    def described(self, paths: Sequence[Address]) -> list[Entry]:
        """The entries of some paths."""
        where = filter_of(self._request)._replace(paths=frozenset(paths))
        return self._index.read(self._snapshot, lambda view: view.select(where).inventory())

    def ranked(self, under: Sequence[Address], limit: int, *, quickly: bool = False) -> list[Address]:
        """The best paths at or below some prefixes without a model; `quickly` is by words alone."""
        where = filter_of(self._request)._replace(under=tuple(under))
        ranking = self._ranking(where, limit, vectors=not quickly)
        return list(dict.fromkeys(candidate.document.address for candidate in ranking.candidates))[:limit]

    def unpacked(self, paths: Sequence[Address]) -> list[Candidate]:
        """All memories of some paths, those that the query speaks of first."""
        ranking = self._ranking(filter_of(self._request)._replace(paths=frozenset(paths)), len(paths), everything=True)
        return [*ranking.candidates, *ranking.others]

    def _ranking(self, where: Filter, pool: int, *, everything: bool = False, vectors: bool = True) -> Ranking:
        settings = self._settings._replace(candidate_pool=max(self._settings.candidate_pool, pool))
        if not vectors and settings.bm25_weight:
            settings = settings._replace(vector_weight=0.0)

        def work(view: View) -> Ranking:
            also = view.select(where).ids() if everything else []
            return rank(view, self._request, settings, where=where, also=also)

        return self._index.read(self._snapshot, work)
