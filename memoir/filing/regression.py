"""Score a memory's category by its form and meaning: a multinomial logistic regression.

It adds to the evidence of the taxonomy's words, which covers no unknown trade. Its classes are the second levels of the
default taxonomy, and texts that are not memories. The form scores first levels; the meaning scores second levels,
MiniLM's through a layer of hidden units, because facts of many trades cannot be separated linearly. There is one
regression for each embedder of meanings.

The form is the words of a memory, their shapes, and pairs of adjacent shapes. A common word is its own shape ("the",
"before"); another word's shape is its type (name, number, path, identifier) or its ending. So unknown words still help:
"A -s from a _" is mostly a cause, whatever failed. The lexicon's concepts are features, too, so that facts about one
package manager help with others. The meaning is a vector: MiniLM's if the caller has it from the search for similar
memories, else that of `static`, which knows words but not their order, and gets the classes of names appended.

`scripts/fit_filing.py` fits them to labelled facts and writes their weights.
"""

from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from math import exp, hypot, log, tanh
from operator import mul
from pathlib import Path
from typing import NamedTuple

from memoir.embedders.static import Lanes, StaticEmbedder
from memoir.english.lexicon.own_words import NONE
from memoir.english.lexicon.spotting import spot, with_classes
from memoir.english.sorted_lines import value_of
from memoir.english.stopwords import SIGNPOSTS, STOP_WORDS
from memoir.english.words import spell_out

STATIC, MINILM = "static", "minilm"
"""The embedders that regressions are fitted to."""
START, WORD = "^", "_"
"""The shape before the first word, in every memory; and the shape of an ordinary word."""
CONCEPT = "@"
"""The prefix that distinguishes a concept from a stem."""
_READ_CHARACTERS = 400
"""Characters of a memory that are read: facts are shorter, and the beginning shows the kind."""
_LENGTH = 4.0
"""The length of a MiniLM meaning, and the upper bound for one by `static`, which grows with the memory."""
_HALF_LENGTH = 4e8
"""The length of a `static` vector (usual for five words) whose meaning gets half of `_LENGTH`."""
_ENDINGS = ("ing", "ed", "ly", "s")
_MARKS = ".,;:!?()[]{}<>\"'“”‘’`…*–—-"
"""Punctuation around words."""
_BY_MARK = (("=", "ASSIGNMENT"), ("/", "PATH"), (".", "DOTTED"), ("_", "SNAKE"))


def features(text: str, stems: Sequence[str]) -> frozenset[str]:
    """The features of a memory's form; `stems` come from `memoir.filing.evidence.stems_with_marks`."""
    shapes = [START, *_shapes(text)]
    return frozenset((*stems, *shapes, *map(" ".join, pairwise(shapes)), *_concepts(text)))


def _concepts(text: str) -> Iterator[str]:
    """Yield the concepts certainly meant in a text, each with its prefix."""
    spots = spot(text[:_READ_CHARACTERS], NONE)
    return (f"{CONCEPT}{name}" for each in spots for name, weight in each.concepts.items() if weight == 1)


class Meaning(NamedTuple):
    """A vector, and its embedder: STATIC or MINILM."""

    embedder: str
    vector: Sequence[float]


def static_meaning(text: str) -> Meaning:
    """The meaning of a memory by `static`; fewer words give a shorter vector."""
    (vector,) = StaticEmbedder().embed([with_classes(text[:_READ_CHARACTERS])])
    factor = _LENGTH / (_HALF_LENGTH + hypot(*vector))
    return Meaning(STATIC, [factor * component for component in vector])


def minilm_meaning(vector: Sequence[float]) -> Meaning:
    """The meaning of a memory by its MiniLM vector."""
    factor = _LENGTH / (hypot(*vector) or 1.0)
    return Meaning(MINILM, [factor * component for component in vector])


def _shapes(text: str) -> Iterator[str]:
    words = filter(None, (chunk.strip(_MARKS) for chunk in spell_out(text[:_READ_CHARACTERS]).split()))
    for place, word in enumerate(words):
        lower = word.casefold()
        if lower in STOP_WORDS or lower in SIGNPOSTS:
            yield lower
        else:
            yield (_shape_of_letters if word.isalpha() else _shape_of_marks)(word) or (
                "NAME" if place and word[0].isupper() else _ending(lower)
            )


def _shape_of_letters(word: str) -> str:
    """CAPITALS or CAMEL for a word of letters with a capital inside; else empty."""
    if word[1:].islower() or len(word) == 1:
        return ""
    return "CAPITALS" if word.isupper() else "CAMEL"


def _shape_of_marks(word: str) -> str:
    """The shape of a word with other characters than letters; empty if only capitals or its ending count."""
    if word[0].isdigit():
        return "NUMBER" if word.replace(".", "").replace(",", "").isdigit() else "AMOUNT"
    if word[0] == "#":
        return "CHANNEL"
    mark_shape = next((shape for mark, shape in _BY_MARK if mark in word), "")
    if word.isupper():
        return "CONSTANT" if mark_shape == "SNAKE" else mark_shape or "CAPITALS"
    return mark_shape or ("COMPOUND" if "-" in word and word[0].islower() else "")


def _ending(lower: str) -> str:
    return next((f"-{end}" for end in _ENDINGS if lower.endswith(end) and len(lower) > len(end) + 2), WORD)


