"""Which hits have to do with a question; and lists and orders: many hits, each with its sentence that answers."""

import itertools
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from memoir.english.excerpts import score
from memoir.english.requests import asks_for_the_assistants_words, listed
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words
from memoir.memory.origin import ASSISTANT, role_of
from memoir.recall.quotes import SoughtByQuery, quote, words_said
from memoir.recall.ranking import RankedCandidate, Ranking, rank
from memoir.recall.result import IntelligentSearchResult
from memoir.recall.scoring import ASSISTANT_FACTOR

if TYPE_CHECKING:
    from memoir.english.excerpts import Sought
    from memoir.index.view import View


_TELLING = 0.85
"""What a hit has at least: its share of the question's words plus its nearness, each 1 in the best hit.

One word that many texts have is not enough, unless the meaning is near as well.
"""


def telling(hits: Sequence[IntelligentSearchResult], question: str, wanted: "Sought") -> list[IntelligentSearchResult]:
    """The hits that have to do with the question, beside the best of them; what an assistant said has to have more."""
    words = {id(hit): score(hit.content, wanted.words) for hit in hits}
    near = {id(hit): max(hit.ranking.get("cosine") or 0.0, 0.0) for hit in hits}
    most, nearest = max(words.values(), default=0.0), max(near.values(), default=0.0)

    def strength(hit: IntelligentSearchResult) -> float:
        share = words[id(hit)] / most if most else 0.0
        is_other = role_of(hit.speaker or "") == ASSISTANT and not asks_for_the_assistants_words(question)
        return (ASSISTANT_FACTOR if is_other else 1.0) * (share + (near[id(hit)] / nearest if nearest else share))

    return [hit for hit in hits if strength(hit) >= _TELLING]


_SAME = 0.8
"""The share of the words of a hit that one before it has, if it only repeats that."""
_SHOWN = 200
"""The characters by which hits are compared: those that answer."""


def without_repeats(hits: Sequence[IntelligentSearchResult], wanted: "Sought") -> list[IntelligentSearchResult]:
    """The hits without those that say what one before them says on the same day, with no number of their own."""
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
    wanted, fitting = SoughtByQuery(ranking, question), list(hits)
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


def _in_brief(hit: IntelligentSearchResult, wanted: "Sought", most: int) -> IntelligentSearchResult:
    if len(hit.content) <= most:
        return hit
    said = quote(hit, wanted, most)
    head = f"{said.speaker} ({said.day}): " if hit.layer and said.speaker else ""
    if not head and said.speaker and hit.content.startswith(f"{said.speaker}: "):
        head = f"{said.speaker}: "
    return hit._replace(content=head + said.text, truncated=len(hit.content))
