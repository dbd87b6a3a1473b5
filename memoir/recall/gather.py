"""Lists and orders: many hits, each with its sentence that answers, in the order of time."""

import itertools
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from memoir.english.requests import asks_for_the_assistants_words, listed
from memoir.memory.origin import ASSISTANT, role_of
from memoir.recall.quotes import Sought, quote, sought
from memoir.recall.ranking import Ranking, rank
from memoir.recall.result import IntelligentSearchResult
from memoir.recall.telling import telling, without_repeats

if TYPE_CHECKING:
    from memoir.index.view import View
    from memoir.recall.ranking import RankedCandidate

_CHARACTERS = (200,) * 6
"""The characters of each of the best hits, to which most of what belongs to a list goes; ..."""
_LATER = 110
"""... and of each further one."""
_TOGETHER = 2_800
"""The characters of all hits, unless the limit is given: what more a list has is mostly what does not belong to it."""
_OF_EACH, _OF_ALL = 2, 3
"""The hits for each thing that a question lists, and for the question as a whole."""
_FEWEST = 3
"""With so many hits of others, what an assistant said is left out unless it is asked for: it repeats them."""


def with_listed(view: "View", ranking: Ranking) -> Ranking:
    """A ranking that begins with the best candidates for each thing that its question lists; else as it is."""
    query = ranking.query
    if not (things := listed(query.text)):
        return ranking
    found = [rank(view, query._replace(text=thing)).candidates for thing in things]
    first = itertools.zip_longest(*(_turns(each)[:_OF_EACH] for each in found))
    best = [each for row in first for each in row if each] + list(ranking.candidates[:_OF_ALL])
    once = {each.document.id: each for each in reversed(best)}
    return ranking._replace(candidates=tuple(reversed(once.values())))


def _turns(candidates: "Sequence[RankedCandidate]") -> "list[RankedCandidate]":
    """The best candidate of each turn."""
    turns: dict[object, RankedCandidate] = {}
    for each in candidates:
        turns.setdefault((each.document.address, each.document.turn, each.document.role), each)
    return list(turns.values())


def in_brief(hits: Sequence[IntelligentSearchResult], ranking: Ranking) -> list[IntelligentSearchResult]:
    """The hits that belong to what is asked for, the best first, each cut to its sentence that answers.

    All of them, if the limit is given.
    """
    question, is_given = ranking.query.text, ranking.query.limit_is_given
    wanted, fitting = sought(ranking, question), list(hits)
    if not is_given and not listed(question):
        fitting = without_repeats(_without_assistant(telling(hits, question, wanted), question), wanted)
    sizes = itertools.chain(_CHARACTERS, itertools.repeat(_LATER))
    brief = [_in_brief(hit, wanted, most) for hit, most in zip(fitting, sizes, strict=False)]
    ends = itertools.accumulate(len(hit.content) for hit in brief)
    return [hit for hit, end in zip(brief, ends, strict=True) if is_given or end <= _TOGETHER]


def _without_assistant(hits: list[IntelligentSearchResult], question: str) -> list[IntelligentSearchResult]:
    others = [hit for hit in hits if role_of(hit.speaker or "") != ASSISTANT]
    return hits if len(others) < _FEWEST or asks_for_the_assistants_words(question) else others


def in_time(hits: Sequence[IntelligentSearchResult]) -> list[IntelligentSearchResult]:
    """The hits, a turn each, in the order of time, the oldest first; of one time as they stand in their source."""
    alone = (hit._replace(asked=None, reply=None) for hit in hits)
    return sorted(alone, key=attrgetter("timestamp", "namespace", "path", "ordinal"))


def _in_brief(hit: IntelligentSearchResult, wanted: Sought, most: int) -> IntelligentSearchResult:
    if len(hit.content) <= most:
        return hit
    said = quote(hit, wanted, most)
    head = f"{said.speaker} ({said.day}): " if hit.layer and said.speaker else ""
    if not head and said.speaker and hit.content.startswith(f"{said.speaker}: "):
        head = f"{said.speaker}: "
    return hit._replace(content=head + said.text, truncated=len(hit.content))
