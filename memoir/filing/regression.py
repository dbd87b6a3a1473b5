"""What the form and the meaning of a memory say of its category: a regression (multinomial, logistic).

It adds to the evidence of the words that the taxonomy names, which knows nothing of a trade it has never heard of. Its
classes are the second levels of the default taxonomy, and texts that are not memories. The form speaks for first
levels; the meaning speaks for second ones, MiniLM's through a layer of hidden units, because facts of many trades lie
on both sides of a straight border. There is one regression for each embedder that a meaning may come from.
`scripts/fit_filing.py` fits them to labelled facts and writes their weights.
"""

from array import array
from base64 import b85decode, b85encode
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import exp, log, tanh
from operator import mul
from pathlib import Path
from typing import NamedTuple

NO_MEMORY = "inbox"
"""The class of texts that are not memories."""
UNIT = 100
"""A weight of 1 of a feature in the file."""
MANY = 6
"""Words that are evidence count for the confidence up to this many."""
_LEAST_SHARE = 1e-6
_MOST = 127


class Constants(NamedTuple):
    """What is fitted beside the weights.

    Attributes:
        of_first: The weight of the words' evidence for a first level.
        of_second: The weight of their evidence for a second level.
        bias: The confidence is a logistic regression too (Platt, "Probabilistic Outputs for Support Vector Machines",
            1999), on
        of_odds: the log-odds of the first level, on
        of_words: the words that are evidence for it, and on
        of_spread: the entropy of all classes' shares. It is fitted to facts of domains that this regression has not
            seen, and, at 20 % of their weight, to texts that are not memories.
    """

    of_first: float
    of_second: float
    bias: float
    of_odds: float
    of_words: float
    of_spread: float


class Row(NamedTuple):
    """Weights as bytes, each times a scale; in the file the scale and, after a space, the bytes in base 85."""

    scale: float
    weights: bytes

    @classmethod
    def of(cls, weights: Sequence[float]) -> "Row":
        """Round weights to bytes."""
        scale = float(f"{(max(map(abs, weights)) or 1.0) / _MOST:.4g}")
        return cls(scale, array("b", (max(-_MOST, min(round(each / scale), _MOST)) for each in weights)).tobytes())

    @classmethod
    def loads(cls, line: str) -> "Row":
        """Read a line."""
        scale, code = line.split(" ")
        return cls(float(scale), b85decode(code))

    def __str__(self) -> str:
        """The line."""
        return f"{self.scale:.4g} {b85encode(self.weights).decode()}"

    def times(self, numbers: Sequence[float]) -> float:
        """The sum of the numbers, each times its weight."""
        return self.scale * float(sum(map(mul, numbers, array("b", self.weights))))


class Regression:
    """The weights of features for first levels, and of meanings for second levels."""

    def __init__(
        self,
        constants: Constants,
        classes: Sequence[str],
        hidden: Sequence[str],
        by_class: Sequence[str],
        by_feature: Sequence[str],
    ) -> None:
        """Take the weights as lines of text, which are parsed when they are needed.

        Args:
            constants: What is fitted beside the weights.
            classes: The second levels, and NO_MEMORY.
            hidden: A `Row` for each hidden unit: its bias, and its weights for the components of a meaning; or nothing.
            by_class: A `Row` for each class: its weights for the hidden units; without any, as those have them.
            by_feature: Sorted lines: a feature, a tab, and its weight for each first level, and for NO_MEMORY.
        """
        self.constants = constants
        self.classes = tuple(classes)
        self.first_levels = tuple(dict.fromkeys(name.partition(".")[0] for name in classes))
        self._hidden = hidden
        self._by_class = by_class
        self._by_feature = by_feature

    @classmethod
    def loads(cls, text: str) -> "Regression":
        """Read a comment, the constants and the classes; then, after blank lines, the weights."""
        (_, constants, names), *weights = (part.splitlines() for part in text.split("\n\n"))
        return cls(Constants(*map(float, constants.split())), names.split(), *weights)

    def scores(self, features: Iterable[str], meaning: Sequence[float]) -> Mapping[str, float]:
        """The score of each class: the sum of its first level's weights, and the meaning's share."""
        rows = filter(None, map(self._weights, features))
        columns = zip(*rows, strict=True)
        of_form = dict(zip(self.first_levels, map(sum, columns), strict=False))
        components = (1.0, *meaning)
        units = [tanh(row.times(components)) for row in map(Row.loads, self._hidden)] or components
        return {
            name: of_form.get(name.partition(".")[0], 0) / UNIT + row.times(units)
            for name, row in zip(self.classes, map(Row.loads, self._by_class), strict=True)
        }

    def confidence(self, share: float, match_count: float, spread: float) -> float:
        """The confidence (0 to 1) that a first level is right.

        One word with a strong cue is weak evidence, however far it leads.

        Args:
            share: Its share (0 to 1).
            match_count: The words that are evidence for it.
            spread: The entropy of the shares of all classes.
        """
        share = min(max(share, _LEAST_SHARE), 1 - _LEAST_SHARE)
        constants = self.constants
        power = constants.of_odds * log(share / (1 - share)) + constants.of_words * min(match_count, MANY)
        return 1 / (1 + exp(-constants.bias - power - constants.of_spread * spread))

    def _weights(self, feature: str) -> list[int]:
        start = f"{feature}\t"
        at = bisect_left(self._by_feature, start)
        line = self._by_feature[at] if at < len(self._by_feature) else ""
        return list(map(int, line[len(start) :].split())) if line.startswith(start) else []


def file_of(embedder: str) -> Path:
    """The file of the regression that takes the meanings of an embedder."""
    return Path(__file__).with_name(f"regression_{embedder}.txt")


@cache
def regression_of(embedder: str) -> Regression:
    """The regression that takes the meanings of an embedder, for the default taxonomy."""
    return Regression.loads(file_of(embedder).read_text(encoding="utf-8"))
