"""Records that cannot be read: one rule for all commands.

A command that names the key fails (exit 7). Lists, searches and indexes leave the record out and note it in
`Store.damage`. History shows a placeholder, so that the versions before and after it can be read. Merges and purges,
which only compare memories, treat it as empty.
"""

from collections.abc import Iterable

from memoir.errors import DamagedStore
from memoir.records.record import DamagedRecord, Memory, Record, decode
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, from_key

_LONG_AGO = "1970-01-01T00:00:00Z"


def read_record(address: Address, data: bytes) -> Record:
    """The record at an address.

    Raises:
        DamagedStore: it cannot be read; the place and the reason are named.
    """
    try:
        return decode(data)
    except DamagedRecord as error:
        raise DamagedStore(
            f"the record at {address.full_key} is damaged: {error.reason}",
            f"'memoir blame {address.path}' shows its versions, 'memoir restore' brings one back,"
            " 'memoir forget' removes it",
        ) from error


def require_readable(records: Iterable[tuple[Address, bytes]]) -> None:
    """Check that all records can be read.

    Raises:
        DamagedStore: some cannot; all of them are named.
    """
    bad: list[DamagedStore] = []
    for address, data in records:
        try:
            read_record(address, data)
        except DamagedStore as error:
            bad.append(error)
    if bad:
        raise DamagedStore("; ".join(error.message for error in bad), bad[0].hint)


def readable(snapshot: Snapshot, key: bytes, data: bytes) -> Record | None:
    """A record for a list; if it cannot be read, None and a note in the snapshot's `damage`."""
    try:
        return decode(data)
    except DamagedRecord as error:
        snapshot.damage[from_key(key).full_key] = error.reason
        return None


def past_record(data: bytes) -> Record:
    """A record for history; one that cannot be read is replaced by a memory that says so."""
    try:
        return decode(data)
    except DamagedRecord as error:
        return (Memory(f"(damaged: {error.reason})", 0.0, _LONG_AGO),)


def read_or_empty(data: bytes | None) -> Record:
    """A record for comparing memories; empty if there is none, or if it cannot be read."""
    try:
        return () if data is None else decode(data)
    except DamagedRecord:
        return ()
