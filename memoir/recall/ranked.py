"""`RankedCandidate`: a candidate at its place in a ranking."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from memoir.index.documents import IndexedDocument
from memoir.recall import channels
from memoir.recall.scoring import ScoredDocument
from memoir.taxonomy.paths import Address


class RankedCandidate(NamedTuple):
    """A candidate at its place in a ranking.

    `rerank` multiplies the score and the relevance of `base`. `dropped` says why it is not in an answer.
    `lead` says what has led to it, where that was not the query itself. `joined` are the passages beside it that are
    shown with it, and `items` the memories that it stands for.
    """

    base: ScoredDocument
    score: float
    relevance: float
    rerank: float = 1.0
    dropped: str | None = None
    lead: str | None = None
    joined: tuple[IndexedDocument, ...] = ()
    items: tuple[IndexedDocument, ...] = ()

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
        names = ("bm25_rank", "vector_rank", "cosine", "concept_rank", "recency", "score")
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


def order(candidate: RankedCandidate) -> tuple[float, int, Address, int]:
    """The sort key of candidates: the best score first, equal ones by who vouches for them, then by their places."""
    return (-candidate.score, candidate.base.voucher, *candidate.document.place)
