"""A document that may answer a query, with every number that decides its rank."""

from typing import Any

from memoir.index.documents import Indexed


class Candidate:
    """One memory in the running.

    Ranks count from 1 and are None for a memory outside a leg's pool; `bm25` and `cosine` are the legs' raw scores.
    `person` and `time` are what those channels add to `fused`; `recency` and `boost` multiply the sum to `score`.
    `relevance` (0 to 1) is `score` on a scale that compares between queries. `dropped` says why it is not in an answer.
    """

    __slots__ = (
        "bm25", "bm25_rank", "boost", "cosine", "document", "dropped", "fused", "person", "recency", "relevance",
        "rerank", "score", "time", "vec_rank",
    )  # fmt: skip

    def __init__(self, document: Indexed) -> None:
        self.document = document
        self.bm25_rank: int | None = None
        self.bm25: float | None = None
        self.vec_rank: int | None = None
        self.cosine: float | None = None
        self.fused = self.person = self.time = 0.0
        self.recency = self.boost = self.rerank = 1.0
        self.score = self.relevance = 0.0
        self.dropped: str | None = None

    @property
    def found(self) -> bool:
        """Whether a leg or a channel brought it in, rather than a caller who asked for it by name."""
        return bool(self.bm25_rank or self.vec_rank or self.time)

    def fields(self) -> dict[str, Any]:
        """What ranking knows of a hit."""
        return {
            "bm25_rank": self.bm25_rank,
            "vector_rank": self.vec_rank,
            "cosine": _rounded(self.cosine),
            "recency": _rounded(self.recency),
            "score": _rounded(self.score),
        }

    def trace(self) -> dict[str, Any]:
        """All there is to know about it, in the order of the computation."""
        return {
            "key": self.document.address.path,
            "namespace": self.document.address.namespace,
            "ordinal": self.document.ordinal,
            "bm25_rank": self.bm25_rank,
            "bm25": _rounded(self.bm25),
            "vector_rank": self.vec_rank,
            "cosine": _rounded(self.cosine),
            "fused": _rounded(self.fused),
            "person": _rounded(self.person),
            "time": _rounded(self.time),
            "recency": _rounded(self.recency),
            "boost": _rounded(self.boost),
            "rerank": _rounded(self.rerank),
            "score": _rounded(self.score),
            "relevance_score": _rounded(self.relevance),
            "dropped": self.dropped,
        }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
