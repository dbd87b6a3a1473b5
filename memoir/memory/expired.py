"""Which paths of a list hold only memories that have expired, or memories that somebody vouches for."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice

from memoir.records.damage import readable
from memoir.records.expiry import has_expired
from memoir.records.metadata import EXPIRES
from memoir.records.origins import check_origin, origins_of
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address
from memoir.times import now

_BATCH = 500
_MENTION = f'"{EXPIRES}"'.encode()
"""How the field looks in the canonical bytes of a record; a memory's text may look so too."""


class ExpiryMarks:
    """Tells of addresses, as they are listed, whether everything there has expired; reads a batch ahead."""

    def __init__(self, snapshot: Snapshot, addresses: Iterable[Address], when: datetime) -> None:
        self._snapshot = snapshot
        self._addresses = iter(addresses)
        self._when = when
        self._expired: set[Address] = set()

    def addresses(self, *, expired_only: bool = False, origins: Collection[str] = ()) -> Iterator[Address]:
        """The addresses in their order; or only those of which `is_expired` is true, or that one of some vouches for.

        Raises:
            InvalidInput: there is no such origin.
        """
        wanted = frozenset(map(check_origin, origins))
        while batch := list(islice(self._addresses, _BATCH)):
            values = self._snapshot.read([address.key for address in batch])
            self._expired = {address for address in batch if self._has_expired(address, values.get(address.key, b""))}
            batch = [each for each in batch if not expired_only or each in self._expired]
            yield from (each for each in batch if not wanted or self._is_vouched_for(each, values, wanted))

    def is_expired(self, address: Address) -> bool:
        """Whether all that is active at an address has expired; ask before the next address is listed."""
        return address in self._expired

    def _is_vouched_for(self, address: Address, values: Mapping[bytes, bytes], wanted: Collection[str]) -> bool:
        record = readable(self._snapshot, address.key, values.get(address.key, b"")) or ()
        return any(each in wanted for memory in record if memory.active for each in origins_of(memory.metadata))

    def _has_expired(self, address: Address, value: bytes) -> bool:
        record = readable(self._snapshot, address.key, value) if _MENTION in value else None
        return record is not None and all_expired(record, self._when)


def all_expired(record: Record, when: datetime) -> bool:
    """Whether all active memories of a record have expired at a time."""
    active = [memory for memory in record if memory.active]
    return bool(active) and all(has_expired(memory.metadata, when) for memory in active)


def time_of(snapshot: Snapshot | None) -> datetime:
    """Return the time at which a snapshot was made; without one, or of an empty one, now."""
    commit = snapshot.commit if snapshot else None
    return datetime.fromtimestamp(commit.committer.time, UTC) if commit else now()
