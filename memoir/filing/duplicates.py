"""Near-duplicates: active memories of one namespace whose texts say the same (`memoir.english.sameness`)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from memoir.english.sameness import essence
from memoir.index.documents import persons
from memoir.memory.damage import readable
from memoir.memory.layers import memories_of
from memoir.memory.metadata import agree
from memoir.memory.read import key_range, select_namespaces
from memoir.memory.record import Memory
from memoir.named_tuple import NamedTuple
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, from_key


class Facet(NamedTuple):
    """An active memory: its address, its number in the record there, and itself."""

    address: Address
    ordinal: int
    memory: Memory

    @property
    def order(self) -> tuple[Any, ...]:
        """The sort key, which puts the memory to keep first: the newest, then the most confident, then by path.

        A record is oldest first, so of two memories of one path and time the later one is newer.
        """
        memory = self.memory
        return (-memory.instant.timestamp(), -memory.confidence, self.address, -self.ordinal)

    @property
    def people(self) -> frozenset[str]:
        """The people that the memory is about, in lower case."""
        return frozenset(name.casefold() for name in persons(self.memory.metadata))


class Pair(NamedTuple):
    """An older memory, the newer one that replaces it or could, and their cosine."""

    older: Facet
    newer: Facet
    cosine: float


def active_memories(snapshot: Snapshot, namespaces: Sequence[str] = ()) -> list[Facet]:
    """The active memories of some namespaces (of all without any), newest first."""
    facets: list[Facet] = []
    for name in memories_of(snapshot, select_namespaces(snapshot, namespaces)):
        for key, value in snapshot.scan(*key_range(name)):
            record = enumerate(readable(snapshot, key, value) or ())
            facets += (Facet(from_key(key), ordinal, memory) for ordinal, memory in record if memory.active)
    return sorted(facets, key=lambda facet: facet.order)


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
