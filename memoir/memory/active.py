"""The active memories of a store with their addresses, and disputes: memories that contradict each other by rules.

Neither memory of a dispute wins. Two memories are compared only if they share the namespace and the people, and their
metadata agree: a fact about another person, project or time contradicts nothing. An event stays true whatever comes
later.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from memoir.memory import read
from memoir.memory.facets import ids_of
from memoir.memory.layer_namespaces import may_be_in_layer, memories_of
from memoir.memory.read import select_namespaces
from memoir.records.metadata import OF_MEMOIR, OF_THE_WORDS, PIN, agree, persons
from memoir.records.record import Memory, Record, without
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.kinds import ITEM_KIND, has_happened
from memoir.taxonomy.paths import Address, MemoryAddress


class Facet(NamedTuple):
    """An active memory, its address, its index in the record, and its id if the record has several active memories."""

    address: Address
    ordinal: int
    memory: Memory
    id: str = ""

    @property
    def target(self) -> MemoryAddress:
        """The address that names it in a command."""
        return MemoryAddress(self.address, self.id)

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

    @property
    def place(self) -> tuple[Address, int]:
        """Where it is."""
        return self.address, self.ordinal


def scan(snapshot: Snapshot, namespaces: Sequence[str] = ()) -> Iterator[Facet]:
    """The active memories of the namespaces (of all, if none is given), by namespace and path."""
    for address, record in read.scan(snapshot, memories_of(snapshot, select_namespaces(snapshot, namespaces))):
        yield from facets(address, record)


def facets(address: Address, record: Record) -> Iterator[Facet]:
    """The active memories of a record."""
    positions = [at for at, memory in enumerate(record) if memory.active]
    ids = ids_of(record) if len(positions) > 1 else [""] * len(record)
    return (Facet(address, at, record[at], ids[at]) for at in positions)


_MOST_ALIKE = 50
"""How many memories with one clause are compared pair by pair, the newest first."""
_OF_NO_MATTER = OF_MEMOIR.union(OF_THE_WORDS, (ITEM_KIND, PIN, "person"))
"""Fields of metadata in which memories about the same thing may differ."""


class Dispute(NamedTuple):
    """Two memories that contradict each other."""

    newer: Facet
    older: Facet


class StoreDisputes(NamedTuple):
    """The disputes found in a store, and whether the list is complete."""

    disputes: list[Dispute]
    complete: bool


def find_disputes(memories: Sequence[Facet]) -> list[Dispute]:
    """The disputes among the memories, each once; those with the newest memories first."""
    from memoir.english.claims.claims import claims

    by_clause: dict[tuple[object, ...], list[tuple[Facet, str]]] = defaultdict(list)
    for each in sorted((each for each in memories if may_dispute(each)), key=lambda each: each.order):
        for clause, value in claims(each.memory.content).items():
            by_clause[each.address.namespace, clause].append((each, value))
    pairs = {
        (pair.newer.place, pair.older.place): pair
        for group in by_clause.values()
        if len(group) > 1
        for pair in _pairs(group)
    }
    return sorted(pairs.values(), key=lambda pair: (pair.newer.order, pair.older.order))


def may_dispute(each: Facet) -> bool:
    """Whether a memory can be in a dispute: it is active, of no layer, and no event."""
    memory = each.memory
    return memory.active and not may_be_in_layer(each.address) and not has_happened(memory.metadata.get(ITEM_KIND))


def about_the_same(one: Facet, other: Facet) -> bool:
    """Whether the metadata of two memories let them be about the same thing."""
    return one.people == other.people and agree(
        *(without(each.memory.metadata, _OF_NO_MATTER) for each in (one, other))
    )


def _pairs(group: Sequence[tuple[Facet, str]]) -> Iterator[Dispute]:
    from memoir.english.claims.claims import may_agree

    for (newer, value), (older, other) in combinations(group[:_MOST_ALIKE], 2):
        if value != other and not may_agree(value, other) and about_the_same(newer, older):
            yield Dispute(newer, older)
