"""Memories with their places, as the store has them: the index only says which."""

from collections.abc import Iterable

from memoir.index.index import IndexMismatch
from memoir.memory.read import records
from memoir.memory.record import Memory
from memoir.named_tuple import NamedTuple
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address


class PlacedMemory(NamedTuple):
    """A memory and where it is."""

    address: Address
    memory: Memory


def fetch(snapshot: Snapshot, places: Iterable[tuple[Address, int]]) -> list[PlacedMemory]:
    """The memories at some places, each an address and a position in its record, in their order.

    Raises:
        IndexMismatch: the store does not have one of them.
    """
    pairs = list(places)
    by_address = records(snapshot, (address for address, _ in pairs), listed=True)
    if any(ordinal >= len(by_address.get(address, ())) for address, ordinal in pairs):
        raise IndexMismatch
    return [PlacedMemory(address, by_address[address][ordinal]) for address, ordinal in pairs]
