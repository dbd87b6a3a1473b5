"""Provenance: the tree of the memories that a memory's links lead to (`memoir why`)."""

from typing import NamedTuple

from memoir.memory.facets import get as get_targets
from memoir.memory.facets import require_record
from memoir.memory.layer_namespaces import source_layers
from memoir.memory.links import find, has_id, link_ids, links_of
from memoir.memory.passages import source_of_segment
from memoir.memory.read import get
from memoir.memory.staleness import Staleness
from memoir.records.record import Record, active_facets
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, MemoryAddress, address

PASSAGE_OF = "passage_of"
"""The edge from a passage to its segment; it is not stored as a link."""


class LinkNode(NamedTuple):
    """A path in a tree of provenance: the edge to it, its record, and the nodes that the record links to.

    `record` is None if the edge dangles. `again` marks a path whose links are shown elsewhere in the tree, `cut` a path
    whose links are deeper than the tree. `stale` tells whether an insight is out of date; it is None for other records.
    `id` is set if one memory or passage was asked for; then `record` holds only that. For segments and passages,
    `source` names the source and `origin` says where the source is from.
    """

    edge: str | None
    address: Address
    record: Record | None
    again: bool = False
    cut: bool = False
    links: "tuple[LinkNode, ...]" = ()
    stale: bool | None = None
    id: str = ""
    source: str | None = None
    origin: str | None = None

    @property
    def target(self) -> MemoryAddress:
        """The address, with the id if one was asked for."""
        return MemoryAddress(self.address, self.id)


def why(snapshot: Snapshot, start: MemoryAddress, depth: int) -> LinkNode:
    """The tree of links from a record or one memory of it; for a passage, from its segment."""
    record = require_record(snapshot, start)
    if start.names_passage:
        segment = _tree_from(snapshot, start.place, depth - 1)._replace(edge=PASSAGE_OF)
        return segment._replace(edge=None, record=record, id=start.id, cut=False, links=(segment,))
    if not start.id:
        return _tree_from(snapshot, start.place, depth)
    return _tree_from(snapshot, start.place, depth, record)._replace(id=get_targets(snapshot, [start])[start].id)


def _tree_from(snapshot: Snapshot, start: Address, depth: int, record: Record | None = None) -> LinkNode:
    """The tree of the links from a path, `depth` edges deep.

    A path is opened once, at the shortest distance from the start, so the tree is no larger than the edges it shows.
    `record`, if given, stands for the record at the start.
    """
    records, links_from, away = _read_levels(snapshot, start, depth, record)
    sources, stale = source_layers(snapshot, {each.namespace for each in records}), Staleness(snapshot).among(records)
    opened: set[Address] = set()

    def node(edge: str | None, address: Address, edges: int) -> LinkNode:
        """The node of a path, `edges` away from the start."""
        record, targets = records[address], links_from[address]
        node_here = LinkNode(edge, address, record, stale=stale.get(address))
        if record and address.namespace in sources:
            node_here = node_here._replace(source=source_of_segment(address), origin=_origin(record))
        if away[address] >= depth:
            return node_here._replace(cut=bool(targets))
        if edges > away[address] or address in opened:
            return node_here._replace(again=bool(targets))
        opened.add(address)
        return node_here._replace(links=tuple(node(name, target, edges + 1) for name, target in targets))

    return node(None, start, 0)


def _read_levels(
    snapshot: Snapshot, start: Address, depth: int, record: Record | None
) -> tuple[dict[Address, Record | None], dict[Address, list[tuple[str, Address]]], dict[Address, int]]:
    """The records at most `depth` links away, their links, and the distance of each; a level is read in one batch."""
    records: dict[Address, Record | None] = {}
    links_from: dict[Address, list[tuple[str, Address]]] = {}
    away: dict[Address, int] = {}
    level = [start]
    for edges in range(depth + 1):
        fresh = [address for address in dict.fromkeys(level) if address not in records]
        away |= dict.fromkeys(fresh, edges)
        records |= dict.fromkeys(fresh)
        records |= get(snapshot, fresh, listed=edges > 0)
        records |= {start: record} if record else {}
        links_from |= {address: _current_links(snapshot, records[address] or ()) for address in fresh}
        level = [target for address in fresh for _, target in links_from[address]]
    return records, links_from, away


def _current_links(snapshot: Snapshot, record: Record) -> list[tuple[str, Address]]:
    """The edges of a record, to the current paths of their targets."""
    ids = {address(key): identity for facet in active_facets(record) for key, identity in link_ids(facet).items()}
    there = get(snapshot, list(ids), listed=True)
    moves = {
        place: new_place
        for place, identity in ids.items()
        if not has_id(there.get(place) or (), identity) and (new_place := find(snapshot, identity))
    }
    return [(edge, moves.get(target, target)) for edge, target in links_of(record)]


def _origin(segment: Record) -> str | None:
    origin = segment[-1].metadata.get("origin")
    return origin if isinstance(origin, str) and origin else None
