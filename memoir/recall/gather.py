"""Drop hits that are hardly relevant, and make lists: many hits, each cut to its sentence that answers."""

import itertools
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from memoir.english.excerpts import score
from memoir.english.requests import asks_for_the_assistants_words, listed
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words
from memoir.memory.speaker import ASSISTANT
from memoir.recall.quotes import SoughtByQuery, quote, words_said
from memoir.recall.ranking import RankedCandidate, Ranking, rank
from memoir.recall.result import IntelligentSearchResult
from memoir.recall.scoring import ASSISTANT_FACTOR

if TYPE_CHECKING:
    from memoir.english.excerpts import Sought
    from memoir.index.view import View


_TELLING = 0.85
"""The threshold of a hit's share of the question's words plus its cosine, each relative to the best hit.

One common word is not enough unless the meaning is similar, too.
"""


def telling(hits: Sequence[IntelligentSearchResult], question: str, wanted: "Sought") -> list[IntelligentSearchResult]:
    """Keep the hits relevant enough beside the best one; those of an assistant need more."""
    words = {id(hit): score(hit.content, wanted.words) for hit in hits}
    near = {id(hit): max(hit.ranking.get("cosine") or 0.0, 0.0) for hit in hits}
    most, nearest = max(words.values(), default=0.0), max(near.values(), default=0.0)

    def strength(hit: IntelligentSearchResult) -> float:
        share = words[id(hit)] / most if most else 0.0
        is_other = hit.role == ASSISTANT and not asks_for_the_assistants_words(question)
        return (ASSISTANT_FACTOR if is_other else 1.0) * (share + (near[id(hit)] / nearest if nearest else share))

    return [hit for hit in hits if strength(hit) >= _TELLING]


_SAME = 0.8
"""Word overlap from which a hit is a repeat."""
_SHOWN = 200
"""The characters of a hit's best excerpt by which hits are compared."""


def without_repeats(hits: Sequence[IntelligentSearchResult], wanted: "Sought") -> list[IntelligentSearchResult]:
    """Drop each hit that repeats an earlier one of the same day and has no number of its own."""
    kept, above = list[IntelligentSearchResult](), list[tuple[str, set[str]]]()
    days = Counter(hit.timestamp[:10] for hit in hits)
    for hit in hits:
        if days[day := hit.timestamp[:10]] > 1:
            said = set(plain_words(words_said(hit, wanted, _SHOWN))) - STOP_WORDS
            numbers = {word for word in said if any(map(str.isdigit, word))}
            if any(day == its and numbers <= each and len(said & each) >= _SAME * len(said) for its, each in above):
                continue
            above.append((day, said))
        kept.append(hit)
    return kept


_CHARACTERS = (200,) * 6
"""The most characters of each of the best hits, which hold most of a list; ..."""
_LATER = 110
"""... and of each further one."""
_TOGETHER = 2_800
"""The most characters of all hits together if no limit is given; longer lists mostly gain noise."""
_OF_EACH, _OF_ALL = 2, 3
"""How many hits are taken for each thing that a question lists, and for the whole question."""
_FEWEST = 3
"""With this many hits by others, the assistant's are dropped unless asked for: they repeat the others."""


def with_listed(view: "View", ranking: Ranking) -> Ranking:
    """Put the best candidates for each thing that the question lists first; unchanged if it lists none."""
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
    """The relevant hits, the best first, each cut to its sentence that answers.

    If a limit is given, all hits.
    """
    question, is_given = ranking.query.text, ranking.query.limit_is_given
    wanted, fitting = SoughtByQuery(ranking, question), list(hits)
    if not is_given and not listed(question):
        fitting = without_repeats(_without_assistant(telling(hits, question, wanted), question), wanted)
    sizes = itertools.chain(_CHARACTERS, itertools.repeat(_LATER))
    brief = [_shorten(hit, wanted, most) for hit, most in zip(fitting, sizes, strict=False)]
    ends = itertools.accumulate(len(hit.content) for hit in brief)
    return [hit for hit, end in zip(brief, ends, strict=True) if is_given or end <= _TOGETHER]


def _without_assistant(hits: list[IntelligentSearchResult], question: str) -> list[IntelligentSearchResult]:
    others = [hit for hit in hits if hit.role != ASSISTANT]
    return hits if len(others) < _FEWEST or asks_for_the_assistants_words(question) else others


def in_time(hits: Sequence[IntelligentSearchResult]) -> list[IntelligentSearchResult]:
    """The hits sorted by time, the oldest first, then by their place; without the turns before and after."""
    alone = (hit._replace(asked=None, reply=None) for hit in hits)
    return sorted(alone, key=attrgetter("timestamp", "namespace", "path", "ordinal"))


def _shorten(hit: IntelligentSearchResult, wanted: "Sought", most: int) -> IntelligentSearchResult:
    if len(hit.content) <= most:
        return hit
    said = quote(hit, wanted, most)
    head = f"{said.speaker} ({said.day}): " if hit.layer and said.speaker else ""
    if not head and said.speaker and hit.content.startswith(f"{said.speaker}: "):
        head = f"{said.speaker}: "
    return hit._replace(content=head + said.text, truncated=len(hit.content))
