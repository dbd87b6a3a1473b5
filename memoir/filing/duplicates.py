"""Near-duplicates: active memories of one namespace whose texts say the same (`memoir.english.sameness`)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memoir.english.sameness import essence
from memoir.memory.active import Facet, scan
from memoir.records.metadata import agree
from memoir.store.snapshot import Snapshot

THRESHOLD = 0.95
"""The cosine from which two memories are near each other, so that `consolidate` proposes them."""


class Pair(NamedTuple):
    """An older memory, the newer one that replaces it or could, and their cosine."""

    older: Facet
    newer: Facet
    cosine: float


def active_memories(snapshot: Snapshot, namespaces: Sequence[str] = ()) -> list[Facet]:
    """The active memories of some namespaces (of all without any), newest first."""
    return sorted(scan(snapshot, namespaces), key=lambda facet: facet.order)


def near_duplicates(facets: Sequence[Facet]) -> list[tuple[Facet, Facet]]:
    """Pairs of near-duplicates: a memory, and the first one in the sequence that says the same.

    Both have the same namespace and people, and their metadata do not contradict each other.
    """
    groups: dict[tuple[str, frozenset[str], str], list[Facet]] = defaultdict(list)
    for facet in facets:
        groups[facet.address.namespace, facet.people, essence(facet.memory.content)].append(facet)
    return [pair for group in groups.values() if len(group) > 1 for pair in _pairs(group)]


def _pairs(group: Iterable[Facet]) -> list[tuple[Facet, Facet]]:
    unique_facets: list[Facet] = []
    pairs: list[tuple[Facet, Facet]] = []
    for facet in group:
        newer = next((other for other in unique_facets if agree(other.memory.metadata, facet.memory.metadata)), None)
        if newer:
            pairs.append((facet, newer))
        else:
            unique_facets.append(facet)
    return pairs
