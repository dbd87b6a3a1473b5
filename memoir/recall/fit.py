"""Whether anything that was found fits the question: a ranking always has a best hit, whatever was asked.

Two numbers say it together: how much of the question's words a hit has, by rarity, those that no memory holds included,
and how near the meanings are.
"""

from typing import TYPE_CHECKING

from memoir.english.excerpts import score, weights_by_stem
from memoir.recall.quotes import Weights, weights_of

if TYPE_CHECKING:
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.ranked import RankedCandidate

_ENOUGH = 0.6
"""The least sum of the share of the words and the cosine with which a hit fits.

Of 151 questions that find their evidence in a conversation 5 have less; of those asked of another one, 4 in 10.
"""
_WITHOUT_VECTORS = 0.5
"""The cosine that is assumed where there are no vectors."""
_BEST = 5
"""How many hits are looked at, the best ones."""


def fits(answer: "RecallAnswer") -> bool:
    """Whether a ranked answer has a hit that fits; where a model picked, it says so itself."""
    ranking = answer.ranking
    words = ranking.clues.words if ranking and answer.strategy is None else None
    if ranking is None or words is None or not (words.terms or words.absent):
        return True  # nothing was asked for but a time or a person
    absent = weights_by_stem({term.word: term.idf for term in words.absent})
    weights = {**absent, **weights_of(ranking, answer.query)}
    best = [each for each in ranking.candidates if not each.dropped][:_BEST]
    return not best or any(_strength(each, weights, words.ideal) >= _ENOUGH for each in best)


def _strength(candidate: "RankedCandidate", weights: Weights, total: float) -> float:
    document, cosine = candidate.document, candidate.numbers()["cosine"]
    text = document.content if document.role else f"{document.content} {document.address.path.replace('.', ' ')}"
    return score(text, weights) / total + (_WITHOUT_VECTORS if cosine is None else cosine)
