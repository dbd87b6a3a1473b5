"""What the form and the meaning of a memory say of its category: a regression (multinomial, logistic).

It adds to the evidence of the words that the taxonomy names, which knows nothing of a trade it has never heard of. Its
classes are the second levels of the default taxonomy, and texts that are not memories. The form speaks for first
levels, the meaning for second ones. There is one regression for each embedder that a meaning may come from.
`scripts/fit_filing.py` fits them to labelled facts and writes their weights, in hundredths.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import exp, log
from operator import mul
from pathlib import Path
from typing import NamedTuple

NO_MEMORY = "inbox"
"""The class of texts that are not memories."""
UNIT = 100
"""A weight of 1 in the file."""
MANY = 6
"""Words that are evidence count for the confidence up to this many."""
_LEAST_SHARE = 1e-6


class Constants(NamedTuple):
    """What is fitted beside the weights.

    Attributes:
        of_first: The weight of the words' evidence for a first level.
        of_second: The weight of their evidence for a second level.
        bias: The confidence is a logistic regression too (Platt, "Probabilistic Outputs for Support Vector Machines",
            1999), on
        of_odds: the log-odds of the first level, and on
        of_words: the words that are evidence for it. It is fitted to facts of domains that this regression has not
            seen, and, at 20 % of their weight, to texts that are not memories.
    """

    of_first: float
    of_second: float
    bias: float
    of_odds: float
    of_words: float


class Regression:
    """The weights of features for first levels, and of meanings for second levels."""

    def __init__(
        self, constants: Constants, classes: Sequence[str], by_class: Sequence[str], by_feature: Sequence[str]
    ) -> None:
        """Take the weights as lines of text, which are parsed when they are needed.

        Args:
            constants: What is fitted beside the weights.
            classes: The second levels, and NO_MEMORY.
            by_class: A line for each class: its bias, and its weights for the components of a meaning.
            by_feature: Sorted lines: a feature, a tab, and its weight for each first level, and for NO_MEMORY.
        """
        self.constants = constants
        self.classes = tuple(classes)
        self.first_levels = tuple(dict.fromkeys(name.partition(".")[0] for name in classes))
        self._by_class = by_class
        self._by_feature = by_feature

    @classmethod
    def loads(cls, text: str) -> "Regression":
        """Read a comment, the constants, the classes, their weights for a meaning, and the weights by feature."""
        _, constants, names, *lines = text.splitlines()
        classes = names.split()
        return cls(Constants(*map(float, constants.split())), classes, lines[: len(classes)], lines[len(classes) :])

    def scores(self, features: Iterable[str], meaning: Sequence[float]) -> Mapping[str, float]:
        """The score of each class: the sum of its first level's weights, its bias, and its weights for the meaning."""
        rows = filter(None, map(self._weights, features))
        columns = zip(*rows, strict=True)
        of_form = dict(zip(self.first_levels, map(sum, columns), strict=False))
        components = (1.0, *meaning)
        return {
            name: (of_form.get(name.partition(".")[0], 0) + sum(map(mul, components, map(int, line.split())))) / UNIT
            for name, line in zip(self.classes, self._by_class, strict=True)
        }

    def confidence(self, share: float, match_count: float) -> float:
        """The confidence (0 to 1) that a first level is right, by its share and the words that are evidence for it.

        One word with a strong cue is weak evidence, however far it leads.
        """
        share = min(max(share, _LEAST_SHARE), 1 - _LEAST_SHARE)
        constants = self.constants
        power = constants.of_odds * log(share / (1 - share)) + constants.of_words * min(match_count, MANY)
        return 1 / (1 + exp(-constants.bias - power))

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
