"""The kind of fact that a memory is, by its form and meaning: a multinomial logistic regression.

`regression.txt` has the weights, in hundredths; `scripts/fit_filing.py` fits them to labelled facts and writes it. The
regression adds to the evidence of the words that the taxonomy names, which knows nothing of a trade it has never heard
of. It knows the first levels of the default taxonomy, and one class more: texts that are not memories.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import mul
from pathlib import Path

FILE = Path(__file__).with_name("regression.txt")
NO_MEMORY = "inbox"
"""The class of texts that are not memories."""
UNIT = 100
"""A weight of 1 in the file."""


class Regression:
    """The weights of features and of meanings for classes."""

    def __init__(self, classes: Sequence[str], by_class: Sequence[str], by_feature: Sequence[str]) -> None:
        """Take the weights as lines of text, which are parsed when they are needed.

        Args:
            classes: The names of the classes.
            by_class: A line for each class: its weights for the components of a meaning.
            by_feature: Sorted lines: a feature, a tab, and its weight for each class.
        """
        self.classes = tuple(classes)
        self._by_class = by_class
        self._by_feature = by_feature

    @classmethod
    def loads(cls, text: str) -> "Regression":
        """Read a comment, the classes, their weights for a meaning, and the weights by feature."""
        _, names, *lines = text.splitlines()
        classes = names.split()
        return cls(classes, lines[: len(classes)], lines[len(classes) :])

    def scores(self, features: Iterable[str], meaning: Sequence[float]) -> Mapping[str, float]:
        """The score of each class: the sum of the features' weights, and of the meaning's components times theirs."""
        rows = filter(None, map(self._weights, features))
        sums = [sum(map(mul, meaning, map(int, line.split()))) for line in self._by_class]
        return {name: sum(column) / UNIT for name, *column in zip(self.classes, sums, *rows, strict=True)}

    def _weights(self, feature: str) -> list[int]:
        start = f"{feature}\t"
        at = bisect_left(self._by_feature, start)
        line = self._by_feature[at] if at < len(self._by_feature) else ""
        return list(map(int, line[len(start) :].split())) if line.startswith(start) else []


@cache
def default_regression() -> Regression:
    """The regression for the default taxonomy."""
    return Regression.loads(FILE.read_text(encoding="utf-8"))
