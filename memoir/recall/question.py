"""A query, understood."""

from typing import NamedTuple

from memoir.english.dates import Span
from memoir.index.embedders.embedder import Vector
from memoir.index.lexical import Words


class Question(NamedTuple):
    """What a query asks: its words, its vector, the people (case-folded) and the times it names."""

    words: Words
    vector: "Vector | None"
    people: frozenset[str]
    spans: tuple[Span, ...]
