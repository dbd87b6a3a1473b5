"""The last stages of a ranking: candidates put in order, taken a second look at, and cut to an answer."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from memoir.index.documents import IndexedDocument
from memoir.index.filters import Filter
from memoir.index.view import View
from memoir.named_tuple import NamedTuple
from memoir.recall import channels
from memoir.recall.candidates import Candidates, find
from memoir.recall.channel import Search
from memoir.recall.clues import Clues, find_clues
from memoir.recall.query import Query
from memoir.recall.scoring import ScoredDocument, score
from memoir.taxonomy.paths import Address


class RankedCandidate(NamedTuple):
    """A candidate at its place in a ranking.

    `rerank` multiplies the score and the relevance of `base`. `dropped` says why it is not in an answer.
    `lead` says what has led to it, where that was not the query itself.
    """

    base: ScoredDocument
    score: float
    relevance: float
    rerank: float = 1.0
    dropped: str | None = None
    lead: str | None = None

    @property
    def document(self) -> IndexedDocument:
        """The memory that is ranked."""
        return self.base.document

    def drop(self, reason: str) -> "RankedCandidate":
        """The same candidate, kept out of the answer."""
        return self._replace(dropped=reason)

    def fields(self) -> dict[str, Any]:
        """The numbers that a hit carries."""
        numbers = self.numbers()
        names = ("bm25_rank", "vector_rank", "cosine", "recency", "score")
        return {**_round({name: numbers[name] for name in names}), **({"lead": self.lead} if self.lead else {})}

    def numbers(self) -> dict[str, float | None]:
        """The evidence of the legs and the channels, and the results, in the order of the computation."""
        base, identity = self.base, self.document.id
        numbers: dict[str, float | None] = {}
        for leg in channels.LEGS:
            evidence = base.columns.evidence[leg.name]
            numbers[leg.rank_column] = evidence.ranks.get(identity)
            numbers[leg.score_column] = evidence.scores.get(identity)
        return numbers | {
            "fused": base.fused,
            **{name: additions.get(identity, 0.0) for name, additions in base.columns.additions.items()},
            "recency": base.recency,
            "question": base.question,
            "boost": base.boost,
            "rerank": self.rerank,
            "score": self.score,
            "relevance_score": self.relevance,
        }

    def trace(self) -> dict[str, Any]:
        """Which memory it is, and all numbers of it."""
        address, ordinal = self.document.place
        return {
            "key": address.path,
            "namespace": address.namespace,
            "ordinal": ordinal,
            **_round(self.numbers()),
            "lead": self.lead,
            "dropped": self.dropped,
        }


def _round(numbers: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in numbers.items()}


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


def rank(view: View, query: Query, *, where: Filter | None = None, also: Sequence[int] = ()) -> Ranking:
    """Rank the documents that a query may find (or those of a narrower filter), and `also` some whatever they are."""
    search = begin(view, query, where)
    return in_order(search, find(search, also))


def begin(view: View, query: Query, where: Filter | None = None) -> Search:
    """The search of a query, among the documents that it may find (or those of a narrower filter)."""
    return Search(view, query, find_clues(view, query), view.select(where or query.where))


def in_order(search: Search, candidates: Candidates) -> Ranking:
    """Score candidates, and put them in order."""
    documents = score(search, candidates)
    everyone = sorted(
        (RankedCandidate(each, each.score, each.relevance, 1.0, each.weakness) for each in documents), key=order
    )
    strong = tuple(each for each in everyone if not each.dropped)
    return Ranking(search.clues, strong, tuple(each for each in everyone if each.dropped), search.query)


def order(candidate: RankedCandidate) -> tuple[float, Address, int]:
    """The sort key of candidates: the best score first, equal ones by their places."""
    return (-candidate.score, *candidate.document.place)


def cut(candidates: Sequence[RankedCandidate], query: Query) -> tuple[RankedCandidate, ...]:
    """Drop the candidates that the threshold or the limit keeps out of the answer."""
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
