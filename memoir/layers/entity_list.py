"""Entities: the people and things that memories name.

The index names the memories; their contents are read from the store.
"""

from typing import NamedTuple

from memoir.english.proper_names import key_of
from memoir.errors import NotFound
from memoir.index.entities import LONGEST, Entities
from memoir.index.filters import Filter
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.active import Facet
from memoir.memory.read import require_namespaces
from memoir.memory.write_options import shorten
from memoir.recall.places import facets_at
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

DEFAULT_LIMIT = 20


class Entity(NamedTuple):
    """A person or thing: its name, other forms, the sign that it is one, and the number of memories that name it."""

    name: str
    aliases: tuple[str, ...]
    kind: str
    size: int


class EntityList(NamedTuple):
    """Entities, the most frequent first, and whether there are more.

    `memories` are the newest memories of a single requested entity; None for a list.
    """

    entities: list[Entity]
    more: bool
    memories: list[Facet] | None
    degraded: tuple[str, ...]


def entities(index: Index, snapshot: Snapshot, namespaces: tuple[str, ...], limit: int) -> EntityList:
    """The most frequent entities of the namespaces (all but layers, if empty)."""
    require_namespaces(namespaces, snapshot)
    matches, more = index.read(snapshot, lambda view: view.entities(Filter(namespaces)).most(limit))
    rows = [Entity(each.name, each.aliases, each.kind, len(each.documents)) for each in matches]
    return EntityList(rows, more, None, tuple(index.degraded))


def entity(index: Index, snapshot: Snapshot, name: str, namespaces: tuple[str, ...], limit: int) -> EntityList:
    """Find an entity by any of its forms, with the newest memories that name it."""
    require_namespaces(namespaces, snapshot)
    match, places = index.read(snapshot, lambda view: _find(view, name, namespaces, limit))
    return EntityList([match], match.size > limit, facets_at(snapshot, places), tuple(index.degraded))


def _find(view: View, name: str, namespaces: tuple[str, ...], limit: int) -> tuple[Entity, list[tuple[Address, int]]]:
    every = view.entities(Filter(namespaces))
    match = every.find(name)
    if match is None:
        raise NotFound(f"no memory names {shorten(name, LONGEST)!r}", _hint(every, name))
    newest = sorted(view.documents(match.documents), key=lambda each: (-each.learnt, each.place))
    entity = Entity(match.name, match.aliases, match.kind, len(match.documents))
    return entity, [document.place for document in newest[:limit]]


def _hint(every: Entities, name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key_of(name), every.keys(), 1) if len(name) <= LONGEST else []
    nearest = every.find(close[0]) if close else None
    return f"did you mean {nearest.name!r}?" if nearest else "'memoir entities' lists those that most memories name"
