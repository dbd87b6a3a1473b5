"""Read from the store the memories at places (an address and an ordinal) that the index names."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoir.index.documents import Place
from memoir.index.index import IndexMismatch
from memoir.memory.facets import id_at
from memoir.memory.layer_namespaces import RAW, source_layers
from memoir.memory.read import records
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.memory.active import Facet


def records_at(snapshot: Snapshot, places: Sequence[Place]) -> dict[Address, Record]:
    """The records at places; a segment's record is its passages."""
    by_address = records(snapshot, (address for address, _ in places), listed=True)
    if sources := source_layers(snapshot, {address.namespace for address, _ in places}):
        from memoir.memory.passages import passage_memories

        of_sources = {address: record for address, record in by_address.items() if address.namespace in sources}
        by_address |= {address: passage_memories(record, address) for address, record in of_sources.items()}
    if any(ordinal >= len(by_address.get(address, ())) for address, ordinal in places):
        raise IndexMismatch
    return by_address


def memories_at(snapshot: Snapshot, places: Sequence[Place]) -> dict[Place, Memory]:
    """The memories at places."""
    by_address = records_at(snapshot, places)
    return {(address, ordinal): by_address[address][ordinal] for address, ordinal in places}


def facets_at(snapshot: Snapshot, places: Sequence[Place]) -> "list[Facet]":
    """The memories at places, in order, each with its id; a passage has none."""
    from memoir.memory.active import Facet

    by_address = records_at(snapshot, places)
    return [Facet(*place, by_address[place[0]][place[1]], _id(place, by_address[place[0]])) for place in places]


def _id(place: Place, record: Record) -> str:
    address, ordinal = place
    return "" if address.namespace.endswith(f":{RAW}") else id_at(record, ordinal)
