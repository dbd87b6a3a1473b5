"""Whether what was found fits the question: a ranking always has a best hit, whatever was asked, and further ones.

Two numbers say it together: the share of the question's words and concepts that a hit has, by rarity, and how near the
meanings are. A learned embedder knows most of what the words would tell, so with one they count less. A hit that is
nearer than the others is the likelier to answer.

If the memories know several words of a question, one that answers it has some of them: where each hit has but one or
two, as "Jon" and "violin", nothing answers whether Jon plays the violin, however near each of them is.
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
"""The weight of the share beside the cosine, and what both must reach together, with a learned embedder."""
_OTHERS = 1.0, 0.5
"""The same without one (docs/benchmarks.md says how often the mark is right)."""
_LEAD = 0.1
"""How far the best cosine is above the mean of the others in an answer of which that says nothing."""
_COMPARED = 10
"""How many of the best candidates the best cosine is compared with."""
_KNOWN_WORDS = 3
"""The known words from which a question is one of several."""
_SCATTERED_LEARNED, _SCATTERED = (0.6, 0.4), (0.85, 0.5)
"""What the share of such a question's words that a hit has and the cosine must reach together, and the cosine that is
enough, with a learned embedder and without one.

They mark, of questions that the first five do not answer, 52 in 100 with a learned embedder and 57 without one, on
conversations that were left out; of all marked there 98 and 96 in 100 rightly (docs/benchmarks.md)."""
_QUICK = ("static", "hash")
"""The beginnings of the names of embedders that are not learned."""
_WITHOUT_VECTORS = 0.25
"""The cosine that is assumed where there are no vectors, and the most where these only say how words are spelt."""
_BEST = 5
"""How many hits are looked at, the best ones."""

_HARDLY_MORE = 2
"""The words besides a time of a question that asks for the time and hardly more."""


def fits(answer: "RecallAnswer") -> bool:
    """Whether a ranked answer has a hit that fits; where a model decided what to look for, it says so itself."""
    ranking = answer.ranking
    words = ranking.clues.words if ranking and answer.planner != "model" else None
    if ranking is None or words is None or not (words.terms or words.absent):
        return ranking is None or not ranking.candidates or _asks(ranking.query.text)
    vector = ranking.clues.vector
    embedder = vector.leader.name if vector else "static"
    weight, least = _OTHERS if embedder.startswith(_QUICK) else _LEARNED
    best = [each for each in ranking.candidates if not each.dropped][:_BEST]
    is_spelt = embedder.startswith("static") and _is_in_no_vocabulary(words)
    if not best or (len(words.terms) + len(words.absent) <= _HARDLY_MORE and _is_of_the_time(best[0], ranking)):
        return True
    if not is_spelt:
        least -= _lead(ranking) - _LEAD
    is_near = any(_strength(each, ranking, weight, is_spelt=is_spelt) >= least for each in best)
    return is_near and not _is_scattered(words, best, _SCATTERED if weight == _OTHERS[0] else _SCATTERED_LEARNED)


def _is_of_the_time(hit: "RankedCandidate", ranking: "Ranking") -> bool:
    """Whether a hit gives a date of a time that the question names: enough for one that says hardly more."""
    return bool(ranking.clues.spans and written_in(hit.document, ranking.clues.spans))


def _asks(text: str) -> bool:
    """Whether a question without a word to look for asks for a time or a person; `???` asks for nothing."""
    return any(map(str.isalnum, text))


def _is_scattered(words: "QueryWords", best: "Iterable[RankedCandidate]", limits: tuple[float, float]) -> bool:
    """Whether the memories know several words of a question, and none of the best hits has enough of them."""
    least, near = limits
    return len(words.terms) >= _KNOWN_WORDS and all(
        (cosine := _cosine(each)) < near and _share_of_words(each.document.content, words) + cosine < least
        for each in best
    )


def _share_of_words(content: str, words: "QueryWords") -> float:
    """The share of a question's words, by rarity, that a text has in any form."""
    text = content[:READ_CHARACTERS].casefold()
    stems = {stem(word) for word in plain_words(text)}
    return sum(each.idf for each in words.terms if stem(each.word) in stems or each.word in text) / words.ideal


def _cosine(candidate: "RankedCandidate") -> float:
    cosine = candidate.numbers()["cosine"]
    return _WITHOUT_VECTORS if cosine is None else cosine


def _lead(ranking: "Ranking") -> float:
    """How far the best cosine is above the mean of the others."""
    best, *others = sorted(map(_cosine, ranking.candidates[:_COMPARED]), reverse=True)
    return best - sum(others) / len(others) if others and ranking.clues.vector else _LEAD


def _is_in_no_vocabulary(words: "QueryWords") -> bool:
    """Whether no word of a question is known at all, so that its vector is made of pieces that say how it is spelt."""
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
"""The relevance from which a standing instruction is shown to a reader; where the question is for a fact, more.

A fact does not depend on anybody's preferences, so these are left out there."""
_FIRST = 2
"""How many hits are shown in any case."""


def binding(query: str, standing: "Iterable[StandingInstruction]") -> "tuple[StandingInstruction, ...]":
    """The standing instructions that bear on a question enough to be shown to a reader."""
    from memoir.english.requests import asks_for_a_fact, asks_for_a_number, asks_for_instructions
    from memoir.taxonomy.kinds import DIRECTIVE

    for_a_fact = asks_for_a_fact(query) or asks_for_a_number(query)
    least = 0.0 if asks_for_instructions(query) else _BINDING_A_FACT if for_a_fact else _BINDING
    near = (each for each in standing if each.relevance >= least)
    return tuple(each for each in near if not for_a_fact or each.kind == DIRECTIVE)


def not_shown(standing: "Iterable[StandingInstruction]", text: str) -> "list[StandingInstruction]":
    """The instructions that the text of the hits does not have in full already."""
    shown = flat(text)
    return [each for each in standing if flat(each.content) not in shown]


def without_chatter(answer: "RecallAnswer") -> "RecallAnswer":
    """An answer for a reader, without what was said in talk or told an assistant that hardly bears on the question.

    The first hits stay, and what somebody remembered; so do all hits if the caller has named a limit.
    """
    hits, ranking, query = answer.memories, answer.ranking, answer.query
    answer = answer._replace(standing=binding(query, answer.standing))
    if answer.gathered or ranking is None or ranking.query.limit_is_given:
        return answer
    if not any(hit.speaker for hit in hits[_FIRST:]):
        return answer  # as of a store without sources, of which nothing more is read
    from memoir.recall.gather import telling, without_repeats
    from memoir.recall.quotes import SoughtByQuery

    wanted = SoughtByQuery(ranking, query)
    kept = {id(hit) for hit in without_repeats(telling(hits, query, wanted), wanted)}
    shown = [hit for at, hit in enumerate(hits) if at < _FIRST or not hit.speaker or id(hit) in kept]
    return answer._replace(memories=shown, weaker=answer.weaker + len(hits) - len(shown))
