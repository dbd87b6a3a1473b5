"""Reading memories by address, from one store or from two.

Errors suggest the nearest path that exists.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from memoir.errors import NotFound
from memoir.memory.keys import key_range, near_miss
from memoir.records.record import DamagedRecord, Record, decode
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, common_prefix, from_key, matcher

T = TypeVar("T")


def get(snapshot: Snapshot, addresses: Sequence[Address], *, listed: bool = False) -> dict[Address, Record | None]:
    """The records at the given addresses, in the same order, or None; with `listed`, damaged ones are left out."""
    values = _read_values(snapshot, addresses)
    by_address = _decode(snapshot, values, listed=listed)
    return {address: by_address.get(address) for address in addresses if address in by_address or address not in values}


def records(snapshot: Snapshot, addresses: Iterable[Address], *, listed: bool = False) -> dict[Address, Record]:
    """The records at the given addresses, in the same order; addresses that hold none are left out.

    With `listed`, records that cannot be read are left out and noted in the snapshot's `damage`.
    """
    return _decode(snapshot, _read_values(snapshot, addresses), listed=listed)


def scan(snapshot: Snapshot, names: Iterable[str], globs: Sequence[str] = ()) -> Iterator[tuple[Address, Record]]:
    """The records of some namespaces whose paths match any glob, in the order of their keys; damaged ones are noted."""
    from memoir.records.damage import readable

    matches = matcher(globs)
    for name in sorted(names, key=lambda name: name + "="):
        for key, value in snapshot.scan(*key_range(name, common_prefix(globs))):
            address = from_key(key)
            if matches(address.path) and (record := readable(snapshot, key, value)):
                yield address, record


def require_record(snapshot: Snapshot, address: Address, *, prefixed: bool = False) -> Record:
    """The record at an address; `prefixed` says whether the caller has an option `--prefix`."""
    return _decode(snapshot, require(snapshot, [address], prefixed=prefixed), listed=False)[address]


def _read_values(snapshot: Snapshot, addresses: Iterable[Address]) -> dict[Address, bytes]:
    keys = {address: address.key for address in addresses}
    values = snapshot.read(list(keys.values()))
    return {address: values[key] for address, key in keys.items() if key in values}


def _decode(snapshot: Snapshot, values: dict[Address, bytes], *, listed: bool) -> dict[Address, Record]:
    try:
        return {address: decode(value) for address, value in values.items()}
    except DamagedRecord:
        from memoir.records.damage import readable, require_readable

        if not listed:
            require_readable(values.items())
        maybe = {address: readable(snapshot, address.key, value) for address, value in values.items()}
        return {address: record for address, record in maybe.items() if record is not None}


def require(snapshot: Snapshot, addresses: Sequence[Address], *, prefixed: bool = False) -> dict[Address, bytes]:
    """The stored bytes at the given addresses; `prefixed` says whether the caller has an option `--prefix`.

    Raises:
        NotFound: some hold nothing; all of these are named, and the hint is the nearest path.
    """
    values = _read_values(snapshot, addresses)
    if absent := [address for address in addresses if address not in values]:
        names = ", ".join(address.full_key for address in absent)
        raise NotFound(
            f"no memory at {names}",
            near_miss(snapshot, absent[0], prefixed=prefixed),
            keys=[address.full_key for address in absent],
        )
    return values


def read_both(project: Callable[[], T], user: Callable[[], T], at: str | None) -> tuple[T | None, T | None]:
    """Read from the project's store and from the user's; None for one that lacks what is asked for.

    Without a revision, or at a date, both are read. Any other revision is that of the store that has it.

    Raises:
        NotFound: neither has it; the project's store says what.
    """
    from memoir.times import looks_like_date

    absence: NotFound | None = None
    mine = theirs = None
    try:
        mine = project()
    except NotFound as error:
        absence = error
    if absence is None and at is not None and not looks_like_date(at):
        return mine, None
    try:
        theirs = user()
    except NotFound:
        if absence:
            raise absence from None
    return mine, theirs
