"""Finding near-duplicates among the active memories of a snapshot.

Comparing each with each would cost n². The signs of a vector are cut into bands instead, and only memories
that share a band are compared: two vectors of cosine 0.95 differ in one sign of ten, so that they share one
of 20 bands of 12 signs with a probability of 1 - (1 - 0.9^12)^20 = 0.999 (locality-sensitive hashing for cosines:
Charikar, "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002).
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import apsw

from memoir.filing.sameness import say_the_same
from memoir.index.documents import Indexed, details
from memoir.index.embedders.embedder import Embedder, Vector
from memoir.index.filters import Filter, chosen
from memoir.index.vectors import kept_vectors, unit

_WIDEST = 16
_BATCH = 64
_SURE = 0.999


class Duplicate(NamedTuple):
    """An older memory, the newer one that says the same, and the cosine of the two."""

    older: Indexed
    newer: Indexed
    cosine: float


def duplicates(
    database: apsw.Connection, embedder: Embedder, threshold: float, namespaces: Sequence[str] = ()
) -> list[Duplicate]:
    """Every active memory that a newer one of its namespace makes superfluous, with the newest such one."""
    found = list(details(database, chosen(database, Filter(tuple(namespaces)))))
    found.sort(key=lambda memory: (-memory.learnt, memory.address, -memory.ordinal))
    vectors = _embeddings(database, embedder, found)
    gone: dict[int, Duplicate] = {}
    for newer, older in _alike(found, vectors, threshold):
        if older.id in gone or newer.id in gone:
            continue
        cosine = sum(a * b for a, b in zip(vectors[newer.id], vectors[older.id], strict=True))
        same_people = newer.people == older.people
        if same_people and say_the_same(newer.content, older.content, cosine, threshold):
            gone[older.id] = Duplicate(older, newer, cosine)
    return sorted(gone.values(), key=lambda duplicate: duplicate.older.place)


def _embeddings(database: apsw.Connection, embedder: Embedder, memories: Sequence[Indexed]) -> dict[int, Vector]:
    """Each memory's own embedding, without its neighbours': a kept one where there is one."""
    kept = kept_vectors(database, embedder)
    found = {memory.id: kept(memory.content) for memory in memories} if embedder.learned else {}
    missing = [memory for memory in memories if not found.get(memory.id)]
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        vectors = map(unit, embedder.embed([memory.content for memory in batch]))
        found |= {memory.id: vector for memory, vector in zip(batch, vectors, strict=True)}
    return found


def _band(threshold: float, signs: int) -> int:
    """The widest band that two vectors of that cosine still share with a probability of 0.999 (12 signs at 0.95)."""
    alike = 1 - math.acos(threshold) / math.pi
    return next((width for width in range(_WIDEST, 1, -1) if (1 - alike**width) ** (signs // width) <= 1 - _SURE), 1)


def _alike(
    memories: Sequence[Indexed], vectors: dict[int, Vector], threshold: float
) -> Iterator[tuple[Indexed, Indexed]]:
    """Pairs (newer, older) that share a band within a namespace, those of the newest first, each once."""
    width = _band(min(threshold, 1.0), len(next(iter(vectors.values()), ())))
    buckets: dict[tuple[str, int, str], list[Indexed]] = defaultdict(list)
    for memory in reversed(memories):
        for band in _bands(memory, vectors[memory.id], width):
            buckets[band].append(memory)
    for newer in memories:
        seen = {newer.id}
        for band in _bands(newer, vectors[newer.id], width):
            for older in buckets[band]:
                if older is newer:
                    break  # what follows in the bucket is newer still
                if older.id not in seen:
                    seen.add(older.id)
                    yield newer, older


def _bands(memory: Indexed, vector: Vector, width: int) -> Iterator[tuple[str, int, str]]:
    signs = "".join("+" if x > 0 else "-" if x < 0 else " " for x in vector)
    for at in range(0, len(signs) - width + 1, width):
        band = signs[at : at + width]
        if band.strip():  # zeros, of which a hashed vector has many, are no likeness
            yield memory.address.namespace, at, band
