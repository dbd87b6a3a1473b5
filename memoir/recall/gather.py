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
_ENOUGH = 0.75
"""What a hit of a list has at least: its share of the question's words plus its nearness, each 1 in the best hit.

One word that many texts have is not enough, unless the meaning is near as well.
"""


def in_brief(hits: Sequence[IntelligentSearchResult], ranking: "Ranking") -> list[IntelligentSearchResult]:
    """The hits that belong to what is asked for, each cut to its sentence that answers."""
    weights = weights_of(ranking, ranking.query.text)
    nearest = max((_nearness(hit) for hit in hits), default=0.0)
    most = max((score(hit.content, weights) for hit in hits), default=0.0)

    def fits(hit: IntelligentSearchResult) -> bool:
        words = score(hit.content, weights) / most if most else 0.0
        return words + (_nearness(hit) / nearest if nearest else words) >= _ENOUGH

    return [_in_brief(hit, weights) for hit in hits if fits(hit)]


def _nearness(hit: IntelligentSearchResult) -> float:
    return max(hit.ranking.get("cosine") or 0.0, 0.0)


def in_time(hits: Sequence[IntelligentSearchResult]) -> list[IntelligentSearchResult]:
    """The hits in the order of time, the oldest first."""
    return sorted(hits, key=attrgetter("timestamp"))


def _in_brief(hit: IntelligentSearchResult, weights: Weights) -> IntelligentSearchResult:
    if len(hit.content) <= _CHARACTERS:
        return hit
    said = quote(hit, weights, _CHARACTERS)
    head = f"{said.speaker} ({said.day}): " if hit.layer and said.speaker else ""
    return hit._replace(content=head + said.text, truncated=len(hit.content))
