"""What the form of a memory says of the kind of fact it is: a multinomial logistic regression on its features.

`regression.txt` has the weights, in hundredths; `scripts/fit_filing.py` fits them to labelled facts and writes it. The
regression adds to the evidence of the words that the taxonomy names, which knows nothing of a trade it has never heard
of. It knows the first levels of the default taxonomy, and one class more: texts that are not memories.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("regression.txt")
NO_MEMORY = "inbox"
"""The class of texts that are not memories."""
UNIT = 100
"""A weight of 1 in the file."""


class Regression:
    """The weights of features for classes."""

    def __init__(self, classes: Sequence[str], lines: Sequence[str]) -> None:
        """Take sorted lines: a feature, a tab, and its weight for each class."""
        self.classes = tuple(classes)
        self._lines = lines

    @classmethod
    def loads(cls, text: str) -> "Regression":
        """Read a comment, the classes, and the weights by feature."""
        _, classes, *lines = text.splitlines()
        return cls(classes.split(), lines)

    def scores(self, features: Iterable[str]) -> Mapping[str, float]:
        """The score of each class: the sum of the features' weights."""
        rows = list(filter(None, map(self._weights, features)))
        return {name: sum(column) / UNIT for name, *column in zip(self.classes, *rows, strict=True)}

    def _weights(self, feature: str) -> list[int]:
        start = f"{feature}\t"
        at = bisect_left(self._lines, start)
        line = self._lines[at] if at < len(self._lines) else ""
        return list(map(int, line[len(start) :].split())) if line.startswith(start) else []


@cache
def default_regression() -> Regression:
    """The regression for the default taxonomy."""
    return Regression.loads(FILE.read_text(encoding="utf-8"))
