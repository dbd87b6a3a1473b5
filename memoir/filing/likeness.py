"""Find pairs of similar memories for people to judge: people see a negation, vectors do not.

Comparing all pairs would take O(n²). Only memories whose short fingerprints share a band are compared
(locality-sensitive hashing): first by the fingerprints' bits, then, if few differ, by their vectors. The more similar
two memories are, the fewer bits differ, and the probability of a shared band rises steeply.

`by_words` is MinHash (Broder, "On the Resemblance and Containment of Documents", 1997) over words and their 3-grams,
the parts of hashed vectors; it needs no vector. `by_signs` splits the signs of a learned vector into bands (Charikar,
"Similarity Estimation Techniques from Rounding Algorithms", STOC 2002).
"""

import math
from array import array
from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import mul
from random import Random
from typing import NamedTuple
from zlib import crc32

from memoir.embedders.embedder import Vector
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words
from memoir.memory.active import Facet
from memoir.progress import Progress, tell_nobody

_RECALL = 0.98
"""The least probability that two memories at the threshold share a band."""
_SPREAD = 4
"""The standard deviations by which the differing bits may exceed the expected number."""
_HASHES = 32
_PRIME = 4_294_967_291
_READ_CHARACTERS = 5_000
"""Characters of a text that are read."""
_OVERLAP = 4
"""Two texts with the cosine c between hashed vectors almost always share at least c ** 4 of their words and 3-grams."""


class Pair(NamedTuple):
    """An older memory, the newer one that does or could replace it, and their cosine."""

    older: Facet
    newer: Facet
    cosine: float


class Fingerprint(NamedTuple):
    """The bits to compare, and the concatenated bands."""

    bits: int
    bands: bytes


class Scheme(NamedTuple):
    """The bytes per band, and the most differing bits."""

    band: int
    most: int


def words_scheme(threshold: float) -> Scheme:
    """The scheme of `by_words` for a threshold of cosine."""
    share = threshold**_OVERLAP
    return Scheme(4 * _widest(share, _HASHES), _most(_HASHES, (1 - share) / 2))


def by_words(text: str) -> Fingerprint | None:
    """The fingerprint of a text by its words; None if it has only stop words."""
    words = set(plain_words(text[:_READ_CHARACTERS])) - STOP_WORDS
    if not words:
        return None
    rows = [_word_minima(word) for word in words]
    least = list(map(min, *rows)) if len(rows) > 1 else rows[0]
    return Fingerprint(int("".join(["1" if value & 1 else "0" for value in least]), 2), array("I", least).tobytes())


@lru_cache(maxsize=100_000)
def _word_minima(word: str) -> list[int]:
    """The minimum of each hash function over a word and its 3-grams."""
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


def by_signs(threshold: float, dimensions: int) -> tuple[Scheme, Callable[[Vector], Fingerprint | None]]:
    """The scheme for a threshold of cosine, and the function that makes fingerprints (None for a zero vector).

    A band always takes two bytes.
    """
    differ = math.acos(min(threshold, 1.0)) / math.pi
    width = min(_widest(1 - differ, dimensions), 16)
    mask, shifts = (1 << width) - 1, range(0, max(dimensions - width, 0) + 1, width)

    def sign(vector: Vector) -> Fingerprint | None:
        if not any(vector):
            return None
        bits = int("".join(["1" if x > 0 else "0" for x in vector]), 2)
        return Fingerprint(bits, array("H", [bits >> shift & mask for shift in shifts]).tobytes())

    return Scheme(2, _most(dimensions, differ)), sign


