"""Memories with their places, as the store has them: the index only says which."""

from collections.abc import Iterable
from typing import NamedTuple

from memoir.recall.answer import facets
from memoir.records.record import Memory
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address


class PlacedMemory(NamedTuple):
    """A memory and where it is."""

    address: Address
    memory: Memory


def fetch(snapshot: Snapshot, places: Iterable[tuple[Address, int]]) -> list[PlacedMemory]:
    """The memories at some addresses and positions in their records, in that order; of segments, passages."""
    pairs = list(places)
    memories = facets(snapshot, pairs)
    return [PlacedMemory(address, memories[address, ordinal]) for address, ordinal in pairs]
