"""Vote on a memory's category by the labelled facts nearest in meaning.

A category holds facts of many trades: a regression draws one border around all of them, while the nearest facts follow
each trade. Only MiniLM's vectors are good enough for it. Of each vector only signs are kept (components minus their
means): the share of differing signs gives the angle between two vectors (Charikar, "Similarity Estimation Techniques
from Rounding Algorithms", 2002), and comparing signs is fast. `scripts/fit_filing.py` writes the file.
"""

from binascii import a2b_base64, b2a_base64
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import accumulate, repeat
from math import cos, exp, log, pi
from operator import xor
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("labelled_minilm.txt")
UNIT = 1000
"""The file's number for a mean of 1."""
WEIGHT = 0.8
"""The weight of the logarithm of a category's votes in its score."""
VOTERS = 40
"""How many of the nearest facts vote."""
SHARPNESS = 15.0
"""A vote weighs e^(SHARPNESS * (cosine - 1))."""
_LEAST = exp(SHARPNESS * (0.1 - 1))
"""The votes of a category without any: that of one fact with a cosine of 0.1."""


class LabelledFact(NamedTuple):
    """The signs of a fact's meaning, as bits, and its labels: the correct first or second levels."""

    signs: int
    labels: Sequence[str]


class LabelledFacts:
    """Facts with known categories."""

    def __init__(self, means: Sequence[int], facts: Sequence[LabelledFact]) -> None:
        """Take the means of a meaning's components, times UNIT, and the facts."""
        self.means, self.facts = means, facts
        self._signs = [fact.signs for fact in facts]
        angles = (pi * different / len(means) for different in range(len(means) + 1))
        self._weights = [exp(SHARPNESS * (cos(angle) - 1)) for angle in angles]

    @classmethod
    def loads(cls, text: str) -> "LabelledFacts":
        """Parse a comment line and the output of `dumps`."""
        _, means, labels, *lines = text.splitlines()
        names = labels.split()
        labels_of = cache(lambda numbers: [names[int(number)] for number in numbers.split()])  # many facts share theirs
        rows = (line.partition(" ") for line in lines)
        facts = [LabelledFact(int.from_bytes(a2b_base64(signs)), labels_of(numbers)) for signs, _, numbers in rows]
        return cls([*map(int, means.split())], facts)

    def dumps(self) -> str:
        """The means, all labels, then a line for each fact: its signs in base 64, and its label numbers."""
        names = sorted({label for fact in self.facts for label in fact.labels})
        lines = sorted(
            " ".join([self._code(fact), *(str(names.index(each)) for each in fact.labels)]) for fact in self.facts
        )
        return "\n".join([" ".join(map(str, self.means)), " ".join(names), *lines]) + "\n"

    def _code(self, fact: LabelledFact) -> str:
        return b2a_base64(fact.signs.to_bytes(-(-len(self.means) // 8)), newline=False).decode()

    def signs(self, meaning: Sequence[float]) -> int:
        """The signs of a meaning's components minus their means."""
        pairs = zip(meaning, self.means, strict=True)
        return int("".join("1" if UNIT * component > mean else "0" for component, mean in pairs), 2)

    def scores(self, meaning: Sequence[float], classes: Sequence[str]) -> Mapping[str, float]:
        """The score that the nearest facts add to each class.

        A fact's labels share its vote, and the classes below a first level share that level's votes.
        """
        votes: dict[str, float] = defaultdict(float)
        for different, at in self._nearest(self.signs(meaning)):
            labels = self.facts[at].labels
            for label in labels:
                votes[label] += self._weights[different] / len(labels)
        sizes = Counter(_first(name) for name in classes)
        shared = {first: votes[first] / size for first, size in sizes.items()}
        own = {name: votes[name] if "." in name else 0.0 for name in classes}
        return {name: WEIGHT * log(own[name] + shared[_first(name)] + _LEAST) for name in classes}

    def _nearest(self, signs: int) -> list[tuple[int, int]]:
        """The nearest facts: the number of differing signs, and the fact's index."""
        distances = list(map(int.bit_count, map(xor, self._signs, repeat(signs))))
        counts = sorted(Counter(distances).items())
        within = zip((each for each, _ in counts), accumulate(count for _, count in counts), strict=True)
        most = next((each for each, count in within if count >= VOTERS), len(self.means))
        return sorted((each, at) for at, each in enumerate(distances) if each <= most)[:VOTERS]


def _first(name: str) -> str:
    return name.partition(".")[0]


@cache
def labelled_facts() -> LabelledFacts:
    """The bundled facts."""
    return LabelledFacts.loads(FILE.read_text(encoding="utf-8"))
