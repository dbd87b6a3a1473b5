"""What labelled facts that mean much the same say of a memory's category: the nearest of them vote.

A regression draws one border around a category, which holds things of many trades; the nearest facts follow each of
them. Only MiniLM's vectors are good enough for it. Of a vector the signs are kept, each component less its mean: the
share of signs in which two vectors differ tells the angle between them (Charikar, "Similarity Estimation Techniques
from Rounding Algorithms", 2002), and comparing signs takes no time. `scripts/fit_filing.py` writes the file.
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
"""A component of 1 in the file's means."""
WEIGHT = 0.8
"""What the logarithm of the votes for a category counts in its score."""
VOTERS = 40
"""How many of the nearest facts vote."""
SHARPNESS = 15.0
"""A vote weighs e^(SHARPNESS * (cosine - 1))."""
_LEAST = exp(SHARPNESS * (0.1 - 1))
"""What a category without a vote has: the vote of one fact with a cosine of 0.1."""


class LabelledFact(NamedTuple):
    """The signs of a fact's meaning, as bits, and its labels: the first or second levels that are right for it."""

    signs: int
    labels: Sequence[str]


class LabelledFacts:
    """Facts whose categories are known."""

    def __init__(self, means: Sequence[int], facts: Sequence[LabelledFact]) -> None:
        """Take the mean of each component of a meaning, times UNIT, and the facts."""
        self.means, self.facts = means, facts
        self._signs = [fact.signs for fact in facts]
        angles = (pi * different / len(means) for different in range(len(means) + 1))
        self._weights = [exp(SHARPNESS * (cos(angle) - 1)) for angle in angles]

    @classmethod
    def loads(cls, text: str) -> "LabelledFacts":
        """Read what `dumps` wrote, after its first line."""
        _, means, labels, *lines = text.splitlines()
        names = labels.split()
        labels_of = cache(lambda numbers: [names[int(number)] for number in numbers.split()])  # many facts share theirs
        rows = (line.partition(" ") for line in lines)
        facts = [LabelledFact(int.from_bytes(a2b_base64(signs)), labels_of(numbers)) for signs, _, numbers in rows]
        return cls([*map(int, means.split())], facts)

    def dumps(self) -> str:
        """The means and all labels; then a line for each fact: its signs in base 64, and the numbers of its labels."""
        names = sorted({label for fact in self.facts for label in fact.labels})
        lines = sorted(
            " ".join([self._code(fact), *(str(names.index(each)) for each in fact.labels)]) for fact in self.facts
        )
        return "\n".join([" ".join(map(str, self.means)), " ".join(names), *lines]) + "\n"

    def _code(self, fact: LabelledFact) -> str:
        return b2a_base64(fact.signs.to_bytes(-(-len(self.means) // 8)), newline=False).decode()

    def signs(self, meaning: Sequence[float]) -> int:
        """The signs of a meaning's components, less their means."""
        pairs = zip(meaning, self.means, strict=True)
        return int("".join("1" if UNIT * component > mean else "0" for component, mean in pairs), 2)

    def scores(self, meaning: Sequence[float], classes: Sequence[str]) -> Mapping[str, float]:
        """What the nearest facts add to the score of each class.

        The labels of a fact share its vote, and the classes below a first level share that level's.
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
        """The nearest facts, each with the number of signs that differ, and its place."""
        distances = list(map(int.bit_count, map(xor, self._signs, repeat(signs))))
        counts = sorted(Counter(distances).items())
        within = zip((each for each, _ in counts), accumulate(count for _, count in counts), strict=True)
        most = next((each for each, count in within if count >= VOTERS), len(self.means))
        return sorted((each, at) for at, each in enumerate(distances) if each <= most)[:VOTERS]


def _first(name: str) -> str:
    return name.partition(".")[0]


@cache
def labelled_facts() -> LabelledFacts:
    """The facts that come with memoir."""
    return LabelledFacts.loads(FILE.read_text(encoding="utf-8"))
