"""Decide whether the results fit the question: a ranking always has a best hit, whatever was asked.

Two numbers are combined: the share of the question's words and concepts in a hit, weighted by rarity, and the cosine. A
learned embedder covers most of what words tell, so with one the share counts less. A hit far ahead of the others needs
less of both.

If memories contain several words of a question, an answer contains some of them together. If each hit has only one or
two, such as "Jon" or "violin", nothing tells whether Jon plays the violin, however similar the hits are.
"""

from typing import TYPE_CHECKING

from memoir.english.words import flat, plain_words, stem
from memoir.recall.channel import READ_CHARACTERS
from memoir.recall.channels import written_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memoir.index.lexical import QueryWords
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.findings import StandingInstruction
    from memoir.recall.ranking import RankedCandidate, Ranking


_LEARNED = 0.3, 0.28
"""The weight of the share beside the cosine, and the threshold of their sum, with a learned embedder."""
_OTHERS = 1.0, 0.5
"""The same without a learned embedder (docs/benchmarks.md says how often the mark is right)."""
_LEAD = 0.1
"""The usual lead of the best cosine over the mean of the others; more lowers the threshold."""
_COMPARED = 10
"""How many of the best candidates the lead is computed from."""
_KNOWN_WORDS = 3
"""If memories contain this many words of a question, a hit must have several of them."""
_SCATTERED_LEARNED, _SCATTERED = (0.6, 0.4), (0.85, 0.5)
"""Thresholds for such a question, with a learned embedder and without: the sum of a hit's word share and cosine, and
the cosine that is enough alone.

On conversations held out, the mark finds 52% (learned) and 57% (other) of the questions that the first five hits do not
answer; its precision is 98% and 96% (docs/benchmarks.md)."""
_QUICK = ("static", "hash")
"""Name prefixes of embedders that are not learned."""
_WITHOUT_VECTORS = 0.25
"""The cosine assumed without vectors, and the most that counts of one that reflects spelling alone."""
_BEST = 5
"""How many of the best hits are checked."""

_HARDLY_MORE = 2
"""The most words, besides the time, of a question that asks about little but a time."""


def fits(answer: "RecallAnswer") -> bool:
    """Whether a ranked answer has a hit that fits; if a model planned the search, it judged that itself."""
    ranking = answer.ranking
    words = ranking.clues.words if ranking and answer.planner != "model" else None
    if ranking is None or words is None or not (words.terms or words.absent):
        return ranking is None or not ranking.candidates or _has_letter_or_digit(ranking.query.text)
    vector = ranking.clues.vector
    embedder = vector.leader.name if vector else "static"
    weight, least = _OTHERS if embedder.startswith(_QUICK) else _LEARNED
    best = [each for each in ranking.candidates if not each.dropped][:_BEST]
    is_spelt = embedder.startswith("static") and _is_in_no_vocabulary(words)
    if not best or (len(words.terms) + len(words.absent) <= _HARDLY_MORE and _gives_a_named_date(best[0], ranking)):
        return True
    if not is_spelt:
        least -= _lead(ranking) - _LEAD
    is_near = any(_strength(each, ranking, weight, is_spelt=is_spelt) >= least for each in best)
    return is_near and not _is_scattered(words, best, _SCATTERED if weight == _OTHERS[0] else _SCATTERED_LEARNED)


def _gives_a_named_date(hit: "RankedCandidate", ranking: "Ranking") -> bool:
    """Whether a hit contains a date of a time that the question names."""
    return bool(ranking.clues.spans and written_in(hit.document, ranking.clues.spans))


def _has_letter_or_digit(text: str) -> bool:
    """Whether the text has any letter or digit: `???` asks for nothing."""
    return any(map(str.isalnum, text))


def _is_scattered(words: "QueryWords", best: "Iterable[RankedCandidate]", limits: tuple[float, float]) -> bool:
    """Whether memories contain several words of a question, but none of the best hits has enough of them."""
    least, near = limits
    return len(words.terms) >= _KNOWN_WORDS and all(
        (cosine := _cosine(each)) < near and _share_of_words(each.document.content, words) + cosine < least
        for each in best
    )


