"""Finding memories that are much alike, for people to judge: what a vector cannot tell, such as a negation, they can.

Comparing each with each would cost n². Only memories whose signatures share a band are compared
(`memoir.filing.signatures`), by the bits of these first, and by their vectors if few of those differ.
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import mul

from memoir.filing import signatures
from memoir.filing.duplicates import Held, Pair
from memoir.filing.signatures import Scheme, Signature
from memoir.index.embedders.embedder import Vector

_FEW = 200
"""Memories of a namespace that are compared each with each."""
_CROWD = 64
"""Memories of one band that are; of more, each with as many neighbours in the order of their signatures."""
_NEAREST = 4
"""Newer memories that are kept for each by their signatures, to be compared by their vectors in the end."""
_VECTORS = 100_000
"""Vectors that are kept in mind: about 100 MB of them."""
_ROUNDING = 1e-6
"""What a cosine of 32-bit floats may fall short by."""

Vectors = Callable[[Held], Vector]
"""Looks up a memory's vector, at length 1."""
Progress = Callable[[int, int], None]
"""Told how much of the work is done, of how much."""


def alike(
    held: Sequence[Held],
    vectors: Vectors,
    threshold: float,
    progress: Progress = lambda done, total: None,
    *,
    learned: bool = False,
) -> list[Pair]:
    """For each memory that is like a newer one of its namespace: the two, and their cosine.

    Args:
        held: The memories, the newest first.
        vectors: Looks up their vectors.
        threshold: The cosine from which two are alike.
        progress: Told how far it is.
        learned: Whether the vectors are a learned embedder's, and not made of the texts' words.
    """
    spaces: dict[str, list[Held]] = defaultdict(list)
    for one in held:
        spaces[one.address.namespace].append(one)
    found: list[Pair] = []
    done = 0
    for members in spaces.values():
        space = _Space(members, vectors, threshold, learned=learned)
        found += space.pairs(lambda part, before=done: progress(before + part, 2 * len(held)))  # type: ignore[misc]
        done += 2 * len(members)
    return found


class _Space:
    """The memories of one namespace, by their numbers, and the newer ones nearest to each by their signatures."""

    def __init__(self, held: Sequence[Held], vectors: Vectors, threshold: float, *, learned: bool) -> None:
        self._held = held
        self._vector = lru_cache(maxsize=_VECTORS)(lambda number: vectors(held[number]))
        self._threshold = threshold
        self._learned = learned
        self._near: dict[int, list[tuple[int, int]]] = defaultdict(list)  # older: bits that differ, newer

    def pairs(self, progress: Callable[[int], None]) -> list[Pair]:
        """The pairs, in the order of the older memories."""
        scheme, signed = self._signed(progress)
        if len(signed) <= _FEW:
            self._compare(signed, len(self._held), _FEW)
        else:
            self._compare_bands(scheme, signed, progress)
        return list(self._confirmed())

    def _signed(self, progress: Callable[[int], None]) -> tuple[Scheme, list[tuple[int, Signature]]]:
        """Every memory's number and signature; those of nothing but stop words are like nothing."""
        if self._learned and self._held:
            scheme = signatures.signs_scheme(self._threshold, len(self._vector(0)))
            by_signs = signatures.by_signs(self._threshold)
        else:
            scheme = signatures.words_scheme(self._threshold)
        found: list[tuple[int, Signature]] = []
        for number, held in enumerate(self._held):
            signature = by_signs(self._vector(number)) if self._learned else signatures.by_words(held.memory.content)
            if signature:
                found.append((number, signature))
            progress(number + 1)
        return scheme, found

    def _compare_bands(
        self, scheme: Scheme, signed: Sequence[tuple[int, Signature]], progress: Callable[[int], None]
    ) -> None:
        size = len(signed[0][1].bands)
        for at in range(0, size - scheme.band + 1, scheme.band):
            buckets: dict[bytes, list[tuple[int, Signature]]] = defaultdict(list)
            for one in signed:
                buckets[one[1].bands[at : at + scheme.band]].append(one)
            for bucket in buckets.values():
                if len(bucket) > 1:
                    self._compare(bucket, scheme.most, _CROWD)
            progress(len(self._held) + len(self._held) * (at + scheme.band) // size)

    def _compare(self, bucket: list[tuple[int, Signature]], most: int, crowd: int) -> None:
        """Compare memories whose signatures differ in few bits: each two, or neighbours if they are a crowd."""
        if len(bucket) > crowd:
            bucket.sort(key=lambda one: one[1].bands)
        for at, (one, mine) in enumerate(bucket):
            bits = mine.bits
            for other, theirs in bucket[at + 1 : at + 1 + crowd]:
                differ = (bits ^ theirs.bits).bit_count()
                if differ <= most:
                    self._consider(min(one, other), max(one, other), differ)

    def _consider(self, newer: int, older: int, differ: int) -> None:
        """Keep a pair if it is among the nearest of the older memory."""
        near = self._near[older]
        if (differ, newer) not in near:
            insort(near, (differ, newer))
            del near[_NEAREST:]

    def _confirmed(self) -> Iterator[Pair]:
        """Of the nearest of each memory the first that is as like it as it should be."""
        for older, near in sorted(self._near.items()):
            vector = self._vector(older)
            for _, newer in near:
                cosine = sum(map(mul, self._vector(newer), vector))
                if cosine >= self._threshold - _ROUNDING:
                    yield Pair(self._held[older], self._held[newer], cosine)
                    break
