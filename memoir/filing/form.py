"""The form and the meaning of a memory: what a regression goes by, beside the evidence of its words.

The form is the words of a memory, the shapes of its words, and each two shapes in sequence. A common word is its own
shape ("the", "before"); of another word the shape says whether it is a name, a number, a path or an identifier, or how
it ends. So words that no list has still help: "A -s from a _" is mostly a cause, whatever it was that failed.

The meaning is a vector: MiniLM's where the caller has it, because MiniLM looks for similar memories anyway, else that
of `static`, which knows what words mean and nothing of their order.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from memoir.english.stopwords import SIGNPOSTS, STOP_WORDS
from memoir.english.words import spell_out
from memoir.index.embedders.static import StaticEmbedder

STATIC, MINILM = "static", "minilm"
"""The embedders whose vectors regressions are fitted to."""
START, WORD = "^", "_"
"""The shape before the first word, which is a feature of every memory; and the shape of a word like most."""
_READ_CHARACTERS = 400
"""Characters of a memory that are looked at: facts are shorter, and the beginning says what kind one is."""
_LENGTH = 4.0
"""The length of a meaning by MiniLM, and the one that a meaning by `static` comes near to, the longer its memory is."""
_HALF_LENGTH = 4e8
"""The length of a vector of `static`, usual for five words, of which the meaning has half of `_LENGTH`."""
_ENDINGS = ("ing", "ed", "ly", "s")
_MARKS = ".,;:!?()[]{}<>\"'“”‘’`…*–—-"
"""Punctuation around words."""
_BY_MARK = (("=", "ASSIGNMENT"), ("/", "PATH"), (".", "DOTTED"), ("_", "SNAKE"))


def features(text: str, stems: Sequence[str]) -> frozenset[str]:
    """The features of a memory's form.

    Args:
        text: The memory.
        stems: Its stems, classes and marks (`memoir.filing.evidence.stems_with_marks`).
    """
    shapes = [START, *_shapes(text)]
    return frozenset((*stems, *shapes, *map(" ".join, pairwise(shapes))))


class Meaning(NamedTuple):
    """A vector, and the embedder whose it is: STATIC or MINILM."""

    embedder: str
    vector: Sequence[float]


def static_meaning(text: str) -> Meaning:
    """The meaning of a memory by `static`; the fewer words a memory has, the shorter is its vector."""
    (vector,) = StaticEmbedder().embed([text[:_READ_CHARACTERS]])
    factor = _LENGTH / (_HALF_LENGTH + hypot(*vector))
    return Meaning(STATIC, [factor * component for component in vector])


def minilm_meaning(vector: Sequence[float]) -> Meaning:
    """The meaning of a memory by its vector of MiniLM."""
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
    """CAPITALS or CAMEL for a word of letters that has a capital inside; empty for others."""
    if word[1:].islower() or len(word) == 1:
        return ""
    return "CAPITALS" if word.isupper() else "CAMEL"


def _shape_of_marks(word: str) -> str:
    """The shape of a word that is not all letters; empty if only capitals and endings tell."""
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
