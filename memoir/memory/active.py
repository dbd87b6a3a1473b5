"""The active memories of a store, each with its address."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from memoir.memory import read
from memoir.memory.facets import ids_of
from memoir.memory.layer_namespaces import memories_of
from memoir.memory.read import select_namespaces
from memoir.records.metadata import persons
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, MemoryAddress


class Facet(NamedTuple):
    """An active memory: its address, its number in the record there, itself, and its id if it is one of several."""

    address: Address
    ordinal: int
    memory: Memory
    id: str = ""

    @property
    def target(self) -> MemoryAddress:
        """What a command names it by."""
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
    """The active memories of some namespaces (of all without any), by namespace and path."""
    for address, record in read.scan(snapshot, memories_of(snapshot, select_namespaces(snapshot, namespaces))):
        yield from facets(address, record)


def facets(address: Address, record: Record) -> Iterator[Facet]:
    """The active memories of a record."""
    places = [at for at, memory in enumerate(record) if memory.active]
    ids = ids_of(record) if len(places) > 1 else [""] * len(record)
    return (Facet(address, at, record[at], ids[at]) for at in places)
