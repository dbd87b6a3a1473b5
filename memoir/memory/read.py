"""Reads a snapshot: its namespaces, their paths, and records by address, from one store or from two.

Errors suggest the nearest path that exists.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from memoir.errors import InvalidInput, NotFound
from memoir.records.record import DamagedRecord, Record, decode
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import (
    DEFAULT_NAMESPACE,
    INBOX,
    LAYERS_NAMESPACE,
    MAX_SEGMENTS,
    RAW_SUFFIX,
    SOURCES,
    Address,
    address,
    check_namespace,
    common_prefix,
    from_key,
    matcher,
)
from memoir.tree.tree import LAST


def addresses(keys_: Sequence[str], namespace: str) -> list[Address]:
    """The addresses of the keys, each once."""
    return in_namespace(list(dict.fromkeys(address(key, namespace) for key in keys_)), namespace)


def in_namespace(addresses: list[Address], namespace: str) -> list[Address]:
    """Return the addresses; refuse them if `-n` names a namespace that none of them is in."""
    if addresses and namespace != DEFAULT_NAMESPACE and all(address.namespace != namespace for address in addresses):
        key = addresses[0].full_key
        raise InvalidInput(f"{key} names a namespace, and -n names {namespace!r}", "leave out one of them")
    return addresses


def count_below(snapshot: Snapshot, address: Address) -> int:
    """How many paths are below a path: O(log n)."""
    return snapshot.tree.count(*key_range(address.namespace, address.path + "."))


def key_range(namespace: str, prefix: str = "") -> tuple[bytes, bytes]:
    """The range of keys in a namespace that begin with a prefix: low <= key < high."""
    low = f"{namespace}={prefix}".encode(errors="replace")  # no key begins with invalid Unicode
    return low, low + LAST


def namespaces(snapshot: Snapshot) -> dict[str, int]:
    """Every namespace with the number of its paths, sorted: O(namespaces * log n)."""
    counts: dict[str, int] = {}
    key = snapshot.tree.first(b"")
    while key is not None:
        name = key.partition(b"=")[0]
        after = name + b">"  # '>' follows '=', so this is the end of the namespace's range
        counts[name.decode(errors="replace")] = snapshot.tree.count(name + b"=", after)
        key = snapshot.tree.first(after)
    return counts


def select_namespaces(snapshot: Snapshot, selection: Sequence[str]) -> dict[str, int]:
    """The selected namespaces with their numbers of paths, maybe 0; without a selection all but `memoir:layers`."""
    if not selection:
        return {name: count for name, count in namespaces(snapshot).items() if name != LAYERS_NAMESPACE}
    require_namespaces(selection, snapshot)
    return {name: snapshot.tree.count(*key_range(name)) for name in sorted(set(selection), key=lambda name: name + "=")}


def require_namespaces(selection: Sequence[str], *snapshots: Snapshot) -> None:
    """Check that at least one of the selected namespaces exists in any of the snapshots.

    Raises:
        InvalidInput: a name is malformed. NotFound: none exists; the default namespace always does.
    """
    names = [check_namespace(name) for name in selection]
    if names and not any(_has_namespace(snapshot, name) for name in names for snapshot in snapshots):
        raise no_namespaces(names, *snapshots)


def no_namespaces(names: Sequence[str], *snapshots: Snapshot) -> NotFound:
    """The error for missing namespaces; the hint names the nearest, or for a number the option that takes numbers."""
    listing = ", ".join(map(repr, names))
    message = f"no namespace {listing}" if len(names) == 1 else f"none of the namespaces {listing} exists"
    return NotFound(message, _namespace_hint(names[0], *snapshots))


def _namespace_hint(name: str, *snapshots: Snapshot) -> str:
    from difflib import get_close_matches

    if name.isdigit():
        return f"-n names a namespace; for a number of entries: -l {name} (with grep: -m {name})"
    names = {other for snapshot in snapshots for other in namespaces(snapshot)}
    close = get_close_matches(name, sorted(names), 1)
    return f"did you mean {close[0]!r}?" if close else "'memoir summarize' lists the namespaces"


def _has_namespace(snapshot: Snapshot, name: str) -> bool:
    """Whether a namespace has memories or sources; the default one always exists."""
    return name == DEFAULT_NAMESPACE or any(snapshot.tree.count(*key_range(each)) for each in (name, name + RAW_SUFFIX))


def keys(
    snapshot: Snapshot,
    names: Iterable[str],
    globs: Sequence[str] = (),
    prefix: str | None = None,
    after: Address | None = None,
) -> Iterator[Address]:
    """The addresses in the namespaces whose paths match any glob and are at or under a prefix, sorted.

    With `after`, only those that sort after it.
    """
    matches = matcher(globs)
    start = prefix if prefix is not None else common_prefix(globs)
    for name in sorted(names, key=lambda name: name + "="):
        low, high = key_range(name, start)
        low = max(low, after.key + b"\0") if after else low
        top = Address(name, prefix or "")
        for key, _ in snapshot.tree.scan(low, high):
            address = from_key(key)
            if matches(address.path) and (not prefix or address.is_under(top)):
                yield address


def require_prefix(snapshot: Snapshot, names: Sequence[str], prefix: str) -> None:
    """Check that one of the namespaces has a path at or under a prefix."""
    addresses = [Address(name, prefix) for name in names]
    if not any(count_below(snapshot, address) for address in addresses) and not snapshot.tree.get(
        p.key for p in addresses
    ):
        hints = (_nearest_hint(snapshot, address, prefix=True) for address in addresses[:_MOST_NAMESPACES])
        absent = [each for each in addresses if each.namespace == DEFAULT_NAMESPACE] or addresses
        raise NotFound(
            f"no memory at or under {prefix}",
            next(filter(None, hints), LISTING),
            keys=[address.full_key for address in absent],
        )


def near_miss(snapshot: Snapshot, address: Address, *, prefixed: bool = False, past: bool = True) -> str:
    """A hint for an empty path: the missing namespace, the paths below it, a similar path; with `past` the history."""
    if not _has_namespace(snapshot, address.namespace):
        return f"no namespace {address.namespace!r}: {_namespace_hint(address.namespace, snapshot)}"
    if count := count_below(snapshot, address):
        below = "1 path is below it" if count == 1 else f"{count:,} paths are below it"
        key = address.path if address.namespace == DEFAULT_NAMESPACE else address.full_key
        return below + ("; --prefix includes what is below" if prefixed else f": 'memoir ls {key}'")
    if meant := segment_named(snapshot, address) or _in_another_namespace(snapshot, address):
        return f"did you mean {meant.short_key!r}?"
    return (
        _source_hint(snapshot, address)
        or segments_beside(snapshot, address)
        or _nearest_hint(snapshot, address)
        or _nearest_hint(snapshot, address, prefix=True)
        or LISTING + (f"; 'memoir blame {address.short_key}' tells if this one was forgotten" if past else "")
    )


def segment_named(snapshot: Snapshot, address: Address) -> Address | None:
    """The segment of a source that is named without its layer; None if there is none, or the path holds a memory."""
    segment = Address(address.namespace + RAW_SUFFIX, address.path)
    held = snapshot.tree.get([address.key, segment.key])
    return segment if segment.key in held and address.key not in held else None


def _in_another_namespace(snapshot: Snapshot, address: Address) -> Address | None:
    """The first memory at the same path of another namespace; None if there is none."""
    others = [Address(name, address.path) for name in namespaces(snapshot)]
    held = snapshot.tree.get(each.key for each in others)
    return next((each for each in others if each.key in held), None)


def _source_hint(snapshot: Snapshot, address: Address) -> str | None:
    """A hint for a path that is the name of a source."""
    name = address.path.removeprefix(f"{SOURCES}.")
    segments = Address(address.namespace + RAW_SUFFIX, f"{SOURCES}.{name}")
    if "." in name or not count_below(snapshot, segments):
        return None
    where = "" if address.namespace == DEFAULT_NAMESPACE else f" -n {address.namespace}"
    return (
        f"it is a source: 'memoir ls {segments.full_key}' lists its segments, "
        f"'memoir sources --remove {name}{where}' forgets it"
    )


def segments_beside(snapshot: Snapshot, address: Address) -> str | None:
    """A hint for a missing segment: the first and the last segment of its source."""
    parent, _, number = address.path.rpartition(".")
    layer = address.namespace.removesuffix(RAW_SUFFIX) + RAW_SUFFIX
    if not parent or not number.isdigit():
        return None
    segments = list(keys(snapshot, [layer], prefix=parent))
    if not segments:
        return None
    first, last = (each.path.rpartition(".")[2] for each in (segments[0], segments[-1]))
    return (
        f"{parent} has the segments {first} to {last}" if first != last else f"{parent} has the segment {first} alone"
    )


def glob_hint(snapshot: Snapshot, key: str, namespace: str) -> str:
    """A hint for a glob without matches: the same glob in the layer of sources, if it matches there."""
    name, _, glob = key.rpartition(":")
    layer = (name or namespace) + RAW_SUFFIX
    return f"did you mean '{layer}:{glob}'?" if next(keys(snapshot, [layer], [glob]), None) else LISTING


def _nearest_hint(snapshot: Snapshot, address: Address, *, prefix: bool = False) -> str | None:
    """A hint with the stored path (or prefix) most similar to a mistyped one, among those that begin like it.

    Otherwise one that ends like it. Names in the inbox are digests, so they must be nearly the same.
    """
    from difflib import get_close_matches

    depth = address.path.count(".") + 1 if prefix else MAX_SEGMENTS
    first, _, last = address.path.rpartition(".")
    inbox = Address(address.namespace, INBOX)
    compared = set[str]()
    for start in (first, address.path.partition(".")[0], address.path[:1], ""):
        entries = islice(snapshot.tree.scan(*key_range(address.namespace, start)), 2000)
        found = dict.fromkeys(".".join(from_key(key).path.split(".")[:depth]) for key, _ in entries)
        paths = [path for path in found if path not in compared]
        compared.update(paths)
        close = get_close_matches(address.path, paths, 1, 0.9 if address.is_under(inbox) else 0.7)
        if close := close or [path for path in paths if path.endswith(f".{last}")]:
            return f"did you mean {Address(address.namespace, close[0]).short_key!r}?"
    return None


LISTING = "'memoir ls' lists all paths"
_MOST_NAMESPACES = 20
"""The most namespaces searched for a mistyped prefix."""


def under_prefix(snapshot: Snapshot, prefix: Address) -> list[Address]:
    """Every address at or under a prefix."""
    addresses = list(keys(snapshot, [prefix.namespace], prefix=prefix.path))
    if not addresses:
        require_namespaces([prefix.namespace], snapshot)
        hint = _nearest_hint(snapshot, prefix, prefix=True) or LISTING
        raise NotFound(f"no memory at or under {prefix.full_key}", hint, keys=[prefix.full_key])
    return addresses


T = TypeVar("T")


def get(snapshot: Snapshot, addresses: Sequence[Address], *, listed: bool = False) -> dict[Address, Record | None]:
    """The records at the addresses in the same order, None where there is none; with `listed`, without damaged ones."""
    values = _read_values(snapshot, addresses)
    by_address = _decode(snapshot, values, listed=listed)
    return {address: by_address.get(address) for address in addresses if address in by_address or address not in values}


def records(snapshot: Snapshot, addresses: Iterable[Address], *, listed: bool = False) -> dict[Address, Record]:
    """The records at the addresses, in the same order, without empty addresses.

    With `listed`, records that cannot be read are left out and noted in the snapshot's `damage`.
    """
    return _decode(snapshot, _read_values(snapshot, addresses), listed=listed)


def scan(snapshot: Snapshot, names: Iterable[str], globs: Sequence[str] = ()) -> Iterator[tuple[Address, Record]]:
    """The records of the namespaces whose paths match any glob, in key order; damaged ones are noted."""
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
    """The stored bytes at the addresses; `prefixed` says whether the caller has an option `--prefix`.

    Raises:
        NotFound: some addresses hold nothing; the error names them all, the hint a path near the first.
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
    """Read from the project's store and the user's; None for a store that lacks what is asked for.

    Without a revision, or at a date, both are read. Any other revision is read in the project's store if it is there,
    else in the user's.

    Raises:
        NotFound: neither store has it; the error is that of the project's store.
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
