"""Channels that find memories through other memories: by names and links, threads, and insights.

Each starts from the few best matches by words and by vectors, and adds 1 / rank of the match to the memories that it
leads to. They are off by default: each one that raised recall on one set of docs/benchmarks.md lowered it on another.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from memoir.index.documents import IndexedDocument
from memoir.index.filters import Filter
from memoir.index.selection import DocumentSelection
from memoir.recall.channel import READ_CHARACTERS, Channel, ScoreSource, Search
from memoir.setting import Setting
from memoir.settings import GRAPH_WEIGHT, HOP_WEIGHT, INSIGHTS_WEIGHT, THREADS_WEIGHT
from memoir.taxonomy.paths import Address

SEEDS = 3
"""The number of best matches by words, and by vectors, that a channel starts from."""
MOST = 50
"""The most memories reached from one match."""
_NAMES, _HOLDERS = 4, 20
"""How many of a match's rarest names are followed, and how many memories each may lead to."""

ReachedDocuments = Iterator[tuple[float, Sequence[int]]]
"""Pairs of a share and the ids of the documents that get it."""


def reach_by_graph(search: Search) -> ReachedDocuments:
    """Reach the memories that contain a name of a match, or are derived from it."""
    for share, document in _matches(search, search.among):
        for name in search.view.find_connectors(document.content[:READ_CHARACTERS])[:_NAMES]:
            terms = search.view.words(name.word).terms
            yield share, [identity for identity, _ in search.among.by_words(terms, _HOLDERS)]
        yield share, _derivations(search, document.address)


def reach_by_threads(search: Search) -> ReachedDocuments:
    """Reach the newest memories of a match's threads."""
    for share, document in _matches(search, search.among):
        for number in search.view.threads().of(document.address):
            yield share, _members(search, number)


def reach_by_insights(search: Search) -> ReachedDocuments:
    """Reach the memories of the threads that the best insights summarize."""
    for share, document in _matches(search, _layer(search, "insights")):
        base = document.address.namespace.rpartition(":")[0]
        thread = document.address.path.partition(".")[2]
        for number in search.view.threads().of_memory(thread, [base]) if thread else ():
            yield share, _members(search, number)


def _matches(search: Search, among: DocumentSelection | None) -> list[tuple[float, IndexedDocument]]:
    """The best matches by words and by vectors, each with 1 / rank, the best first."""
    if among is None:
        return []
    terms, vector = search.clues.words.terms, search.clues.vector
    by_words = among.by_words(terms, SEEDS) if search.query.weight("bm25") else []
    by_vectors = among.by_vector(vector, SEEDS) if vector and search.query.weight("vector") else []
    shares: dict[int, float] = {}
    for hits in (by_words, by_vectors):
        for rank, (identity, _) in enumerate(hits, 1):
            shares[identity] = max(shares.get(identity, 0.0), 1 / rank)
    documents = search.view.documents(list(shares))
    return sorted(((shares[each.id], each) for each in documents), key=lambda each: (-each[0], each[1].place))


def _layer(search: Search, kind: str) -> DocumentSelection | None:
    """The documents of one kind of layer in the searched namespaces; None if there are none."""
    namespaces = search.query.where.namespaces
    layers = [name for name in search.view.layers() if name.endswith(f":{kind}")]
    names = tuple(name for name in layers if not namespaces or name.rpartition(":")[0] in namespaces)
    return search.view.select(Filter(namespaces=names)) if names else None


def _derivations(search: Search, address: Address) -> list[int]:
    where = search.query.where
    field = ("links.derives_from", address.full_key)
    return search.view.select(where._replace(metadata=(*where.metadata, field))).ids()


def _members(search: Search, number: int) -> list[int]:
    where = search.query.where
    addresses = frozenset(member.address for member in search.view.threads().members(number)[-MOST:])
    return search.view.select(where._replace(paths=addresses if where.paths is None else addresses & where.paths)).ids()


class Association(Channel):
    """A channel that proposes the memories it reaches through others, and adds to their scores."""

    finds = True

    def __init__(self, name: str, weight: Setting[float], reach: Callable[[Search], ReachedDocuments]) -> None:
        self.name = name
        self.weight = weight
        self._reach = reach
        self._last: tuple[Search, Mapping[int, float]] | None = None

    def find(self, search: Search) -> Sequence[int]:
        """The ids of the memories that it reaches."""
        return list(self.shares(search, ()))

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """The shares of all memories that it reaches, whatever `documents` are."""
        last = self._last
        if last is None or last[0] is not search:
            last = self._last = search, self._reach_all(search)
        return last[1]  # another thread may have replaced self._last meanwhile

    def _reach_all(self, search: Search) -> Mapping[int, float]:
        shares: dict[int, float] = {}
        for share, ids in self._reach(search):
            for identity in ids[:MOST]:
                shares[identity] = max(shares.get(identity, 0.0), share)
        return shares


ASSOCIATIONS = (
    Association("graph", GRAPH_WEIGHT, reach_by_graph),
    Association("threads", THREADS_WEIGHT, reach_by_threads),
    Association("insights", INSIGHTS_WEIGHT, reach_by_insights),
)
NAMES = tuple(channel.name for channel in ASSOCIATIONS)
"""The names of these channels."""


class Hop(ScoreSource):
    """The weight of the hop, which adds to a finished ranking (`memoir.recall.shared_names`)."""

    name = "hop"
    weight = HOP_WEIGHT


HOP = Hop()
