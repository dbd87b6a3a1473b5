"""A query, understood."""

from typing import NamedTuple

from memoir.index.embedders.embedder import Vector
from memoir.index.lexical import Term
from memoir.recall.temporal import Span


class Question(NamedTuple):
    """What a query asks: its words, its vector, the people (case-folded) and the times it names.

    `unheard` is the idf of its words that no memory holds, summed: they find nothing, and yet were asked for.
    """

    terms: tuple[Term, ...]
    unheard: float
    vector: "Vector | None"
    people: frozenset[str]
    spans: tuple[Span, ...]
