"""Channels that reach memories by way of others: through names and links, threads, insights, and captions.

Each begins at the few best matches by words and by vectors, of memories or of a layer, and adds to what these lead to:
1 / rank of the best match that leads there. They are off by default, because none of them raised recall on the sets of
docs/benchmarks.md without lowering it on another.
"""

from collections.abc import Iterator, Mapping, Sequence

from memoir.index.documents import Indexed
from memoir.index.filters import Filter
from memoir.index.selection import Selection
from memoir.recall.channel import Channel, Search
from memoir.settings import CAPTIONS_WEIGHT, GRAPH_WEIGHT, INSIGHTS_WEIGHT, THREADS_WEIGHT
from memoir.taxonomy.paths import Address

SEEDS = 3
"""The best matches by words, and by vectors, that a channel begins at."""
_MOST = 50
"""The most memories that one match leads to."""
_NAMES, _HOLDERS = 4, 20
"""The names of a memory that are followed, the rarest, and the memories that each leads to."""

Reached = Iterator[tuple[float, Sequence[int]]]
"""Shares, each with the ids of the documents that get it."""


class Association(Channel):
    """A channel that proposes what it reaches, and adds to that."""

    finds = True
    _last: tuple[Search, Mapping[int, float]] | None = None

    def find(self, search: Search) -> Sequence[int]:
        """What it reaches."""
        return list(self.shares(search, ()))

    def shares(self, search: Search, documents: Sequence[Indexed]) -> Mapping[int, float]:
        """The share of everything that it reaches, whichever documents are asked for."""
        if self._last is None or self._last[0] is not search:
            found: dict[int, float] = {}
            for share, ids in self.reach(search):
                for identity in ids[:_MOST]:
                    found[identity] = max(found.get(identity, 0.0), share)
            self._last = search, found
        return self._last[1]

    def reach(self, search: Search) -> Reached:
        """What it reaches."""
        raise NotImplementedError


class Graph(Association):
    """Reaches what names the same as the best matches, and what links to them."""

    name = "graph"
    weight = GRAPH_WEIGHT

    def reach(self, search: Search) -> Reached:
        """The memories that hold a name of a match, or link to it."""
        for share, document in _matches(search, search.among):
            for name in search.view.connecting_names(document.content)[:_NAMES]:
                terms = search.view.words(name.word).terms
                yield share, [identity for identity, _ in search.among.by_words(terms, _HOLDERS)]
            yield share, _linking(search, document.address)


class Threads(Association):
    """Reaches what belongs to the threads of the best matches."""

    name = "threads"
    weight = THREADS_WEIGHT

    def reach(self, search: Search) -> Reached:
        """The newest memories of a match's threads."""
        for share, document in _matches(search, search.among):
            for number in search.view.threads().of(document.address):
                yield share, _members(search, number)


class Insights(Association):
    """Reaches what the best insights rest on."""

    name = "insights"
    weight = INSIGHTS_WEIGHT

    def reach(self, search: Search) -> Reached:
        """The memories of the threads that the best leaves are about."""
        for share, document in _matches(search, _layer(search, "insights")):
            base = document.address.namespace.rpartition(":")[0]
            thread = document.address.path.partition(".")[2]
            for number in search.view.threads().of_memory(thread, [base]) if thread else ():
                yield share, _members(search, number)


class Captions(Association):
    """Reaches what was found in the best segments of sources."""

    name = "captions"
    weight = CAPTIONS_WEIGHT

    def reach(self, search: Search) -> Reached:
        """The memories that come from the best segments."""
        for share, document in _matches(search, _layer(search, "raw")):
            yield share, _linking(search, document.address)


NAMES = tuple(channel.name for channel in (Graph, Threads, Insights, Captions))
"""The names of these channels."""


def needs_threads(weights: Mapping[str, float]) -> bool:
    """Whether a channel is on that looks at threads."""
    return any(weights.get(name, 0.0) for name in (Threads.name, Insights.name))


def _matches(search: Search, among: Selection | None) -> list[tuple[float, Indexed]]:
    """The best matches by words and by vectors, each with 1 / rank, the best first."""
    if among is None:
        return []
    terms, vector = search.clues.words.terms, search.clues.vector
    by_words = among.by_words(terms, SEEDS) if search.query.weight("bm25") else []
    by_vectors = among.by_vector(vector, SEEDS) if vector and search.query.weight("vector") else []
    shares: dict[int, float] = {}
    for found in (by_words, by_vectors):
        for rank, (identity, _) in enumerate(found, 1):
            shares[identity] = max(shares.get(identity, 0.0), 1 / rank)
    documents = search.view.documents(list(shares))
    return sorted(((shares[each.id], each) for each in documents), key=lambda each: (-each[0], each[1].place))


def _layer(search: Search, kind: str) -> Selection | None:
    """The documents of a kind of layer of the namespaces that are searched; None if there are none."""
    named = search.query.where.namespaces
    layers = [name for name in search.view.layers() if name.endswith(f":{kind}")]
    names = tuple(name for name in layers if not named or name.rpartition(":")[0] in named)
    return search.view.select(Filter(namespaces=names)) if names else None


def _linking(search: Search, address: Address) -> list[int]:
    where = search.query.where
    field = ("links.derives_from", address.full_key)
    return search.view.select(where._replace(metadata=(*where.metadata, field))).ids()


def _members(search: Search, number: int) -> list[int]:
    where = search.query.where
    places = frozenset(member.address for member in search.view.threads().members(number)[-_MOST:])
    return search.view.select(where._replace(paths=places if where.paths is None else places & where.paths)).ids()
