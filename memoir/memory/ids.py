"""Ids of memories, by which a link finds a memory that has moved.

    {"id": "m1f0c2ab93e4d", "links": {"derives_from": ["default:a.b"], "ids": {"default:a.b": "m…"}}}

A memory gets its id, in its metadata, when something links to it for the first time. An edit, a move and a merge keep
it. A link names a path as well, where the memory is looked for first. What lies in a layer never moves, and gets none.
"""

from collections.abc import Iterable, Mapping

from memoir.git.digest import sha1
from memoir.memory.layer_namespaces import layers
from memoir.memory.read import records
from memoir.records.damage import readable
from memoir.records.record import Memory, Record, active_facets
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, address, from_key

FIELD = "id"
IDS = "ids"
"""The field of links that has the ids of their targets."""


def id_of(record: Record) -> str | None:
    """The id of a record: the first that a memory of it has."""
    return next((facet.metadata[FIELD] for facet in record if isinstance(facet.metadata.get(FIELD), str)), None)


def has_id(record: Record, identity: str) -> bool:
    """Whether a memory of a record has an id; several may have met at a path, each with its own."""
    return any(facet.metadata.get(FIELD) == identity for facet in record)


def mint(place: Address, record: Record) -> str:
    """The id for a record that has none: the same on every branch, so that they merge."""
    first = active_facets(record)[0]
    return "m" + sha1(f"{place.full_key}\n{first.timestamp}\n{first.content}".encode()).hex()[:12]


def ids_for(snapshot: Snapshot, targets: Iterable[Address]) -> dict[str, str]:
    """The ids of some targets by their full keys, those to be minted as well; a path that holds nothing has none."""
    apart = layers(snapshot)
    entries = records(snapshot, (place for place in targets if place.namespace not in apart), listed=True)
    return {place.full_key: id_of(record) or mint(place, record) for place, record in entries.items()}


def mint_targets(snapshot: Snapshot, memory: Memory) -> dict[Address, Record]:
    """The records that a memory links to, with the ids by which it does, as far as they have none yet."""
    ids = {address(key): identity for key, identity in link_ids(memory).items()}
    targets = records(snapshot, ids, listed=True)
    return {place: _with_id(record, ids[place]) for place, record in targets.items() if not id_of(record)}


def link_ids(memory: Memory) -> Mapping[str, str]:
    """The ids of the targets of a memory's links, by their full keys; malformed ones are left out."""
    links = memory.metadata.get("links")
    ids = links.get(IDS) if isinstance(links, Mapping) else None
    if not isinstance(ids, Mapping):
        return {}
    return {key: identity for key, identity in ids.items() if isinstance(identity, str)}


def find(snapshot: Snapshot, identity: str) -> Address | None:
    """Where the memory with an id is: O(n)."""
    needle = f'"{identity}"'.encode()
    for key, value in snapshot.scan():
        if needle in value and (record := readable(snapshot, key, value)) and has_id(record, identity):
            return from_key(key)
    return None


def _with_id(record: Record, identity: str) -> Record:
    active = active_facets(record)
    return tuple(
        facet._replace(metadata={**facet.metadata, FIELD: identity}) if facet in active else facet for facet in record
    )
