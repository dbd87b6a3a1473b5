"""One source as it can be read: its segments in order, their passages, and the memories that were found in each."""

from itertools import islice
from typing import NamedTuple

from memoir.index.index import Index
from memoir.layers.entity_list import PlacedMemory, fetch
from memoir.layers.segments import ROOT, StoredSource, place_of, require_source
from memoir.memory.keys import keys
from memoir.memory.passages import passage_memories
from memoir.memory.read import records
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address


class SourceSegment(NamedTuple):
    """A segment: its address, its passages as memories, and the memories that were found in it."""

    address: Address
    passages: Record
    items: list[PlacedMemory]


class SourcePage(NamedTuple):
    """A source, some of its segments, and the last of their numbers where a limit cut them."""

    source: StoredSource
    segments: list[SourceSegment]
    cut_at: str | None
    degraded: tuple[str, ...]


def read_page(
    index: Index, snapshot: Snapshot, namespace: str, name: str, limit: int, after: str | None = None
) -> SourcePage:
    """Read some segments of a source, after the number of one."""
    source = require_source(snapshot, namespace, name)
    start = place_of(namespace, name, after) if after else None
    layer = place_of(namespace, name, "0").namespace
    found = list(islice(keys(snapshot, [layer], prefix=f"{ROOT}.{name}", after=start), limit + 1))
    page = records(snapshot, found[:limit], listed=True)
    places = index.read(snapshot, lambda view: view.items_of(list(page)))
    items = {segment: fetch(snapshot, its) for segment, its in places.items()}
    segments = [
        SourceSegment(address, passage_memories(record, address), items.get(address, []))
        for address, record in page.items()
    ]
    cut_at = found[limit - 1].path.rpartition(".")[2] if len(found) > limit else None
    return SourcePage(source, segments, cut_at, tuple(index.degraded))
