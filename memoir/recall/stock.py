"""The library of a store: counts from its nodes, samples from its index."""

from collections.abc import Sequence

import apsw

from memoir.index.filters import Condition, chosen, condition
from memoir.index.index import Index
from memoir.memory.read import chosen_namespaces
from memoir.memory.survey import summarize
from memoir.recall.library import SAMPLE_CHARACTERS, Entry
from memoir.recall.ranking import Ranking, filter_of, rank
from memoir.recall.request import Request
from memoir.recall.settings import Settings
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address


class Stock:
    """A `Library` over a snapshot and its index."""

    def __init__(self, index: Index, snapshot: Snapshot, request: Request, settings: Settings) -> None:
        self._index = index
        self._snapshot = snapshot
        self._request = request
        self._settings = settings
        self.namespaces: Sequence[str] = list(chosen_namespaces(snapshot, request.namespaces))

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
            found = summarize(self._snapshot, [place.namespace], depth=depth, globs=[glob]).prefixes
            counts |= {Address(place.namespace, path): count for path, count in found[place.namespace].items()}
            if place.path and place.key in self._snapshot.tree.get([place.key]):
                counts[place] = counts.get(place, 0) + 1
        return dict(sorted(counts.items()))

    def _grouped(self, depth: int, under: Sequence[Address]) -> dict[Address, int]:
        counts: dict[Address, int] = {}
        for entry in self.entries(under):
            prefix = ".".join(entry.address.path.split(".")[:depth])
            place = Address(entry.address.namespace, prefix)
            counts[place] = counts.get(place, 0) + 1
        return dict(sorted(counts.items()))

    def entries(self, under: Sequence[Address] = ()) -> list[Entry]:
        """The paths at or below some prefixes, with samples of what they hold."""
        return self._index.read(self._snapshot, lambda database: self._entries(database, under))

    def _entries(self, database: apsw.Connection, under: Sequence[Address]) -> list[Entry]:
        wanted = _below(condition(database, filter_of(self._request)), under)
        rows = database.execute(
            f"SELECT d.namespace, d.path, count(*), substr(d.content, 1, {SAMPLE_CHARACTERS}), min(d.ordinal)"
            f" FROM document d WHERE {wanted.sql} GROUP BY d.namespace, d.path ORDER BY d.namespace, d.path",
            wanted.values,
        )
        return [Entry(Address(namespace, path), count, sample) for namespace, path, count, sample, _ in rows]

    def ranked(self, among: Sequence[Address], limit: int) -> list[Address]:
        """The best of some paths without a model."""
        found = self.ranking(among).candidates
        return list(dict.fromkeys(candidate.document.address for candidate in found))[:limit]

    def ranking(self, among: Sequence[Address], *, everything: bool = False) -> Ranking:
        """The memories of some paths, ranked without a model; `everything` includes those that nothing speaks for."""
        where = filter_of(self._request)._replace(paths=frozenset(among))
        settings = self._settings._replace(candidate_pool=max(self._settings.candidate_pool, len(among)))

        def work(database: apsw.Connection) -> Ranking:
            also = chosen(database, where) if everything else []
            return rank(database, self._request, settings, self._index.embedder, where=where, also=also)

        return self._index.read(self._snapshot, work)


def _below(where: Condition, under: Sequence[Address]) -> Condition:
    if not under:
        return where
    one = "(d.namespace = ? AND (d.path = ? OR (d.path > ? AND d.path < ?)))"
    values = [value for place in under for value in (place.namespace, place.path, f"{place.path}.", f"{place.path}/")]
    return Condition(f"{where.sql} AND ({' OR '.join([one] * len(under))})", (*where.values, *values))
