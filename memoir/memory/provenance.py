"""Where a memory came from: the tree of the memories that its links lead to (`memoir why`)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memoir.memory.ids import find, has_id, link_ids
from memoir.memory.links import links_of
from memoir.memory.read import get, require
from memoir.memory.record import Record, active_facets
from memoir.memory.staleness import Staleness
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, address


class LinkNode(NamedTuple):
    """A path in a tree of provenance: the edge that leads to it, the record there, and what that links to.

    `record` is None if the edge dangles. `again` marks a path whose links are shown elsewhere in the tree, `cut` one
    whose links are deeper than the tree. `stale` tells of an insight whether it is out of date; None of anything else.
    """

    edge: str | None
    address: Address
    record: Record | None
    again: bool = False
    cut: bool = False
    links: "tuple[LinkNode, ...]" = ()
    stale: bool | None = None


def why(snapshot: Snapshot, start: Address, depth: int) -> LinkNode:
    """The tree of the memories that led to a memory, `depth` edges deep; each level is read in one batch.

    A path is opened once, at the shortest distance from the start, so the tree is no larger than the edges it shows.

    Raises:
        NotFound: there is nothing at the start.
    """
    require(snapshot, [start])
    records: dict[Address, Record | None] = {}
    links_from: dict[Address, list[tuple[str, Address]]] = {}
    away: dict[Address, int] = {}
    level = [start]
    for edges in range(depth + 1):
        fresh = [place for place in dict.fromkeys(level) if place not in records]
        away |= dict.fromkeys(fresh, edges)
        records |= dict.fromkeys(fresh)
        records |= {item.address: item.record for item in get(snapshot, fresh, listed=edges > 0)}
        links_from |= {place: _follow(snapshot, records[place] or ()) for place in fresh}
        level = [target for place in fresh for _, target in links_from[place]]
    return _TreeBuilder(records, links_from, away, depth, _stale(snapshot, records)).node(None, start, 0)


def _stale(snapshot: Snapshot, places: Iterable[Address]) -> dict[Address, bool]:
    """Which of some places are insights, and whether each is out of date."""
    insights = [place for place in places if place.may_be_insight]
    if not insights:
        return {}
    return Staleness(snapshot).among(insights)


def _follow(snapshot: Snapshot, record: Record) -> list[tuple[str, Address]]:
    """The edges of a record to where the memories are now."""
    ids = {address(key): identity for facet in active_facets(record) for key, identity in link_ids(facet).items()}
    there = {item.address: item.record for item in get(snapshot, list(ids), listed=True)}
    moves = {
        place: new_place
        for place, identity in ids.items()
        if not has_id(there.get(place) or (), identity) and (new_place := find(snapshot, identity))
    }
    return [(edge, moves.get(target, target)) for edge, target in links_of(record)]


class _TreeBuilder:
    """Builds the tree of some records, whose distances from the start, in edges, are known."""

    def __init__(
        self,
        records: Mapping[Address, Record | None],
        links_from: Mapping[Address, Sequence[tuple[str, Address]]],
        away: Mapping[Address, int],
        depth: int,
        stale: Mapping[Address, bool],
    ) -> None:
        self._records = records
        self._stale = stale
        self._links = links_from
        self._away = away
        self._depth = depth
        self._open_places: set[Address] = set()

    def node(self, edge: str | None, place: Address, edges: int) -> LinkNode:
        node = LinkNode(edge, place, self._records[place], stale=self._stale.get(place))
        targets = self._links[place]
        if self._away[place] >= self._depth:
            return node._replace(cut=bool(targets))
        if edges > self._away[place] or place in self._open_places:
            return node._replace(again=bool(targets))
        self._open_places.add(place)
        return node._replace(links=tuple(self.node(name, target, edges + 1) for name, target in targets))
