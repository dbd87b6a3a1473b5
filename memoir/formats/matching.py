"""Match found memories with those that were imported before, and join them with records.

An imported memory has its origin in its metadata, by which a second import updates it, wherever it has moved:

    {"imported": {"from": "basic-memory", "id": "notes/deploy#3f2a…", "hash": "9c1e…"}}

`hash` is a digest of the memory in the source. A memory that was edited here keeps the edit as long as the source is
unchanged; if the source changes, its new text becomes active, and the edit stays as superseded.
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
    """The origin of an imported memory: the kind of tool, the tool's id, and a digest of the memory there."""

    kind: str
    id: str
    hash: str

    def as_field(self) -> dict[str, str]:
        """The origin as a field of metadata."""
        return {"from": self.kind, "id": self.id, "hash": self.hash}


def origin_of(memory: Memory) -> Origin | None:
    """The origin of an imported memory; None if it was not imported."""
    field = memory.metadata.get(IMPORTED)
    if not isinstance(field, Mapping):
        return None
    values = [value for name in ("from", "id", "hash") if isinstance(value := field.get(name), str)]
    return Origin(*values) if len(values) == len(Origin._fields) else None


def digest_of(memory: Memory) -> str:
    """A digest of a memory in its source, without its time, because copying a file changes that."""
    return sha1(encode([memory._replace(timestamp="")])).hex()[:_DIGITS]


class Entry(NamedTuple):
    """A found memory on its way into the store."""

    found: Found
    """The memory as it was found."""
    memory: Memory | None
    """The memory to store, with its origin; None if it was deleted at its source."""
    target: Address
    """The address to store it at."""
    origin: Origin
    """Its origin, by which it is matched."""
    former: str | None = None
    """The id of the memory at the target that it replaces, if that has another id."""
    back: MemoryAddress | None = None
    """The memory in the store from which memoir had exported it."""


def imported(store: Store, head: Snapshot, kind: str) -> Iterator[tuple[Facet, Origin]]:
    """The active memories that were imported from a kind of tool, found by the index."""
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
    """Join an entry with the record at its target; return the same object if unchanged, None if no memory is left."""
    old, new = record or (), entry.memory
    at = _position(old, entry)
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


def _position(record: Record, entry: Entry) -> int | None:
    """The position in the record of the memory that an entry updates; None if there is none."""
    if entry.back is not None:
        return _named(record, entry.back) if entry.back.id else _only_active(record)
    kind, ids = entry.origin.kind, (entry.former or entry.origin.id, entry.origin.id)
    ats = (at for at, each in enumerate(record) if IMPORTED in each.metadata and _is_of(each, ids))
    places = [at for at in ats if (its := origin_of(record[at])) and its.kind == kind]
    return next((at for at in places if record[at].active), places[-1] if places else None)


def _named(record: Record, target: MemoryAddress) -> int | None:
    """The position of the memory with an id; None if it has changed or is gone: the entry is then added."""
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
"""A text in its form for comparisons, cached because each memory of a record is compared with each new one."""


def _added(record: Record, new: Memory) -> Record:
    most, status = (MAX_ACTIVE, "active") if new.active else (MAX_SUPERSEDED, "superseded")
    if sum(each.active == new.active for each in record) >= most:
        raise InvalidInput(f"a path holds {most} {status} memories at most")
    return (*record, new)


def _updated(record: Record, at: int, new: Memory) -> Record:
    """Replace the memory at a position of a record; its old words stay as superseded.

    Metadata added here, such as a pin, are kept.
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
