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
_TOGETHER = 4_000
"""The characters of all hits, unless the limit is given: what more a list has is mostly what does not belong to it."""


def in_brief(hits: Sequence[IntelligentSearchResult], ranking: "Ranking") -> list[IntelligentSearchResult]:
    """The hits that belong to what is asked for, the best first, each cut to its sentence that answers.

    All of them, if the limit is given.
    """
    weights = weights_of(ranking, ranking.query.text)
    is_given = ranking.query.limit_is_given
    fitting = hits if is_given else telling(hits, ranking.query.text, weights)
    sizes = itertools.chain(_CHARACTERS, itertools.repeat(_LATER))
    brief = [_in_brief(hit, weights, most) for hit, most in zip(fitting, sizes, strict=False)]
    ends = itertools.accumulate(len(hit.content) for hit in brief)
    return [hit for hit, end in zip(brief, ends, strict=True) if is_given or end <= _TOGETHER]


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
