"""The lines of memoir/english/synonyms.txt: words, each with others that are near in meaning.

Near are the words for which a model gives nearly the same vector. `distil.py` writes the file.
"""

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import Stemmer

from memoir.english.stopwords import STOP_WORDS

NEAREST = 8
"""Words that are looked at for each word."""
LEAST_COSINE = 0.4
_WORD = re.compile(r"[a-z]{3,}")
_BATCH = 1000

Array: TypeAlias = Any
"""A numpy array."""


def lines(vocabulary: list[str], outputs: Array) -> list[str]:
    """A line for each word with synonyms, in the order of the words: the word, then its synonyms, the nearest first."""
    numbers = [number for number, piece in enumerate(vocabulary) if _WORD.fullmatch(piece) and piece not in STOP_WORDS]
    words = [vocabulary[number] for number in numbers]
    offsets = outputs[numbers] - outputs.mean(0)
    synonyms = zip(words, _nearest(words, offsets / np.linalg.norm(offsets, axis=1, keepdims=True)), strict=True)
    return sorted(" ".join((word, *near)) for word, near in synonyms if near)


def _nearest(words: list[str], vectors: Array) -> Iterator[list[str]]:
    """The words near each word, but for its own forms, and one form of each."""
    stems = Stemmer.Stemmer("porter").stemWords(words)
    for start in range(0, len(words), _BATCH):
        for at, cosines in enumerate(vectors[start : start + _BATCH] @ vectors.T, start):
            cosines[at] = -1
            nearest = [other for other in np.argsort(-cosines)[:NEAREST] if cosines[other] >= LEAST_COSINE]
            by_stem = {stems[other]: words[other] for other in reversed(nearest) if stems[other] != stems[at]}
            yield [words[other] for other in nearest if by_stem.get(stems[other]) == words[other]]
