"""Short signatures of memories, by which the few that may be alike are found among many.

Two signatures share a band with a probability that rises steeply with the likeness of what they stand for, and the more
alike it is, the fewer of their bits differ (locality-sensitive hashing).

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

_SURE = 0.98
"""How likely two memories at the very threshold are to share a band; those above it are more so."""
_SPREAD = 4
"""Standard deviations by which the bits of such two may differ from what is expected."""
_HASHES = 32
_PRIME = 4_294_967_291
_READ = 5_000
"""Characters of a text that are looked at."""
_OVERLAP = 4
"""Two texts of a hashed cosine of c share c ** 4 of their words and 3-grams, hardly ever less."""


class Signature(NamedTuple):
    """Bits to compare, and the bands one after another."""

    bits: int
    bands: bytes


class Scheme(NamedTuple):
    """How bytes make a band, and how many bits two signatures may differ in."""

    band: int
    most: int


def words_scheme(threshold: float) -> Scheme:
    """The scheme of `by_words` for texts of a cosine."""
    shared = threshold**_OVERLAP
    return Scheme(4 * _widest(shared, _HASHES), _most(_HASHES, (1 - shared) / 2))


def by_words(text: str) -> Signature | None:
    """The signature of a text by its words; None if it has none that counts."""
    words = set(plain_words(text[:_READ])) - STOP_WORDS
    if not words:
        return None
    rows = [_of_word(word) for word in words]
    least = list(map(min, *rows)) if len(rows) > 1 else rows[0]
    return Signature(int("".join(["1" if value & 1 else "0" for value in least]), 2), array("I", least).tobytes())


@lru_cache(maxsize=100_000)
def _of_word(word: str) -> list[int]:
    """For each hash function the least value of a word and its 3-grams."""
    framed = f"^{word[:64]}$"
    grams = {crc32(part.encode("utf-8", "replace")) for part in _parts(word, framed)}
    return [min([(gram * a + b) % _PRIME for gram in grams]) for a, b in _functions()]


def _parts(word: str, framed: str) -> Iterator[str]:
    yield word
    for at in range(len(framed) - 2):
        yield framed[at : at + 3]


@lru_cache(maxsize=1)
def _functions() -> list[tuple[int, int]]:
    random = Random(1)  # noqa: S311 - it keeps no secret
    return [(random.randrange(1, _PRIME), random.randrange(_PRIME)) for _ in range(_HASHES)]


def signs_scheme(threshold: float, dimensions: int) -> Scheme:
    """The scheme of `by_signs` for vectors of a cosine; a band is always two bytes long."""
    differ = math.acos(min(threshold, 1.0)) / math.pi
    return Scheme(2, _most(dimensions, differ))


def by_signs(threshold: float) -> Callable[[Vector], Signature | None]:
    """Gives the signature of a vector by its signs; None for one of zeros, which is like nothing."""

    def sign(vector: Vector) -> Signature | None:
        bits = int("".join(["1" if x > 0 else "0" for x in vector]) or "0", 2)
        if not any(vector):
            return None
        width = min(_widest(1 - math.acos(min(threshold, 1.0)) / math.pi, len(vector)), 16)
        mask = (1 << width) - 1
        shifts = range(0, max(len(vector) - width, 0) + 1, width)
        return Signature(bits, array("H", [bits >> shift & mask for shift in shifts]).tobytes())

    return sign


def _widest(same: float, size: int) -> int:
    """How many of `size` values make the widest band that two surely share if they have a share `same` in common."""
    return next((w for w in range(20, 1, -1) if (1 - same**w) ** (size // w) <= 1 - _SURE), 1)


def _most(size: int, differ: float) -> int:
    return math.ceil(size * differ + _SPREAD * math.sqrt(size * differ * (1 - differ)))
