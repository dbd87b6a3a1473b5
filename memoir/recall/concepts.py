"""The leg of concepts: documents that speak of what a query speaks of, in other words."""

from collections.abc import Mapping, Sequence

from memoir.index.selection import Score
from memoir.recall.channel import FAIR, Leg, Search
from memoir.settings import CONCEPTS_WEIGHT

_LEAST = 0.15
"""The part of its weight that counts where memories hold all words of the query."""
_OWN = 0.6
"""The part that counts at least where the query has words of the store's own: somebody has said what they mean."""
_STEEPNESS = 1.3
"""How fast it stops to count as a memory gets near to holding the query's words."""


class Concepts(Leg):
    """How far the lexicon says that a document speaks of what the query speaks of (`memoir.index.concept_table`)."""

    name, title = "concepts", "concepts"
    rank_column, score_column = "concept_rank", "concepts"
    weight = CONCEPTS_WEIGHT

    def find(self, search: Search) -> Sequence[Score]:
        """The documents that speak most of it."""
        concepts = search.clues.concepts
        return search.among.best_of(concepts.scores, search.query.pool) if concepts and concepts.scores else ()

    def scores(self, search: Search, ids: Sequence[int]) -> Mapping[int, float]:
        """What some documents have of it."""
        scores = search.clues.concepts.scores if search.clues.concepts else {}
        return {identity: scores[identity] for identity in ids if identity in scores}

    def trust(self, search: Search) -> float:
        """More, the more of the query no memory holds, and the less the best memory by words holds of it.

        What the store's own words say is trusted more.
        """
        if not (search.clues.concepts and search.clues.concepts.scores):
            return 0.0
        words = search.clues.words
        best = max([score for _, score in search.among.by_words(words.terms, 1)], default=0.0)
        known = min(best / words.ideal, 1.0)
        trust = (_LEAST + (1 - _LEAST) * words.unknown) * min(_STEEPNESS * (1 - known), 1.0)
        return max(trust, _OWN) if search.clues.concepts.own else trust

    def scale(self, search: Search, best: float) -> float:
        """The best score, but at least three quarters of that of a document that speaks of everything."""
        return max(best, FAIR * search.clues.concepts.ideal) if search.clues.concepts else best

    def quality(self, search: Search, best: float, fullest: int | None) -> float:
        """The best score beside that of a document that speaks of everything."""
        return min(best / (search.clues.concepts.ideal or 1.0), 1.0) if search.clues.concepts else 0.0
