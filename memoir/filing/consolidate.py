"""Marking near-duplicates: the newer memory stands, the older is superseded, all in one commit."""

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from memoir.errors import EmbedderUnavailable
from memoir.filing.duplicates import Duplicate, duplicates
from memoir.filing.sameness import THRESHOLD
from memoir.index.index import Index
from memoir.memory.read import require_namespaces
from memoir.memory.record import Memory, Record, decode, encode, trimmed
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import Address


class Consolidated(NamedTuple):
    """The near-duplicates, and the commit that superseded them (None if there are none, or it was only tried)."""

    duplicates: list[Duplicate]
    commit: Commit | None


def consolidate(
    store: Store,
    index: Index,
    *,
    threshold: float = THRESHOLD,
    namespaces: Sequence[str] = (),
    dry_run: bool = False,
    message: str | None = None,
    branch: str | None = None,
) -> Consolidated:
    """Supersede every memory that a newer one of its namespace repeats.

    A memory that changed since it was looked at is left as it is.

    Raises:
        NotFound: no such namespace. EmbedderUnavailable: the embedder failed, so that there are no vectors to compare.
    """

    def look(database: apsw.Connection) -> list[Duplicate] | None:
        return duplicates(database, index.embedder, threshold, namespaces) if index.embedder else None

    head = store.head(branch)
    require_namespaces(namespaces, head)
    found = index.read(head, look)
    if found is None:
        reason = index.degraded[0].partition(";")[0] if index.degraded else "there is no embedder"
        raise EmbedderUnavailable(f"memories cannot be compared: {reason}")
    if dry_run or not found:
        return Consolidated(found, None)

    standing: list[Duplicate] = []

    def change(head: Snapshot) -> Change:
        standing[:], edits = _edits(head, found)
        text = message or f"consolidate {len(standing)} near-duplicate{'s' if len(standing) != 1 else ''}"
        return Change(list(edits.items()), text)

    commit = write(store, change, branch=branch, reason="consolidate")
    return Consolidated(standing, commit)


def _edits(head: Snapshot, found: Sequence[Duplicate]) -> tuple[list[Duplicate], dict[bytes, bytes]]:
    """Those of the near-duplicates that are so still, and the records that mark them."""
    places = {memory.address for duplicate in found for memory in (duplicate.older, duplicate.newer)}
    values = head.read([place.key for place in places])
    records = {place: decode(values[place.key]) for place in places if place.key in values}
    standing = [
        duplicate
        for duplicate in found
        if all(_stands(records, m.address, m.ordinal, m.content) for m in (duplicate.older, duplicate.newer))
    ]
    changed: dict[Address, Record] = {}
    for older, newer, _ in standing:
        record = changed.get(older.address, records[older.address])
        changed[older.address] = _marked(record, older.ordinal, newer.address)
    return standing, {place.key: encode(trimmed(record)) for place, record in changed.items()}


def _stands(records: dict[Address, Record], place: Address, ordinal: int, content: str) -> bool:
    """Whether a memory is still what it was."""
    record = records.get(place, ())
    return ordinal < len(record) and record[ordinal].active and record[ordinal].content == content


def _marked(record: Record, ordinal: int, by: Address) -> Record:
    def marked(memory: Memory) -> Memory:
        return memory.superseded()._replace(metadata={**memory.metadata, "superseded_by": by.full_key})

    return tuple(marked(memory) if at == ordinal else memory for at, memory in enumerate(record))
