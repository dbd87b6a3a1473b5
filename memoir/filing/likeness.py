"""Finding similar memories, which people then judge: people see a negation, vectors do not.

Comparing all pairs would take time in n². Only memories whose fingerprints share a band are compared
(`memoir.filing.fingerprints`): first by the bits of the fingerprints, and if few differ, by their vectors.
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import mul

from memoir.filing import fingerprints
from memoir.filing.duplicates import Pair
from memoir.filing.fingerprints import Fingerprint, Scheme
from memoir.index.embedders.embedder import Vector
from memoir.memory.active import Facet

_FEW = 200
"""The most memories of a namespace of which all pairs are compared."""
_CROWD = 64
"""The most memories of one band of which all pairs are compared; if there are more, each is compared with this many
neighbours in the order of fingerprints."""
_NEAREST = 4
"""How many newer memories are kept for each memory by their fingerprints, to compare their vectors at the end."""
_VECTORS = 100_000
"""How many vectors are kept in memory: about 100 MB."""
_ROUNDING = 1e-6
"""The most by which a cosine of 32-bit floats may be too small."""

Vectors = Callable[[Facet], Vector]
"""Looks up a memory's vector, at length 1."""
Progress = Callable[[int, int], None]
"""Called with the work done and the total work."""


def similar_pairs(
    facets: Sequence[Facet],
    vectors: Vectors,
    threshold: float,
    progress: Progress = lambda done, total: None,
    *,
    learned: bool = False,
) -> list[Pair]:
    """Pair each memory that is similar to a newer one of its namespace with that one.

    Args:
        facets: The memories, newest first.
        vectors: Looks up their vectors.
        threshold: The cosine from which two memories are similar.
        progress: Called as the work goes on.
        learned: Whether the vectors are a learned embedder's, and not made of the texts' words.
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
    """The memories of one namespace by number, and for each the newer ones with the nearest fingerprints."""

    def __init__(self, facets: Sequence[Facet], vectors: Vectors, threshold: float, *, learned: bool) -> None:
        self._facets = facets
        self._vector = lru_cache(maxsize=_VECTORS)(lambda number: vectors(facets[number]))
        self._threshold = threshold
        self._is_learned = learned
        self._near: dict[int, list[tuple[int, int]]] = defaultdict(list)  # of the older: differing bits, the newer

    def pairs(self, progress: Callable[[int], None]) -> list[Pair]:
        """The similar pairs, in the order of the older memories."""
        scheme, entries = self._fingerprints(progress)
        if len(entries) <= _FEW:
            self._compare(entries, len(self._facets), _FEW)
        else:
            self._compare_bands(scheme, entries, progress)
        return list(self._confirm())

    def _fingerprints(self, progress: Callable[[int], None]) -> tuple[Scheme, list[tuple[int, Fingerprint]]]:
        """The number and the fingerprint of every memory, except those of stop words alone."""
        if self._is_learned and self._facets:
            scheme = fingerprints.signs_scheme(self._threshold, len(self._vector(0)))
            by_signs = fingerprints.pairs_by_signs(self._threshold)
        else:
            scheme = fingerprints.words_scheme(self._threshold)
        entries: list[tuple[int, Fingerprint]] = []
        for number, facet in enumerate(self._facets):
            text = facet.memory.content
            fingerprint = by_signs(self._vector(number)) if self._is_learned else fingerprints.by_words(text)
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
        """Consider pairs of memories whose fingerprints differ in few bits; in a crowd, only neighbours."""
        if len(bucket) > crowd:
            bucket.sort(key=lambda one: one[1].bands)
        for at, (one, mine) in enumerate(bucket):
            bits = mine.bits
            for other, theirs in bucket[at + 1 : at + 1 + crowd]:
                differ = (bits ^ theirs.bits).bit_count()
                if differ <= most:
                    self._consider(min(one, other), max(one, other), differ)

    def _consider(self, newer: int, older: int, differ: int) -> None:
        """Keep a newer memory if it is among the nearest of the older one."""
        near = self._near[older]
        if (differ, newer) not in near:
            insort(near, (differ, newer))
            del near[_NEAREST:]

    def _confirm(self) -> Iterator[Pair]:
        """For each memory, the first of its nearest whose cosine reaches the threshold."""
        for older, near in sorted(self._near.items()):
            vector = self._vector(older)
            for _, newer in near:
                cosine = sum(map(mul, self._vector(newer), vector))
                if cosine >= self._threshold - _ROUNDING:
                    yield Pair(self._facets[older], self._facets[newer], cosine)
                    break