def _share_of_words(content: str, words: "QueryWords") -> float:
    """The share of a question's words in a text, in any form, weighted by rarity."""
    text = content[:READ_CHARACTERS].casefold()
    stems = {stem(word) for word in plain_words(text)}
    return sum(each.idf for each in words.terms if stem(each.word) in stems or each.word in text) / words.ideal


def _cosine(candidate: "RankedCandidate") -> float:
    cosine = candidate.numbers()["cosine"]
    return _WITHOUT_VECTORS if cosine is None else cosine


def _lead(ranking: "Ranking") -> float:
    """The lead of the best cosine over the mean of the others."""
    best, *others = sorted(map(_cosine, ranking.candidates[:_COMPARED]), reverse=True)
    return best - sum(others) / len(others) if others and ranking.clues.vector else _LEAD


def _is_in_no_vocabulary(words: "QueryWords") -> bool:
    """Whether neither memories nor `static` know any word of a question, so that its vector reflects spelling alone."""
    from memoir.embedders.static import is_word

    return not words.terms and not any(is_word(term.word) for term in words.absent)


def _strength(candidate: "RankedCandidate", ranking: "Ranking", weight: float, *, is_spelt: bool) -> float:
    numbers, concepts = candidate.numbers(), ranking.clues.concepts
    share = (numbers["bm25"] or 0.0) / ranking.clues.words.ideal
    if concepts:
        share += (numbers["concepts"] or 0.0) / (concepts.ideal or 1.0)
    cosine = _cosine(candidate)
    return weight * min(share, 1.0) + (min(cosine, _WITHOUT_VECTORS) if is_spelt else cosine)


_BINDING, _BINDING_A_FACT = 0.55, 0.7
"""The relevance from which a standing instruction is shown to a reader, and the higher one for a question about a fact.

Facts do not depend on preferences, so these are left out there."""
_FIRST = 2
"""How many hits are always shown."""


def binding(query: str, standing: "Iterable[StandingInstruction]") -> "tuple[StandingInstruction, ...]":
    """The standing instructions relevant enough to a question to be shown to a reader."""
    from memoir.english.requests import asks_for_a_fact, asks_for_a_number, asks_for_instructions
    from memoir.taxonomy.kinds import DIRECTIVE

    for_a_fact = asks_for_a_fact(query) or asks_for_a_number(query)
    least = 0.0 if asks_for_instructions(query) else _BINDING_A_FACT if for_a_fact else _BINDING
    near = (each for each in standing if each.relevance >= least)
    return tuple(each for each in near if not for_a_fact or each.kind == DIRECTIVE)


def not_shown(standing: "Iterable[StandingInstruction]", text: str) -> "list[StandingInstruction]":
    """The instructions that the text of the hits does not already contain."""
    shown = flat(text)
    return [each for each in standing if flat(each.content) not in shown]


def without_chatter(answer: "RecallAnswer") -> "RecallAnswer":
    """Remove from an answer for a reader the turns of talk and the instructions that are hardly relevant.

    The first hits and remembered memories stay; if the caller named a limit, all hits do.
    """
    hits, ranking, query = answer.memories, answer.ranking, answer.query
    answer = answer._replace(standing=binding(query, answer.standing))
    if answer.gathered or ranking is None or ranking.query.limit_is_given:
        return answer
    if not any(hit.speaker for hit in hits[_FIRST:]):
        return answer  # as in a store without sources: load nothing more
    from memoir.recall.gather import telling, without_repeats
    from memoir.recall.quotes import SoughtByQuery

    wanted = SoughtByQuery(ranking, query)
    kept = {id(hit) for hit in without_repeats(telling(hits, query, wanted), wanted)}
    shown = [hit for at, hit in enumerate(hits) if at < _FIRST or not hit.speaker or id(hit) in kept]
    return answer._replace(memories=shown, weaker=answer.weaker + len(hits) - len(shown))
