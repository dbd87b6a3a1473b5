"""Lists and orders: many hits, each with its sentence that answers, in the order of time."""

from collections.abc import Sequence

from memoir.english.excerpts import score
from memoir.recall.answer import RecallAnswer
from memoir.recall.quotes import Weights, quote, weights_of
from memoir.recall.ranking import Ranking
from memoir.recall.result import IntelligentSearchResult

_CHARACTERS = 150
"""The characters of each."""
_NEAR = 0.75
"""How near to the query the vector of a hit without a word of it must be, as a share of the nearest one's cosine."""


def in_brief(hits: Sequence[IntelligentSearchResult], ranking: Ranking) -> list[IntelligentSearchResult]:
    """The hits that share something with the query, each cut to its sentence that answers."""
    weights = weights_of(ranking, ranking.query.text)
    nearest = max((hit.ranking.get("cosine") or 0.0 for hit in hits), default=0.0)

    def fits(hit: IntelligentSearchResult) -> bool:
        return score(hit.content, weights) > 0 or (hit.ranking.get("cosine") or 0.0) >= _NEAR * nearest

    return [_in_brief(hit, weights) for hit in hits if fits(hit)]


def in_time(answer: RecallAnswer) -> RecallAnswer:
    """The answer with its memories in the order of time, the oldest first."""
    return answer._replace(memories=sorted(answer.memories, key=lambda each: each.timestamp), gathered=True)


def _in_brief(hit: IntelligentSearchResult, weights: Weights) -> IntelligentSearchResult:
    if len(hit.content) <= _CHARACTERS:
        return hit
    said = quote(hit, weights, _CHARACTERS)
    head = f"{said.speaker} ({said.day}): " if hit.layer and said.speaker else ""
    return hit._replace(content=head + said.text, truncated=len(hit.content))