def _widest(same: float, size: int) -> int:
    """The widest band, in values, that memories with the share `same` of `size` values in common still share."""
    return next((w for w in range(20, 1, -1) if (1 - same**w) ** (size // w) <= 1 - _RECALL), 1)


def _most(size: int, differ: float) -> int:
    """The most of `size` bits that may differ, for an expected share `differ`."""
    return math.ceil(size * differ + _SPREAD * math.sqrt(size * differ * (1 - differ)))


_FEW = 200
"""The most memories of a namespace whose pairs are all compared."""
_CROWD = 64
"""The most memories in one band whose pairs are all compared; beyond it, each is compared with this many neighbours in
the order of fingerprints."""
_NEAREST = 4
"""How many newer memories, nearest by fingerprint, are kept for each memory for the final comparison of vectors."""
_VECTORS = 100_000
"""The most vectors cached in memory: about 100 MB."""
_ROUNDING = 1e-6
"""The rounding error of a cosine of 32-bit floats."""

Vectors = Callable[[Facet], Vector]
"""Looks up a memory's vector of length 1."""


def similar_pairs(
    facets: Sequence[Facet],
    vectors: Vectors,
    threshold: float,
    progress: Progress = tell_nobody,
    *,
    learned: bool = False,
) -> list[Pair]:
    """Pair each memory with the nearest newer one in its namespace; `facets` are the newest first.

    A pair needs a cosine of at least `threshold`. `learned` is true for vectors of a learned embedder, false for hashed
    words.
    """
    spaces: dict[str, list[Facet]] = defaultdict(list)
    for facet in facets:
        spaces[facet.address.namespace].append(facet)
    pairs: list[Pair] = []
    done = 0
    for members in spaces.values():
        space = _Space(members, vectors, threshold, learned=learned)
        pairs += space.pairs(lambda part, before=done: progress(before + part, 2 * len(facets)))  # type: ignore[misc]
        done += 2 * len(members)
    return pairs


class _Space:
    """The numbered memories of a namespace, and for each the newer ones with the nearest fingerprints."""

    def __init__(self, facets: Sequence[Facet], vectors: Vectors, threshold: float, *, learned: bool) -> None:
        self._facets = facets
        self._vector = lru_cache(maxsize=_VECTORS)(lambda number: vectors(facets[number]))
        self._threshold = threshold
        self._is_learned = learned
        self._near: dict[int, list[tuple[int, int]]] = defaultdict(list)  # older -> (differing bits, newer)

    def pairs(self, progress: Callable[[int], None]) -> list[Pair]:
        """The similar pairs, in the order of the older memories."""
        scheme, entries = self._fingerprints(progress)
        if len(entries) <= _FEW:
            self._compare(entries, scheme.most, _FEW)
        else:
            self._compare_bands(scheme, entries, progress)
        return list(self._confirm())

    def _fingerprints(self, progress: Callable[[int], None]) -> tuple[Scheme, list[tuple[int, Fingerprint]]]:
        """The number and fingerprint of each memory that has words besides stop words."""
        found: Iterator[Fingerprint | None]
        if self._is_learned and self._facets:
            scheme, sign = by_signs(self._threshold, len(self._vector(0)))
            found = (sign(self._vector(number)) for number in range(len(self._facets)))
        else:
            scheme = words_scheme(self._threshold)
            found = (by_words(facet.memory.content) for facet in self._facets)
        entries: list[tuple[int, Fingerprint]] = []
        for number, fingerprint in enumerate(found):
            if fingerprint:
                entries.append((number, fingerprint))
            progress(number + 1)
        return scheme, entries

    def _compare_bands(
        self, scheme: Scheme, fingerprints: Sequence[tuple[int, Fingerprint]], progress: Callable[[int], None]
    ) -> None:
        size = len(fingerprints[0][1].bands)
        for at in range(0, size - scheme.band + 1, scheme.band):
            buckets: dict[bytes, list[tuple[int, Fingerprint]]] = defaultdict(list)
            for one in fingerprints:
                buckets[one[1].bands[at : at + scheme.band]].append(one)
            for bucket in buckets.values():
                if len(bucket) > 1:
                    self._compare(bucket, scheme.most, _CROWD)
            progress(len(self._facets) + len(self._facets) * (at + scheme.band) // size)

    def _compare(self, bucket: list[tuple[int, Fingerprint]], most: int, crowd: int) -> None:
        """Keep pairs whose fingerprints differ in few bits; in a crowd, compare only neighbours."""
        if len(bucket) > crowd:
            bucket.sort(key=lambda one: one[1].bands)
        for at, (one, mine) in enumerate(bucket):
            bits = mine.bits
            for other, theirs in bucket[at + 1 : at + 1 + crowd]:
                differ = (bits ^ theirs.bits).bit_count()
                if differ <= most:
                    self._consider(min(one, other), max(one, other), differ)

    def _consider(self, newer: int, older: int, differ: int) -> None:
        """Keep a newer memory if it is among the nearest of an older one."""
        near = self._near[older]
        if (differ, newer) not in near:
            insort(near, (differ, newer))
            del near[_NEAREST:]

    def _confirm(self) -> Iterator[Pair]:
        """Yield for each memory the nearest newer one whose cosine reaches the threshold."""
        for older, near in sorted(self._near.items()):
            vector = self._vector(older)
            for _, newer in near:
                cosine = sum(map(mul, self._vector(newer), vector))
                if cosine >= self._threshold - _ROUNDING:
                    yield Pair(self._facets[older], self._facets[newer], cosine)
                    break
