"""The vector of a short question, turned towards those of the facts that answer such questions.

To MiniLM a question is near to what is about the same thing, or is worded like a question. What answers it says
something else about that thing. A linear map learns the difference from questions and their facts; it is of low rank,
since that generalizes better to other people's questions. A long question says enough of its answer by itself.
`scripts/fit_short_questions.py` fits the map.
"""

from array import array
from collections.abc import Sequence
from functools import cache
from operator import mul
from pathlib import Path
from typing import NamedTuple

from memoir.embedders.embedder import MINILM_DIMENSION, Vector
from memoir.index.vectors import unit

FILE = Path(__file__).with_name("towards_answers.bin")
"""The digest of what the map is fitted to, then its scales, and its rows as bytes."""
DIGEST_BYTES = 20
LONGEST = 9
"""The words of a question that is short: those that the map is fitted to have as many."""
CONSTANT = 0.25
"""What stands behind the numbers of a vector, so that the map can move all questions alike."""


class QuestionMap(NamedTuple):
    """A linear map: what a vector has of each feature of questions, and what each feature adds to it."""

    scales: Sequence[float]
    """The unit of each feature."""
    features: Sequence[Sequence[int]]
    """For each feature the weights of a vector's numbers."""
    additions: Sequence[Sequence[int]]
    """For each number of a vector what the features add to it."""

    def turn(self, vector: Vector) -> Vector:
        """A vector of length 1 after the map, at length 1."""
        numbers = (*vector, CONSTANT)
        shares = [scale * sum(map(mul, row, numbers)) for scale, row in zip(self.scales, self.features, strict=True)]
        pairs = zip(vector, self.additions, strict=True)
        return unit(array("f", [number + sum(map(mul, row, shares)) for number, row in pairs]))


@cache
def question_map() -> QuestionMap:
    """The map that is shipped."""
    data = FILE.read_bytes()[DIGEST_BYTES:]
    rank = len(data) // (array("f").itemsize + MINILM_DIMENSION + 1 + MINILM_DIMENSION)
    scales, rows = array("f", data[: 4 * rank]), array("b", data[4 * rank :])
    end = rank * (MINILM_DIMENSION + 1)
    features = [rows[at : at + MINILM_DIMENSION + 1] for at in range(0, end, MINILM_DIMENSION + 1)]
    return QuestionMap(scales, features, [rows[at : at + rank] for at in range(end, len(rows), rank)])


def turn(vector: Vector, question: str) -> Vector:
    """MiniLM's vector of a question, turned if the question is short."""
    return question_map().turn(vector) if len(question.split()) <= LONGEST else vector
