"""Provenance: links in a memory's metadata to the memories it came from.

    {"links": {"derives_from": ["default:debugging.ci.timeouts"], "causes": [...]}}

An edge names a path, not a version. A memory that has moved from the path is found by its id. The edge dangles if the
path is empty and no memory has the id. `memoir.memory.provenance` follows the edges.

    {"id": "m1f0c2ab93e4d", "links": {"derives_from": ["default:a.b"], "ids": {"default:a.b": "m…"}}}

A memory gets its id, in its metadata, when it is first linked to; edits, moves and merges keep it. Records in layers
never move and get no id.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from memoir.errors import InvalidInput, MemoirError
from memoir.git.objects import sha1
from memoir.memory.layer_namespaces import layers, may_be_in_layer
from memoir.memory.read import records, require, segment_named
from memoir.records.damage import readable
from memoir.records.metadata import EDGES, LINKS
from memoir.records.record import Memory, Record, active_facets
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, address, from_key

FIELD = "id"
IDS = "ids"
"""The field of `links` with the ids of the targets."""


def id_of(record: Record) -> str | None:
    """The id of a record: the first id among its memories."""
    return next((facet.metadata[FIELD] for facet in record if isinstance(facet.metadata.get(FIELD), str)), None)


def has_id(record: Record, identity: str) -> bool:
    """Whether any memory of a record has the id; memories that met at a path keep their own ids."""
    return any(facet.metadata.get(FIELD) == identity for facet in record)


def mint(address: Address, record: Record) -> str:
    """A new id for a record: the same on every branch, so that branches merge."""
    first = active_facets(record)[0]
    return "m" + sha1(f"{address.full_key}\n{first.timestamp}\n{first.content}".encode()).hex()[:12]


def ids_for(snapshot: Snapshot, targets: Iterable[Address]) -> dict[str, str]:
    """The ids of the targets by full key, minted where there is none; empty paths and records in layers have none."""
    apart = layers(snapshot)
    entries = records(snapshot, (address for address in targets if address.namespace not in apart), listed=True)
    return {address.full_key: id_of(record) or mint(address, record) for address, record in entries.items()}


def mint_targets(snapshot: Snapshot, memory: Memory) -> dict[Address, Record]:
    """The records that a memory links to and that have no id yet, with the ids that its links name."""
    ids = {address(key): identity for key, identity in link_ids(memory).items()}
    targets = records(snapshot, ids, listed=True)
    return {place: _with_id(record, ids[place]) for place, record in targets.items() if not id_of(record)}


def link_ids(memory: Memory) -> Mapping[str, str]:
    """The ids of the targets of a memory's links, by their full keys; malformed ones are left out."""
    links = memory.metadata.get("links")
    ids = links.get(IDS) if isinstance(links, Mapping) else None
    if not isinstance(ids, Mapping):
        return {}
    return {key: identity for key, identity in ids.items() if isinstance(identity, str) and _is_address(key)}


def _is_address(key: str) -> bool:
    try:
        return bool(address(key))
    except MemoirError:
        return False


def refuse_malformed(memory: Memory) -> None:
    """Refuse malformed links, which everything that follows links would skip."""
    fields = memory.metadata.get(LINKS)
    if not isinstance(fields, Mapping):
        return
    for name in (name for name in (*EDGES, IDS) if name in fields):
        whole = fields[name]
        keys = whole if isinstance(whole, Mapping if name == IDS else list) else [whole]
        sound = name != IDS or (isinstance(whole, Mapping) and all(isinstance(each, str) for each in whole.values()))
        if not sound or not all(isinstance(key, str) and _is_address(key) for key in keys):
            raise InvalidInput(f"its links have a malformed {name!r}")


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


