"""Making one score of the legs' scores.

`rrf` is reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): the sum over the legs of
weight / (k + rank). It looks at ranks alone. `blend` looks at the scores: each leg's is divided by the
best one it gave, so both run from 0 to 1, and their weighted mean is taken; it measured far better
(docs/recall.md), because one very good match then counts for more than being first of a poor lot.
"""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.recall.candidate import Candidate


class Legs(NamedTuple):
    """A number for each leg: what it counts, or the best score it gave."""

    bm25: float
    vector: float


def best(candidates: Sequence[Candidate]) -> Legs:
    """The best raw scores among some candidates; 0 where a leg found nothing."""
    return Legs(
        max((candidate.bm25 or 0.0 for candidate in candidates), default=0.0),
        max((candidate.cosine or 0.0 for candidate in candidates), default=0.0),
    )


def blend(candidates: Sequence[Candidate], against: Legs, weights: Legs) -> float:
    """Set `fused` to the weighted mean of the normalised scores; returns the best that could be had, 1."""
    both = weights.bm25 + weights.vector or 1.0
    for candidate in candidates:
        lexical = weights.bm25 * ((candidate.bm25 or 0.0) / (against.bm25 or 1.0))
        vector = weights.vector * (max(candidate.cosine or 0.0, 0.0) / (max(against.vector, 0.0) or 1.0))
        candidate.fused = (lexical + vector) / both
    return 1.0


def rrf(candidates: Sequence[Candidate], weights: Legs, k: float) -> float:
    """Set `fused` to the sum of weight / (k + rank); returns the best that could be had, first in both legs."""
    for candidate in candidates:
        lexical = weights.bm25 / (k + candidate.bm25_rank) if candidate.bm25_rank else 0.0
        vector = weights.vector / (k + candidate.vec_rank) if candidate.vec_rank else 0.0
        candidate.fused = lexical + vector
    return (weights.bm25 + weights.vector) / (k + 1) or 1.0


def quality(found: Legs, ideal: float, weights: Legs, coverage: float = 1.0) -> float:
    """How well the best matches answer, 0 to 1, whatever the others do.

    BM25 is held against `ideal`, what a memory that answers in full would get; since one word alone can give twice
    its part of that, it counts only by `coverage`, the share of the query that the best memory holds. A cosine is what
    it is.
    """
    both = weights.bm25 + weights.vector or 1.0
    lexical = coverage * min(found.bm25 / ideal, 1.0)
    return (weights.bm25 * lexical + weights.vector * min(found.vector, 1.0)) / both
