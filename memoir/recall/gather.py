"""Lists and orders: many hits, each with its sentence that answers, in the order of time."""

import itertools
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from memoir.recall.quotes import Weights, quote, weights_of
from memoir.recall.result import IntelligentSearchResult
from memoir.recall.telling import telling

if TYPE_CHECKING:
    from memoir.recall.ranking import Ranking

_CHARACTERS = (240,) * 6
"""The characters of each of the best hits, to which most of what belongs to a list goes; ..."""
_LATER = 110
"""... and of each further one."""


def in_brief(hits: Sequence[IntelligentSearchResult], ranking: "Ranking") -> list[IntelligentSearchResult]:
    """The hits that belong to what is asked for, each cut to its sentence that answers; all, if the limit is given."""
    weights = weights_of(ranking, ranking.query.text)
    fitting = hits if ranking.query.limit_is_given else telling(hits, ranking.query.text, weights)
    sizes = itertools.chain(_CHARACTERS, itertools.repeat(_LATER))
    return [_in_brief(hit, weights, most) for hit, most in zip(fitting, sizes, strict=False)]


def in_time(hits: Sequence[IntelligentSearchResult]) -> list[IntelligentSearchResult]:
    """The hits in the order of time, the oldest first."""
    return sorted(hits, key=attrgetter("timestamp"))


def _in_brief(hit: IntelligentSearchResult, weights: Weights, most: int) -> IntelligentSearchResult:
    if len(hit.content) <= most:
        return hit
    said = quote(hit, weights, most)
    head = f"{said.speaker} ({said.day}): " if hit.layer and said.speaker else ""
    if not head and said.speaker and hit.content.startswith(f"{said.speaker}: "):
        head = f"{said.speaker}: "
    return hit._replace(content=head + said.text, truncated=len(hit.content))
