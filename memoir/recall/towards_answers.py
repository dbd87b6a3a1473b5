"""Turn the vector of a short question towards the vectors of facts that answer such questions.

MiniLM places a question near texts about the same subject or worded like a question; an answer says something else
about the subject. A linear map learns the difference from pairs of questions and facts. It has a low rank, which
generalizes better to other people's questions. A long question already says enough about its answer.
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
"""The digest of the training data, then the map's scales and its rows as bytes."""
DIGEST_BYTES = 20
LONGEST = 9
"""The most words of a short question, as in the training data."""
CONSTANT = 0.25
"""The constant appended to a vector, so that the map can shift all questions alike."""


class QuestionMap(NamedTuple):
    """A low-rank linear map: from a vector to features of questions, and from features to additions."""

    scales: Sequence[float]
    """The unit of each feature."""
    features: Sequence[Sequence[int]]
    """For each feature, the weights of a vector's components."""
    additions: Sequence[Sequence[int]]
    """For each component of a vector, the additions of the features."""

    def turn(self, vector: Vector) -> Vector:
        """Map a vector of length 1 to one of length 1."""
        numbers = (*vector, CONSTANT)
        shares = [scale * sum(map(mul, row, numbers)) for scale, row in zip(self.scales, self.features, strict=True)]
        pairs = zip(vector, self.additions, strict=True)
        return unit(array("f", [number + sum(map(mul, row, shares)) for number, row in pairs]))


@cache
def question_map() -> QuestionMap:
    """The bundled map."""
    data = FILE.read_bytes()[DIGEST_BYTES:]
    rank = len(data) // (array("f").itemsize + MINILM_DIMENSION + 1 + MINILM_DIMENSION)
    scales, rows = array("f", data[: 4 * rank]), array("b", data[4 * rank :])
    end = rank * (MINILM_DIMENSION + 1)
    features = [rows[at : at + MINILM_DIMENSION + 1] for at in range(0, end, MINILM_DIMENSION + 1)]
    return QuestionMap(scales, features, [rows[at : at + rank] for at in range(end, len(rows), rank)])


def turn(vector: Vector, question: str) -> Vector:
    """Turn MiniLM's vector of a question if the question is short."""
    return question_map().turn(vector) if len(question.split()) <= LONGEST else vector
