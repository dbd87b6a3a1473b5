"""Vote on a memory's category by the labelled facts nearest in words and in meaning.

A category holds facts of many trades: a regression draws one border around all of them, while the nearest facts follow
each trade. Facts are near in words if they share rare ones (Spärck Jones, "A statistical interpretation of term
specificity", 1972), and near in meaning by their vectors; only MiniLM's are good enough for it. Of each vector only
signs are kept (components minus their means): the share of differing signs gives the angle between two vectors
(Charikar, "Similarity Estimation Techniques from Rounding Algorithms", 2002), and comparing signs is fast.
`scripts/fit_filing.py` writes the files.
"""

from binascii import a2b_base64, b2a_base64
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from heapq import nlargest
from itertools import accumulate, groupby, pairwise, repeat
from math import cos, exp, log, pi, sqrt
from operator import xor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memoir.english.sorted_lines import contents, lines_after

if TYPE_CHECKING:
    from mmap import mmap

FILE = Path(__file__).with_name("labelled.txt")
MEANINGS = Path(__file__).with_name("labelled_minilm.txt")
"""The signs of the vectors of the facts of FILE, in their order."""
UNIT = 1000
"""The file's number for a mean of 1."""
VOTERS = 40
"""How many of the nearest facts vote."""
COMMON = 0.1
"""The largest share of facts that may have a word; a more common word is ignored."""
_LEAST_COSINE = 0.1
"""The votes of a category without any: that of one fact with this cosine."""
_FIRST_CHARACTER, _BASE = 33, 94
_OFFSET = _FIRST_CHARACTER * (_BASE + 1)
"""Numbers up to 8,835 are written as two printable characters each."""
_HUNDREDTH = 0.01
_HEAD_LINES = 5


class Weight(NamedTuple):
    """The weight of the logarithm of a category's votes in its score; a vote weighs e^(sharpness * (cosine - 1))."""

    of_all: float
    sharpness: float


BY_WORDS, BY_MEANING = Weight(0.6, 10.0), Weight(0.52, 15.0)


class Near(NamedTuple):
    """A fact that is like a memory: the cosine of the two, and the fact's place among all."""

    cosine: float
    place: int


class LabelledFacts:
    """Facts with known categories, by their words: lines of which a memory needs only those of its words.

    The first lines begin with `# `: a comment; all names of first and second levels; the labels of each run of facts
    with the same ones, as numbers of names, with commas between the runs; the first fact of each run; for each fact the
    length of the vector of its words' weights, in hundredths. Sorted lines follow: a stem, a tab, and the facts that
    have it. Facts are numbers, their places among all (`_code`).
    """

    def __init__(self, data: "mmap | bytes") -> None:
        """Take the lines."""
        self.data = data
        ends = [0]
        for _ in range(_HEAD_LINES):
            ends.append(data.find(b"\n", ends[-1]) + 1)
        names, labels, firsts = (data[start + 2 : end - 1].decode("ascii") for start, end in pairwise(ends[1:-1]))
        self.names, self._labels, self._firsts = names.split(), labels.split(","), _numbers(firsts)
        self._lengths = ends[-2] + 2
        self._count = (ends[-1] - 1 - self._lengths) // 2

    def __len__(self) -> int:
        """How many facts there are."""
        return self._count

    @classmethod
    def of(cls, facts: Sequence[tuple[Sequence[str], Iterable[str]]], comment: str = "") -> "LabelledFacts":
        """Take the labels and the stems of each fact."""
        places = defaultdict[str, list[int]](list)
        for place, (_, stems) in enumerate(facts):
            for stem in {*stems}:
                places[stem].append(place)
        squares = [0.0] * len(facts)
        lines = list[str]()
        for stem, its in sorted(places.items()):
            if len(its) <= COMMON * len(facts):
                lines.append(f"{stem}\t{_code(its)}")
                for place in its:
                    squares[place] += _rarity(len(its), len(facts)) ** 2
        names = sorted({label for labels, _ in facts for label in labels})
        runs = [(next(its)[0], labels) for labels, its in groupby(enumerate(facts), lambda fact: fact[1][0])]
        head = (
            comment,
            " ".join(names),
            ",".join(" ".join(str(names.index(label)) for label in labels) for _, labels in runs),
            _code(first for first, _ in runs),
            _code(round(sqrt(each) / _HUNDREDTH) for each in squares),
        )
        return cls("".join(f"{line}\n" for line in (*(f"# {line}" for line in head), *lines)).encode())

    def nearest(self, stems: Collection[str]) -> list[Near]:
        """The facts that share the rarest of some stems."""
        sums, square = defaultdict[int, float](float), 0.0
        for stem in sorted({*stems}):
            for code in lines_after(self.data, f"{stem}\t"):
                places = _numbers(code)
                weight = _rarity(len(places), len(self)) ** 2
                square += weight
                for place in places:
                    sums[place] += weight
        cosines = ((each / self._length(place), place) for place, each in sums.items())
        length = sqrt(square)
        return [Near(each / length, place) for each, place in nlargest(VOTERS, cosines)]

    def labels(self, place: int) -> list[str]:
        """The labels of a fact."""
        numbers = self._labels[bisect_right(self._firsts, place) - 1].split()
        return [self.names[int(number)] for number in numbers]

    def _length(self, place: int) -> float:
        at = self._lengths + 2 * place
        return _HUNDREDTH * (_BASE * self.data[at] + self.data[at + 1] - _OFFSET)

    def votes(self, nearest: Iterable[Near], weight: Weight, classes: Sequence[str]) -> Mapping[str, float]:
        """What the nearest facts add to the score of each class.

        The labels of a fact share its vote, and the classes below a first level share that level's.
        """
        votes: dict[str, float] = defaultdict(float)
        for near in nearest:
            labels = self.labels(near.place)
            for label in labels:
                votes[label] += exp(weight.sharpness * (near.cosine - 1)) / len(labels)
        sizes, least = Counter(map(_first, classes)), exp(weight.sharpness * (_LEAST_COSINE - 1))
        shared = {first: votes[first] / size for first, size in sizes.items()}
        own = {name: votes[name] if "." in name else 0.0 for name in classes}
        return {name: weight.of_all * log(own[name] + shared[_first(name)] + least) for name in classes}


