"""Reading memories: by address, under a prefix, by content."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from memoir.errors import NotFound
from memoir.memory.record import Record, decode
from memoir.store.snapshot import Snapshot
from memoir.store.tree import LAST
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import Address, check_namespace, from_key


class Item(NamedTuple):
    """What was asked for and the record there, or None."""

    address: Address
    record: Record | None


def get(snapshot: Snapshot, addresses: Sequence[Address]) -> list[Item]:
    """The records at the given addresses, in the order asked."""
    found = snapshot.read([address.key for address in addresses])
    return [Item(a, decode(found[a.key]) if a.key in found else None) for a in addresses]


def key_range(namespace: str, prefix: str = "") -> tuple[bytes, bytes]:
    """The range of keys that begin with a namespace and a text: low <= key < high."""
    low = f"{namespace}={prefix}".encode(errors="replace")  # what is not Unicode begins no key
    return low, low + LAST


def namespaces(snapshot: Snapshot) -> dict[str, int]:
    """Every namespace with the number of its paths, sorted: O(namespaces * log n)."""
    counts: dict[str, int] = {}
    key = snapshot.tree.first(b"")
    while key is not None:
        name = key.partition(b"=")[0]
        after = name + b">"  # '>' follows '=', so this is the end of the namespace's range
        counts[name.decode()] = snapshot.tree.count(name + b"=", after)
        key = snapshot.tree.first(after)
    return counts


def chosen_namespaces(snapshot: Snapshot, wanted: Sequence[str]) -> dict[str, int]:
    """The namespaces asked for, with their counts (0 where nothing is stored); all if none is named."""
    if not wanted:
        return namespaces(snapshot)
    names = sorted({check_namespace(name) for name in wanted}, key=lambda name: name + "=")
    return {name: snapshot.tree.count(*key_range(name)) for name in names}


def keys(
    snapshot: Snapshot,
    names: Iterable[str],
    globs: Sequence[str] = (),
    prefix: str | None = None,
    after: Address | None = None,
) -> Iterator[Address]:
    """The addresses in some namespaces whose paths match any glob and lie at or under a prefix, sorted.

    With `after`, only those that sort behind it.
    """
    matches = matcher(globs)
    start = prefix if prefix is not None else common_prefix(globs)
    for name in sorted(names, key=lambda name: name + "="):
        low, high = key_range(name, start)
        low = max(low, after.key + b"\0") if after else low
        for key, _ in snapshot.tree.scan(low, high):
            address = from_key(key)
            if matches(address.path) and (prefix is None or _under(address.path, prefix)):
                yield address


def _under(path: str, prefix: str) -> bool:
    return not prefix or path == prefix or path.startswith(prefix + ".")


def require(snapshot: Snapshot, places: Sequence[Address]) -> dict[Address, bytes]:
    """The stored bytes at all the given addresses.

    Raises:
        NotFound: naming those that hold nothing, with the nearest path as a hint.
    """
    found = snapshot.read([place.key for place in places])
    if missing := [place for place in places if place.key not in found]:
        names = ", ".join(place.full_key for place in missing)
        raise NotFound(
            f"no memory at {names}", near_miss(snapshot, missing[0]), keys=[place.full_key for place in missing]
        )
    return {place: found[place.key] for place in places}


def near_miss(snapshot: Snapshot, place: Address) -> str:
    """A hint naming the stored path most like a mistyped one, among those that begin like it."""
    from difflib import get_close_matches

    if snapshot.tree.count(*key_range(place.namespace, place.path + ".")):
        return f"there are memories under it: 'memoir ls {place.path}'; --prefix means them all where it is taken"
    for prefix in (place.path.rpartition(".")[0], place.path.partition(".")[0], place.path[:1], ""):
        keys = islice(snapshot.tree.scan(*key_range(place.namespace, prefix)), 2000)
        close = get_close_matches(place.path, [from_key(key).path for key, _ in keys], 1, 0.7)
        if close:
            return f"did you mean {close[0]!r}?"
    return "'memoir ls' lists what there is"


def under_prefix(snapshot: Snapshot, prefix: Address) -> list[Address]:
    """Every address at or under a prefix.

    Raises:
        NotFound: there is none.
    """
    found = list(keys(snapshot, [prefix.namespace], prefix=prefix.path))
    if not found:
        raise NotFound(f"no memory at or under {prefix.full_key}", near_miss(snapshot, prefix), keys=[prefix.full_key])
    return found
