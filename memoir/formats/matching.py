"""What a store has of a source already: the memories that were imported from it, and how a found one joins a record.

An imported memory says in its metadata what it came from; by that a second import updates it, wherever it has moved:

    {"imported": {"from": "basic-memory", "id": "notes/deploy#3f2a…", "hash": "9c1e…"}}

`hash` is a digest of what the source said. A memory that was edited here since keeps that edit as long as the source
says the same; if the source says something else, that becomes active, and the edit stays as superseded.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from memoir.english.words import as_written, same_as_written
from memoir.errors import InvalidInput, NotFound
from memoir.formats.found import Found
from memoir.git.objects import sha1
from memoir.memory.active import Facet, facets
from memoir.memory.facets import find
from memoir.memory.read import records
from memoir.records.metadata import IMPORTED, OF_THE_WORDS
from memoir.records.origins import join_origins
from memoir.records.record import MAX_ACTIVE, MAX_FACETS, MAX_SUPERSEDED, Memory, Record, encode, trim, without
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, MemoryAddress

_DIGITS = 16


class Origin(NamedTuple):
    """What a memory was imported from: the kind of tool, the tool's id, and a digest of what it said."""

    kind: str
    id: str
    hash: str

    def as_field(self) -> dict[str, str]:
        """The origin as metadata have it."""
        return {"from": self.kind, "id": self.id, "hash": self.hash}


def origin_of(memory: Memory) -> Origin | None:
    """What a memory was imported from; None if it was not."""
    field = memory.metadata.get(IMPORTED)
    if not isinstance(field, Mapping):
        return None
    values = [value for name in ("from", "id", "hash") if isinstance(value := field.get(name), str)]
    return Origin(*values) if len(values) == len(Origin._fields) else None


def digest_of(memory: Memory) -> str:
    """A digest of what a source says in a memory; its time is left out, because that of a file changes with a copy."""
    return sha1(encode([memory._replace(timestamp="")])).hex()[:_DIGITS]


class Entry(NamedTuple):
    """A found memory on its way into the store."""

    found: Found
    """As it was found."""
    memory: Memory | None
    """As it will be stored, with its origin; None if it was deleted at its source."""
    target: Address
    """Where it goes."""
    origin: Origin
    """What it is imported from; None for one that comes back from where memoir wrote it."""
    former: str | None = None
    """The id of the memory at the target that it replaces, if that has another id."""
    back: MemoryAddress | None = None
    """The memory of the store that it comes back to."""


def imported(store: Store, head: Snapshot, kind: str) -> Iterator[tuple[Facet, Origin]]:
    """The active memories that were imported from a kind of tool: O(their number), by the index."""
    if head.commit is None:
        return
    from contextlib import closing

    from memoir.index.filters import Filter
    from memoir.index.index import Index
    from memoir.index.view import View

    def look(view: View) -> set[Address]:
        ids = view.select(Filter(metadata=((f"{IMPORTED}.from", kind),))).ids()
        return {document.address for document in view.documents(ids)} if ids else set()

    with closing(Index(store, wait=True)) as index:
        addresses = index.read(head, look)
    for address, record in records(head, sorted(addresses), listed=True).items():
        for each in facets(address, record):
            if (origin := origin_of(each.memory)) and origin.kind == kind:
                yield each, origin


def join(record: Record | None, entry: Entry) -> Record | None:
    """The record at the target with an entry; the same object if it has that already, None if nothing is left."""
    old, new = record or (), entry.memory
    at = _place(old, entry)
    if new is None:
        rest = old if at is None else (*old[:at], *old[at + 1 :])
        return record if at is None else rest if any(each.active for each in rest) else None
    if (at is None or entry.back is not None) and any(_says(each, new) for each in old):
        return record
    if at is None:
        return _added(old, new)
    origin = origin_of(old[at])
    if entry.back is None and origin and origin.hash == entry.origin.hash:
        return record
    return _updated(old, at, new)


def _place(record: Record, entry: Entry) -> int | None:
    """Where the memory that an entry is a later form of is in the record."""
    if entry.back is not None:
        return _named(record, entry.back) if entry.back.id else _only_active(record)
    kind, ids = entry.origin.kind, (entry.former or entry.origin.id, entry.origin.id)
    ats = (at for at, each in enumerate(record) if IMPORTED in each.metadata and _is_of(each, ids))
    places = [at for at in ats if (its := origin_of(record[at])) and its.kind == kind]
    return next((at for at in places if record[at].active), places[-1] if places else None)


def _named(record: Record, target: MemoryAddress) -> int | None:
    """Where the memory of an id is; None if it has changed or is gone here: what comes back joins the others."""
    try:
        return find(record, target) if record else None
    except NotFound:
        return None


def _is_of(memory: Memory, ids: tuple[str, str]) -> bool:
    field = memory.metadata[IMPORTED]
    return isinstance(field, dict) and field.get("id") in ids


def _only_active(record: Record) -> int | None:
    places = [at for at, each in enumerate(record) if each.active]
    return places[0] if len(places) == 1 else None


def _says(one: Memory, new: Memory) -> bool:
    return one.active == new.active and _written(one.content) == _written(new.content)


_written = lru_cache(maxsize=2 * MAX_FACETS)(as_written)
"""A text as it is compared: each memory of a record is, with each that comes to it."""


def _added(record: Record, new: Memory) -> Record:
    most, status = (MAX_ACTIVE, "active") if new.active else (MAX_SUPERSEDED, "superseded")
    if sum(each.active == new.active for each in record) >= most:
        raise InvalidInput(f"a path holds {most} {status} memories at most")
    return (*record, new)


def _updated(record: Record, at: int, new: Memory) -> Record:
    """A record whose memory at a place says something else from now on; the old words stay as superseded.

    What was said of the memory here, such as that it is pinned, is kept.
    """
    old = record[at]
    own = without(old.metadata, (*OF_THE_WORDS, "id"))
    memory = new._replace(metadata={**own, **new.metadata})
    if same_as_written(old.content, new.content):
        memory = memory._replace(metadata=join_origins(old.metadata, {**old.metadata, **new.metadata}))
        return (*record[:at], memory, *record[at + 1 :])
    if not old.active:
        return (*record[:at], memory, *record[at + 1 :])
    return trim((*record[:at], old.superseded(), *record[at + 1 :], memory))
