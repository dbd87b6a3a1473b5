"""The last stages of a ranking: candidates put in order, and cut to an answer."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from memoir.index.filters import Filter
from memoir.index.view import View
from memoir.recall.candidates import Candidates, find
from memoir.recall.channel import Search
from memoir.recall.clues import Clues, find_clues
from memoir.recall.query import Query
from memoir.recall.ranked import RankedCandidate, order
from memoir.recall.scoring import score


class Ranking(NamedTuple):
    """The clues in a query, and the candidates, best first; `others` were dropped."""

    clues: Clues
    candidates: tuple[RankedCandidate, ...]
    others: tuple[RankedCandidate, ...]
    query: Query

    @property
    def everyone(self) -> tuple[RankedCandidate, ...]:
        """The candidates and the others."""
        return *self.candidates, *self.others

    def without(self, ids: Collection[int]) -> "Ranking":
        """The same ranking without some documents, by their ids."""
        candidates, others = (
            tuple(each for each in part if each.document.id not in ids) for part in (self.candidates, self.others)
        )
        return self._replace(candidates=candidates, others=others)


PASSAGES_POOL = 2
"""How many times more candidates there are where sources are searched: a passage says less than a memory."""


def rank(view: View, query: Query, *, where: Filter | None = None, also: Sequence[int] = ()) -> Ranking:
    """Rank the documents that a query may find (or those of a narrower filter), and `also` some whatever they are."""
    search = begin(view, query, where)
    return in_order(search, find(search, also))


def begin(view: View, query: Query, where: Filter | None = None) -> Search:
    """The search of a query, among the documents that it may find (or those of a narrower filter)."""
    if query.where.sources != "no" and view.has_sources:
        query = query._replace(pool=PASSAGES_POOL * query.pool)
    return Search(view, query, find_clues(view, query), view.select(where or query.where))


def in_order(search: Search, candidates: Candidates) -> Ranking:
    """Score candidates, and put them in order."""
    documents = score(search, candidates)
    everyone = sorted(
        (RankedCandidate(each, each.score, each.relevance, 1.0, each.weakness) for each in documents), key=order
    )
    if any(each.document.role for each in everyone):
        from memoir.recall import passage_ranking  # most stores have none

        everyone = passage_ranking.one_a_turn(everyone, candidates.items)
    strong = tuple(each for each in everyone if not each.dropped)
    return Ranking(search.clues, strong, tuple(each for each in everyone if each.dropped), search.query)


def cut(candidates: Sequence[RankedCandidate], query: Query) -> tuple[RankedCandidate, ...]:
    """Drop the candidates that the threshold or the limit keeps out of the answer; join passages that are one hit."""
    if any(each.document.role for each in candidates):
        from memoir.recall import passage_ranking

        candidates = passage_ranking.join(candidates, query)
    return tuple(_cut(candidates, query))


def _cut(candidates: Sequence[RankedCandidate], query: Query) -> Iterator[RankedCandidate]:
    room = query.limit
    for each in candidates:
        if each.dropped:
            yield each
        elif each.relevance < query.threshold:
            yield each.drop(f"relevance below the threshold of {query.threshold:g}")
        elif room <= 0:
            yield each.drop(f"beyond the limit of {query.limit}")
        else:
            room -= 1
            yield each
