"""Provenance: links in a memory's metadata to the memories it came from.

    {"links": {"derives_from": ["default:debugging.ci.timeouts"], "causes": [...]}}

An edge names a path, not a version. A memory that has moved from there is found by its id (`memoir.memory.ids`); if
nothing is at the path and nothing has the id, the edge dangles. `memoir.memory.provenance` follows the edges.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from memoir.errors import InvalidInput, MemoirError
from memoir.records.metadata import EDGES, LINKS
from memoir.records.record import Memory, Record, active_facets
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, address


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
    """Return a memory with some links instead of its own, and with the ids of what they lead to; see `links`.

    Raises:
        InvalidInput: a pair is malformed, or the metadata becomes too large.
    """
    from memoir.memory.ids import IDS, ids_for

    fields: dict[str, Any] = {**links(pairs, namespace)}
    if ids := ids_for(snapshot, (address(key) for keys in fields.values() for key in keys)):
        fields[IDS] = ids
    return Memory.of(**{**memory.as_dict(), "metadata": {**memory.metadata, LINKS: fields}})


def links_of(record: Record) -> list[tuple[str, Address]]:
    """The edges of the active memories, in the order of `EDGES`, each once; malformed ones are left out."""
    edges: dict[tuple[str, Address], None] = {}
    for edge in EDGES:
        for facet in active_facets(record):
            for target in targets_of(facet.metadata, edge):
                edges[edge, target] = None
    return list(edges)


def targets_of(metadata: Mapping[str, Any], edge: str) -> Iterable[Address]:
    """The targets of the links of some metadata by an edge; malformed ones are left out."""
    fields = metadata.get(LINKS)
    paths = fields.get(edge) if isinstance(fields, Mapping) else None
    for path in paths if isinstance(paths, list) else [paths]:
        try:
            if isinstance(path, str):
                yield address(path)
        except MemoirError:
            continue