def _first(name: str) -> str:
    return name.partition(".")[0]


def _rarity(count: int, among: int) -> float:
    return log(among / count)


def _code(numbers: Iterable[int]) -> str:
    pairs = (divmod(number, _BASE) for number in numbers)
    return "".join(chr(_FIRST_CHARACTER + high) + chr(_FIRST_CHARACTER + low) for high, low in pairs)


def _numbers(code: str) -> list[int]:
    digits = code.encode("ascii")
    return [_BASE * high + low - _OFFSET for high, low in zip(digits[::2], digits[1::2], strict=True)]


class Signs:
    """The signs of the meanings of facts."""

    def __init__(self, means: Sequence[int], rows: Sequence[int]) -> None:
        """Take the mean of each component of a meaning, times UNIT; and the signs of each fact's, as bits."""
        self.means, self.rows = means, rows
        self._cosines = [cos(pi * different / len(means)) for different in range(len(means) + 1)]

    @classmethod
    def loads(cls, text: str) -> "Signs":
        """Read what `dumps` wrote, after a comment."""
        _, means, *rows = text.splitlines()
        return cls([*map(int, means.split())], [int.from_bytes(a2b_base64(row)) for row in rows])

    def dumps(self) -> str:
        """The means; then a line for each fact, in base 64."""
        size = -(-len(self.means) // 8)
        lines = (b2a_base64(row.to_bytes(size), newline=False).decode() for row in self.rows)
        return "\n".join([" ".join(map(str, self.means)), *lines]) + "\n"

    def signs(self, meaning: Sequence[float]) -> int:
        """The signs of a meaning's components minus their means."""
        pairs = zip(meaning, self.means, strict=True)
        return int("".join("1" if UNIT * component > mean else "0" for component, mean in pairs), 2)

    def nearest(self, meaning: Sequence[float]) -> list[Near]:
        """The facts whose meanings differ in the fewest signs."""
        distances = list(map(int.bit_count, map(xor, self.rows, repeat(self.signs(meaning)))))
        counts = sorted(Counter(distances).items())
        within = zip((each for each, _ in counts), accumulate(count for _, count in counts), strict=True)
        most = next((each for each, count in within if count >= VOTERS), len(self.means))
        found = sorted((each, place) for place, each in enumerate(distances) if each <= most)[:VOTERS]
        return [Near(self._cosines[different], place) for different, place in found]


@cache
def labelled_facts() -> LabelledFacts:
    """The facts that come with memoir."""
    return LabelledFacts(contents(FILE, "the list of labelled facts"))


@cache
def labelled_meanings() -> Signs:
    """The meanings of these facts by MiniLM."""
    return Signs.loads(MEANINGS.read_text(encoding="utf-8"))
