"""Lists and orders: many hits, each with its sentence that answers, in the order of time."""

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from memoir.english.excerpts import score
from memoir.recall.quotes import Weights, quote, weights_of
from memoir.recall.result import IntelligentSearchResult

if TYPE_CHECKING:
    from memoir.recall.ranking import Ranking

_CHARACTERS = 150
"""The characters of each."""
_WEAK = 0.3
"""The share of the most words of the query, by rarity, that a hit has, above which it is one of a list."""
_NEAR = 0.75
"""How near to the query the vector of a hit without a word of it must be, as a share of the nearest one's cosine."""


def in_brief(hits: Sequence[IntelligentSearchResult], ranking: "Ranking") -> list[IntelligentSearchResult]:
    """The hits that share something with the query, each cut to its sentence that answers."""
    weights = weights_of(ranking, ranking.query.text)
    nearest = max((hit.ranking.get("cosine") or 0.0 for hit in hits), default=0.0)

    most = max((score(hit.content, weights) for hit in hits), default=0.0)

    def fits(hit: IntelligentSearchResult) -> bool:
        return score(hit.content, weights) > _WEAK * most or (hit.ranking.get("cosine") or 0.0) >= _NEAR * nearest

    return [_in_brief(hit, weights) for hit in hits if fits(hit)]


def in_time(hits: Sequence[IntelligentSearchResult]) -> list[IntelligentSearchResult]:
    """The hits in the order of time, the oldest first."""
    return sorted(hits, key=attrgetter("timestamp"))


def _in_brief(hit: IntelligentSearchResult, weights: Weights) -> IntelligentSearchResult:
    if len(hit.content) <= _CHARACTERS:
        return hit
    said = quote(hit, weights, _CHARACTERS)
    head = f"{said.speaker} ({said.day}): " if hit.layer and said.speaker else ""
    return hit._replace(content=head + said.text, truncated=len(hit.content))
