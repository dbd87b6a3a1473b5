"""The queries that a question is expanded by: each searches its own leg, and its scores join the question's."""

from collections.abc import Mapping, Sequence

from memoir.index.selection import Score
from memoir.recall.channel import Search
from memoir.recall.deep.deep_steps import Expansion
from memoir.recall.ranked import RankedCandidate, order
from memoir.recall.ranking import Ranking

ORIGINAL = 2.0
"""The weight of the question itself beside each query that expands it."""
_UNMEASURED_RELEVANCE = 0.5
"""The relevance of the best memory where the question itself has found none."""

Shares = Mapping[int, float]
"""How well a query's documents match beside its best one, from 0 to 1, by their ids."""


def find(search: Search, expansion: Expansion) -> Shares:
    """The documents that a query finds by its leg, among those that the question may find."""
    hits = _by_words(search, expansion.text) if expansion.kind == "lex" else _by_vector(search, expansion.text)
    best = max((score for _, score in hits), default=0.0)
    return {identity: score / best for identity, score in hits if score > 0}


def fuse(ranking: Ranking, expansions: Sequence[Expansion], shares: Sequence[Shares]) -> Ranking:
    """Put the documents of a question and of its expansions in one order.

    The score is (2 * the question's + the sum of the expansions') / (2 + their number), each divided by its best one.
    The best memory keeps the relevance that the question has given to the best.
    """
    top = max((each.score for each in ranking.candidates), default=0.0) or 1.0
    relevance = max((each.relevance for each in ranking.candidates), default=0.0) or _UNMEASURED_RELEVANCE
    scores = {each.document.id: _fuse(each, top, shares) for each in ranking.everyone}
    best = max(scores.values(), default=0.0) or 1.0

    def place(each: RankedCandidate) -> RankedCandidate:
        score = scores[each.document.id]
        return each._replace(
            score=score, relevance=relevance * score / best, dropped=None, lead=_lead(each, expansions, shares)
        )

    matches = {identity for its in shares for identity in its if scores.get(identity)}
    candidate_ids = {each.document.id for each in ranking.candidates} | matches
    candidates = sorted((place(each) for each in ranking.everyone if each.document.id in candidate_ids), key=order)
    others = tuple(each for each in ranking.others if each.document.id not in candidate_ids)
    return ranking._replace(candidates=tuple(candidates), others=others)


def _fuse(candidate: RankedCandidate, top: float, shares: Sequence[Shares]) -> float:
    """The score of a document; the age and the boosts of a memory count in the expansions too."""
    factor = candidate.base.recency * candidate.base.boost
    further = factor * sum(its.get(candidate.document.id, 0.0) for its in shares)
    own = 0.0 if candidate.dropped else ORIGINAL * candidate.score / top
    return (own + further) / (ORIGINAL + len(shares))


def _lead(candidate: RankedCandidate, expansions: Sequence[Expansion], shares: Sequence[Shares]) -> str | None:
    """The query that has found a document best, if the question itself has not found it."""
    if not candidate.dropped:
        return None
    best = max(range(len(shares)), key=lambda number: shares[number].get(candidate.document.id, 0.0))
    return f"expansion: {expansions[best]}"


def _by_words(search: Search, text: str) -> Sequence[Score]:
    return search.among.by_words(search.view.words(text).terms, search.query.pool)


def _by_vector(search: Search, text: str) -> Sequence[Score]:
    vector = search.view.vector(text)
    return search.among.by_vector(vector, search.query.pool) if vector else ()
