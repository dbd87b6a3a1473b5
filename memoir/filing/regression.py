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
    """The weights of features for classes."""

    def __init__(self, classes: Sequence[str], meanings: Sequence[str], lines: Sequence[str]) -> None:
        """Take lines.

        Args:
            classes: The names of the classes.
            meanings: For each class the weights of the components of a meaning.
            lines: In order, each a feature, a tab, and its weight for each class.
        """
        self.classes = tuple(classes)
        self._meanings = meanings
        self._lines = lines

    @classmethod
    def loads(cls, text: str) -> "Regression":
        """Read a comment, the classes, their weights for a meaning, and the weights by feature."""
        _, names, *lines = text.splitlines()
        classes = names.split()
        return cls(classes, lines[: len(classes)], lines[len(classes) :])

    def scores(self, features: Iterable[str], meaning: Sequence[float]) -> Mapping[str, float]:
        """The score of each class: the sum of the features' weights, and of the meaning's components times theirs."""
        rows = filter(None, map(self._weights, features))
        meanings = [sum(map(mul, meaning, map(int, line.split()))) for line in self._meanings]
        return {name: sum(column) / UNIT for name, *column in zip(self.classes, meanings, *rows, strict=True)}

    def _weights(self, feature: str) -> list[int]:
        start = f"{feature}\t"
        at = bisect_left(self._lines, start)
        line = self._lines[at] if at < len(self._lines) else ""
        return list(map(int, line[len(start) :].split())) if line.startswith(start) else []


@cache
def default_regression() -> Regression:
    """The regression for the default taxonomy."""
    return Regression.loads(FILE.read_text(encoding="utf-8"))
