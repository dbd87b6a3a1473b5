"""The features of a memory, by which a regression tells what kind of fact it is.

Those of its form are its words, the shapes of its words, and each two shapes in sequence. A common word is its own
shape ("the", "before"); of another word the shape says whether it is a name, a number, a path or an identifier, or how
it ends. So words that no list has still help: "A -s from a _" is mostly a cause, whatever it was that failed. What a
memory means is its vector of the embedder `static`, which knows words that no labelled fact has.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot

from memoir.english.stopwords import SIGNPOSTS, STOP_WORDS
from memoir.english.words import spell_out
from memoir.index.embedders.static import StaticEmbedder

START, WORD = "^", "_"
"""The shape before the first word, which is a feature of every memory; and the shape of a word like most."""
_READ_CHARACTERS = 400
"""Characters of a memory that are looked at: facts are shorter, and the beginning says what kind one is."""
_LENGTH = 4.0
"""The length that a meaning comes near to, the longer its memory is."""
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


def meaning(text: str) -> Sequence[float]:
    """The meaning of a memory, as a vector; the fewer words a memory has, the shorter is its vector.

    Raises:
        EmbedderUnavailable: the table of `static` is missing or damaged.
    """
    (vector,) = StaticEmbedder().embed([text[:_READ_CHARACTERS]])
    factor = _LENGTH / (_HALF_LENGTH + hypot(*vector))
    return [factor * component for component in vector]


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