def links(pairs: Iterable[str], namespace: str) -> dict[str, list[str]]:
    """Read `EDGE=PATH` pairs into the form that metadata keeps; a path may be `namespace:path`.

    Raises:
        InvalidInput: an unknown edge, or a malformed path.
    """
    targets: dict[str, list[str]] = {}
    for pair in pairs:
        edge, equals, path = pair.partition("=")
        if not equals or edge not in EDGES:
            raise InvalidInput(f"not a link: {pair!r}", f"write EDGE=PATH, with one of {', '.join(EDGES)}")
        target = address(path, namespace).full_key
        if target not in targets.setdefault(edge, []):
            targets[edge].append(target)
    return {edge: targets[edge] for edge in EDGES if edge in targets}


def with_links(memory: Memory, pairs: Iterable[str], namespace: str, snapshot: Snapshot) -> Memory:
    """Return a memory with the given links in place of its own, and the ids of their targets; see `links`."""
    fields: dict[str, Any] = {
        edge: [_stored_target(snapshot, address(key)).full_key for key in keys_]
        for edge, keys_ in links(pairs, namespace).items()
    }
    if ids := ids_for(snapshot, (address(key) for keys in fields.values() for key in keys)):
        fields[IDS] = ids
    return Memory.of(**{**memory.as_dict(), "metadata": {**memory.metadata, LINKS: fields}})


def _stored_target(snapshot: Snapshot, target: Address) -> Address:
    """The stored address of a link's target; a segment of a source may be named without its layer."""
    if segment := segment_named(snapshot, target):
        return segment
    require(snapshot, [target])
    return target


def links_of(record: Record) -> list[tuple[str, Address]]:
    """The edges of the active memories, in the order of `EDGES`, each once; malformed ones are left out."""
    edges: dict[tuple[str, Address], None] = {}
    for edge in EDGES:
        for facet in active_facets(record):
            for target in targets_of(facet.metadata, edge):
                edges[edge, target] = None
    return list(edges)


def targets_of(metadata: Mapping[str, Any], edge: str) -> Iterable[Address]:
    """The targets of an edge in the metadata; malformed ones are left out."""
    fields = metadata.get(LINKS)
    paths = fields.get(edge) if isinstance(fields, Mapping) else None
    for path in paths if isinstance(paths, list) else [paths]:
        try:
            if isinstance(path, str):
                yield address(path)
        except MemoirError:
            continue


class ImportedLinks:
    """The links of imported lines to memories that the store lacks; the import may still bring them.

    Two kinds of links may dangle: those with the id of their target, which was there once and was forgotten; and those
    into layers, which the export may have left out.
    """

    def __init__(self, head: Snapshot) -> None:
        self._head = head
        self._open: list[tuple[int, bytes]] = []

    def note(self, line: int, memory: Memory) -> None:
        """Note the links of the memory of a line."""
        if LINKS not in memory.metadata or not memory.active:
            return
        known = link_ids(memory)
        targets = (target for edge in EDGES for target in targets_of(memory.metadata, edge))
        own = {each.key for each in targets if each.full_key not in known and not may_be_in_layer(each)}
        self._open += [(line, key) for key in sorted(own - self._head.tree.get(sorted(own)).keys())]

    def dangling(self, lines_at: Iterable[tuple[bytes, Iterable[int]]], *, follow: bool) -> dict[int, str]:
        """The lines with a link to nothing, with the reasons; `lines_at` has the lines of each imported key.

        With `follow` these lines will be skipped, so a line that links to one of them dangles, too.
        """
        waiting = defaultdict[bytes, list[int]](list)
        for line, key in self._open:
            waiting[key].append(line)
        rest = {key: {*its} for key, its in lines_at if key in waiting} if waiting else {}
        keys = {line: key for key, its in rest.items() for line in its}
        found, gone = dict[int, str](), [key for key in waiting if key not in rest]
        for key in gone:  # grows during the loop
            for line in (line for line in waiting[key] if line not in found):
                found[line] = f"it links to {from_key(key).full_key}, where there is no memory"
                if follow and (own := keys.get(line)):
                    rest[own].discard(line)
                    gone += [] if rest[own] else [own]
        return found
