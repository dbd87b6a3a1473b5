"""Short fingerprints of memories, which find the few that may be similar among many (locality-sensitive hashing).

The more similar two memories are, the fewer bits of their fingerprints differ, and the likelier it is, with a steep
rise, that the two share a band.

`by_words` is MinHash (Broder, "On the Resemblance and Containment of Documents", 1997) over words and their 3-grams,
which is what a hashed vector is made of; it needs no vector. `by_signs` cuts the signs of a learned vector into bands
(Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002).
"""

import math
from array import array
from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple
from zlib import crc32

from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words
from memoir.index.embedders.embedder import Vector

_RECALL = 0.98
"""The probability that two memories exactly at the threshold share a band; above it the probability is higher."""
_SPREAD = 4
"""Standard deviations by which the number of differing bits may exceed the expected number."""
_HASHES = 32
_PRIME = 4_294_967_291
_READ_CHARACTERS = 5_000
"""Characters of a text that are read."""
_OVERLAP = 4
"""Two texts whose hashed vectors have the cosine c share at least c ** 4 of their words and 3-grams, nearly always."""


class Fingerprint(NamedTuple):
    """Bits to compare, and the bands one after another."""

    bits: int
    bands: bytes


class Scheme(NamedTuple):
    """The bytes of a band, and the most bits in which two fingerprints may differ."""

    band: int
    most: int


def words_scheme(threshold: float) -> Scheme:
    """The scheme of `by_words` for texts of a cosine."""
    share = threshold**_OVERLAP
    return Scheme(4 * _widest(share, _HASHES), _most(_HASHES, (1 - share) / 2))


def by_words(text: str) -> Fingerprint | None:
    """The fingerprint of a text by its words; None if it has only stop words."""
    words = set(plain_words(text[:_READ_CHARACTERS])) - STOP_WORDS
    if not words:
        return None
    rows = [_of_word(word) for word in words]
    least = list(map(min, *rows)) if len(rows) > 1 else rows[0]
    return Fingerprint(int("".join(["1" if value & 1 else "0" for value in least]), 2), array("I", least).tobytes())


@lru_cache(maxsize=100_000)
def _of_word(word: str) -> list[int]:
    """For each hash function, the least value of a word and its 3-grams."""
    frame = f"^{word[:64]}$"
    grams = {crc32(part.encode("utf-8", "replace")) for part in _parts(word, frame)}
    return [min([(gram * a + b) % _PRIME for gram in grams]) for a, b in _functions()]


def _parts(word: str, frame: str) -> Iterator[str]:
    yield word
    for at in range(len(frame) - 2):
        yield frame[at : at + 3]


@lru_cache(maxsize=1)
def _functions() -> list[tuple[int, int]]:
    random = Random(1)  # noqa: S311 - nothing here is secret
    return [(random.randrange(1, _PRIME), random.randrange(_PRIME)) for _ in range(_HASHES)]


def signs_scheme(threshold: float, dimensions: int) -> Scheme:
    """The scheme of `by_signs` for vectors of a cosine; a band is always two bytes long."""
    differ = math.acos(min(threshold, 1.0)) / math.pi
    return Scheme(2, _most(dimensions, differ))


def pairs_by_signs(threshold: float) -> Callable[[Vector], Fingerprint | None]:
    """A function from vectors to fingerprints by their signs; None for a vector of zeros, which is similar to none."""

    def sign(vector: Vector) -> Fingerprint | None:
        bits = int("".join(["1" if x > 0 else "0" for x in vector]) or "0", 2)
        if not any(vector):
            return None
        width = min(_widest(1 - math.acos(min(threshold, 1.0)) / math.pi, len(vector)), 16)
        mask = (1 << width) - 1
        shifts = range(0, max(len(vector) - width, 0) + 1, width)
        return Fingerprint(bits, array("H", [bits >> shift & mask for shift in shifts]).tobytes())

    return sign


def _widest(same: float, size: int) -> int:
    """The widest band, in values, that two memories still share; `same` is the share of `size` values in common."""
    return next((w for w in range(20, 1, -1) if (1 - same**w) ** (size // w) <= 1 - _RECALL), 1)


def _most(size: int, differ: float) -> int:
    """The most of `size` bits that may differ if `differ` is the expected share."""
    return math.ceil(size * differ + _SPREAD * math.sqrt(size * differ * (1 - differ)))