NO_MEMORY = "inbox"
"""The class of texts that are not memories."""
MANY = 12
"""The number of words from which more no longer change the confidence."""
_LEAST_SHARE = 1e-6
_MOST = 127


class Constants(NamedTuple):
    """The fitted constants."""

    of_first: float
    """The weight of the words' evidence for a first level."""
    of_second: float
    """The weight of their evidence for a second level."""
    bias: float
    """The constant of a logistic regression (Platt, "Probabilistic Outputs for Support Vector Machines", 1999).

    It gives the probability that the first level is right, and is fitted to facts of domains unknown to the other
    weights.
    """
    of_odds: float
    """The weight of the log-odds of the first level's share."""
    of_length: float
    """The weight of the logarithm of the number of words."""
    bias_of_memory: float
    """The constant of a second one, for the probability that a text is a memory."""
    of_no_memory: float
    """The weight of the log-odds that it is none."""


class Row(NamedTuple):
    """Weights as bytes, to be multiplied by a scale; in the file the scale, a space, and the bytes in base 64."""

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
        return cls(float(scale), a2b_base64(code))

    def numbers(self) -> list[float]:
        """The weights."""
        return [self.scale * each for each in array("b", self.weights)]

    def __str__(self) -> str:
        """The line."""
        return f"{self.scale:.4g} {b2a_base64(self.weights, newline=False).decode()}"


_FINE = 2.0**46
"""The fixed-point unit of numbers; 64 bits of `Lanes` hold sums up to 1,000."""
_OFFSET = bytes((each + 128) % 256 for each in range(256))
"""A translation table that adds 128 to each weight (a byte in two's complement)."""


class Matrix:
    """Rows of weights, all multiplied by the same vector at once."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """Take rows of one length."""
        self.rows = rows
        self._lanes = Lanes(len(rows))

    @cached_property
    def _columns(self) -> Sequence[int]:
        weights, width = b"".join(row.weights for row in self.rows).translate(_OFFSET), len(self.rows[0].weights)
        return [self._lanes.row(weights[at::width]) for at in range(width)]

    def times(self, numbers: Iterable[float]) -> list[float]:
        """The product of the matrix and a vector."""
        total = sum(map(mul, self._columns, (int(_FINE * each) for each in numbers)))
        return [row.scale / _FINE * each for row, each in zip(self.rows, self._lanes.numbers(total), strict=True)]


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
        """Take the weights as lines of text, parsed when needed.

        Args:
            constants: The fitted constants.
            classes: The second levels, and NO_MEMORY.
            hidden: A `Row` for each hidden unit: its bias, and its weights for a meaning's components; may be empty.
            by_class: A `Row` for each class: its weights for the hidden units, or if there are none, like a hidden row.
            by_feature: Sorted lines: a feature, a tab, and a `Row` of weights for each first level and NO_MEMORY.
        """
        self.constants = constants
        self.classes = tuple(classes)
        self.first_levels = tuple(dict.fromkeys(name.partition(".")[0] for name in classes))
        self._hidden = hidden
        self._by_class = by_class
        self._by_feature = by_feature

    @classmethod
    def loads(cls, text: str) -> "Regression":
        """Parse a comment, the constants and the classes; then, after blank lines, the weights."""
        (_, constants, names), *weights = (part.splitlines() for part in text.split("\n\n"))
        return cls(Constants(*map(float, constants.split())), names.split(), *weights)

    def scores(self, features: Iterable[str], meaning: Sequence[float]) -> Mapping[str, float]:
        """The score of each class: its first level's score by form plus its own by meaning."""
        lines = filter(None, (value_of(self._by_feature, each) for each in features))
        columns = zip(*(Row.loads(line).numbers() for line in lines), strict=True)
        of_form = dict(zip(self.first_levels, map(sum, columns), strict=False))
        components = (1.0, *meaning)
        units = map(tanh, self._of_meaning.times(components)) if self._of_meaning else components
        return {
            name: of_form.get(name.partition(".")[0], 0.0) + score
            for name, score in zip(self.classes, self._of_units.times(units), strict=True)
        }

    @cached_property
    def _of_meaning(self) -> Matrix | None:
        return Matrix(list(map(Row.loads, self._hidden))) if self._hidden else None

    @cached_property
    def _of_units(self) -> Matrix:
        return Matrix(list(map(Row.loads, self._by_class)))

    def confidence(self, share: float, no_memory: float, word_count: int) -> float:
        """The confidence (0 to 1) that a text is a memory whose first level is right.

        `share` is the level's among all first levels, `no_memory` that of not being a memory. Short facts are right
        more often than their share suggests, because fewer features add up to less.
        """
        constants = self.constants
        length = log(min(max(word_count, 1), MANY))
        right = constants.bias + constants.of_odds * _log_odds(share) + constants.of_length * length
        memory = constants.bias_of_memory + constants.of_no_memory * _log_odds(no_memory)
        return 1 / ((1 + exp(-right)) * (1 + exp(-memory)))


def _log_odds(share: float) -> float:
    share = min(max(share, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return log(share / (1 - share))


def file_of(embedder: str) -> Path:
    """The file of the regression for an embedder's meanings."""
    return Path(__file__).with_name(f"regression_{embedder}.txt")


@cache
def regression_of(embedder: str) -> Regression:
    """The regression for an embedder's meanings and the default taxonomy."""
    return Regression.loads(file_of(embedder).read_text(encoding="utf-8"))
