"""Channels that reach memories by way of others: through names and links, threads, insights, and captions.

Each begins at the few best matches by words and by vectors, of memories or of a layer, and adds to what these lead to:
1 / rank of the best match that leads there. They are off by default, because none of them raised recall on the sets of
docs/benchmarks.md without lowering it on another.
"""

from collections.abc import Mapping, Sequence

from memoir.index.documents import IndexedDocument
from memoir.recall.channel import Channel, Search
from memoir.setting import Setting
from memoir.settings import CAPTIONS_WEIGHT, GRAPH_WEIGHT, INSIGHTS_WEIGHT, THREADS_WEIGHT


class Association(Channel):
    """A channel that proposes what it reaches (see `memoir.recall.association_shares`), and adds to that."""

    finds = True

    def __init__(self, name: str, weight: Setting[float]) -> None:
        self.name = name
        self.weight = weight
        self._last: tuple[Search, Mapping[int, float]] | None = None

    def find(self, search: Search) -> Sequence[int]:
        """The memories that it reaches."""
        return list(self.shares(search, ()))

    def shares(self, search: Search, documents: Sequence[IndexedDocument]) -> Mapping[int, float]:
        """The share of everything that it reaches, whichever documents are asked for."""
        if self._last is None or self._last[0] is not search:
            self._last = search, self._reach(search)
        return self._last[1]

    def _reach(self, search: Search) -> Mapping[int, float]:
        from memoir.recall.association_shares import MOST, REACH  # most searches have it off

        shares: dict[int, float] = {}
        for share, ids in REACH[self.name](search):
            for identity in ids[:MOST]:
                shares[identity] = max(shares.get(identity, 0.0), share)
        return shares


ASSOCIATIONS = (
    Association("graph", GRAPH_WEIGHT),
    Association("threads", THREADS_WEIGHT),
    Association("insights", INSIGHTS_WEIGHT),
    Association("captions", CAPTIONS_WEIGHT),
)
NAMES = tuple(channel.name for channel in ASSOCIATIONS)
"""The names of these channels."""
_BY_THREADS = ("threads", "insights")
"""Those that look at threads."""


def needs_threads(weights: Mapping[str, float]) -> bool:
    """Whether a channel is on that looks at threads."""
    return any(weights.get(name, 0.0) for name in _BY_THREADS)
