"""Addresses of single memories among several at a path: ids, finding a memory by its id, and reading keys.

Ids are not stored. A memory's id is a digest of its words and its time, which also identify it in merges: moving,
pinning, confirming or merging the memory keeps the id, and an edit changes it. Memories of one path with the same words
and time get a digest of all their fields, so that an id never comes to mean another memory when one of them goes;
entirely equal memories are numbered.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from memoir.errors import InvalidInput, NotFound
from memoir.git.objects import sha1
from memoir.memory import read
from memoir.memory.read import count_below, in_namespace
from memoir.records.record import Memory, Record, encode, name_of
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import (
    ID_DIGITS,
    MARK,
    SHORTENED,
    SOURCES,
    Address,
    MemoryAddress,
    check_namespace,
    is_glob,
    matcher,
    memory_address,
)

_MOST_NAMED = 5
_LONGEST_NAMED = 40
"""The memories, and the characters of each, that an error names."""


class PathRecord(NamedTuple):
    """An address and the record there."""

    address: Address
    """The address."""
    record: Record | None
    """The record; None if there is none."""
    below: int | None = None
    """The number of paths below the address; None if there is a record."""
    store: str = "project"
    """The store that has the record: `project` or `user`."""
    stale: bool | None = None
    """Whether the insight there is out of date; None if it is no insight."""
    id: str = ""
    """The id of the one memory that was asked for, which the record then holds alone; empty if none was."""

    @property
    def target(self) -> MemoryAddress:
        """The address, with the id if one was asked for."""
        return MemoryAddress(self.address, self.id)


def ids_of(record: Record) -> list[str]:
    """The ids of a record's memories, in their order."""
    seen = Counter(map(name_of, record))
    ids: dict[str, Memory] = {}
    repeats: Counter[bytes] = Counter()
    for memory in record:
        content, timestamp = name = name_of(memory)
        text = f"{timestamp}\n{content}".encode() if seen[name] == 1 else encode((memory,))
        while (identity := sha1(b"%d\n%b" % (repeats[text], text)).hex()[:ID_DIGITS]) in ids:
            repeats[text] += 1
        repeats[text] += 1
        ids[identity] = memory
    return list(ids)


def active_positions(record: Record) -> list[int]:
    """The indexes of the active memories of a record; if none is active, that of the last one."""
    return [at for at, memory in enumerate(record) if memory.active] or [len(record) - 1]


def with_ids(record: Record) -> list[tuple[str, Memory]]:
    """The active memories of a record with their ids; the id of a single one is empty."""
    positions = active_positions(record)
    ids = ids_of(record) if len(positions) > 1 else [""] * len(record)
    return [(ids[at], record[at]) for at in positions]


def id_at(record: Record, at: int) -> str:
    """The id of the memory at an index of a record; empty if no other is active."""
    return "" if active_positions(record) == [at % len(record)] else ids_of(record)[at]


def find(record: Record, target: MemoryAddress) -> int:
    """The index of the memory whose id begins like that of the target.

    Raises:
        NotFound: the record has no such memory. InvalidInput: several ids begin like that; the hint names them.
    """
    ids = ids_of(record)
    positions = [at for at, identity in enumerate(ids) if identity.startswith(target.id)]
    if not positions:
        raise NotFound(f"no memory {target.short_key}", _name_ids(record, target), keys=[target.full_key])
    if len(positions) > 1:
        message = f"{target.short_key} could be any of {len(positions)} memories"
        raise InvalidInput(message, f"write more of the id: {_name_all(record, positions)}")
    return positions[0]


def require_record(snapshot: Snapshot, target: MemoryAddress, *, prefixed: bool = False) -> Record:
    """The record at an address; with an id, only that memory. See `memoir.memory.read.require_record`."""
    record = read.require_record(snapshot, target.place, prefixed=prefixed)
    if not target.id:
        return record
    return (_passage(snapshot, record, target) or record[find(record, target)],)


def _passage(snapshot: Snapshot, record: Record, target: MemoryAddress) -> Memory | None:
    """The passages of a segment that an id names, as one memory; None if it names none."""
    if not target.names_passage:  # spare most reads the imports
        return None
    from memoir.memory.layer_namespaces import source_layers
    from memoir.memory.neighbours import say_where_it_goes_on
    from memoir.memory.passages import find_passages

    found = find_passages(record, target) if source_layers(snapshot, [target.namespace]) else None
    return say_where_it_goes_on(snapshot, target, record, found) if found else None


def near_miss(snapshot: Snapshot, target: MemoryAddress) -> str:
    """A hint for an address that holds nothing: the ids at its path, else the nearest path."""
    record = read.records(snapshot, [target.place], listed=True).get(target.place) if target.id else None
    if record:
        return _name_ids(record, target)
    return read.near_miss(snapshot, target.place, prefixed=True)


def _name_ids(record: Record, target: MemoryAddress) -> str:
    """The ids of the memories or passages at a path, for a hint."""
    if not target.names_passage:
        return _name_all(record, active_positions(record))
    from memoir.memory.neighbours import passages_there

    return passages_there(target, record)


def _name_all(record: Record, positions: Sequence[int]) -> str:
    """The ids of the memories at the given indexes and how each memory begins, for a hint."""
    from memoir.memory.write_options import shorten

    ids = ids_of(record)
    words = {at: " ".join(record[at].content[: 4 * _LONGEST_NAMED].split()) for at in positions[:_MOST_NAMED]}
    names = [f'{MARK}{ids[at]} "{shorten(text, _LONGEST_NAMED)}"' for at, text in words.items()]
    rest = [f"and {len(positions) - _MOST_NAMED:,} more"] if len(positions) > _MOST_NAMED else []
    return ", ".join([*names, *rest])


def locate(record: Record, targets: Iterable[MemoryAddress]) -> dict[MemoryAddress, int]:
    """The indexes of the memories that the targets name, by their addresses with whole ids."""
    ids, targets = ids_of(record), list(targets)
    refuse_passages(targets)
    positions = [(target, find(record, target)) for target in targets]
    return {target._replace(id=ids[at]): at for target, at in positions}


def refuse_passages(targets: Iterable[MemoryAddress]) -> None:
    """Refuse passages: they cannot be changed, only their segment can."""
    if passage := next((target for target in targets if target.names_passage), None):
        hint = f"name all of its segment: {passage.place.short_key}; 'memoir sources' lists the sources"
        raise InvalidInput(f"a passage has no record of its own: {passage.short_key}", hint)


def memory_addresses(at: Callable[[], Snapshot], keys_: Sequence[str], namespace: str) -> list[MemoryAddress]:
    """The addresses of the keys, each once; see `address_of`."""
    return _in_namespace((address_of(at, key, namespace) for key in keys_), namespace)


def expand(snapshot: Snapshot, keys_: Sequence[str], namespace: str, *, prefix: bool = False) -> list[MemoryAddress]:
    """The addresses that the keys name, each once: a path, one memory of it, or all paths that match a glob.

    With `prefix`, all addresses at or under each key. A glob or prefix that matches nothing is returned as it is.
    """
    each = (target for key in keys_ for target in _expand(snapshot, key, namespace, prefix=prefix))
    return _in_namespace(each, namespace)


def address_of(at: Callable[[], Snapshot], key: str, namespace: str) -> MemoryAddress:
    """The address that a key names, in any form that memoir prints; all commands and tools read keys with this.

    The forms are `path`, `namespace:path`, `KEY#id`, and the end of a passage's address, `~0017#p2`, as recall prints
    it below the name of a source. `~0017` is the whole segment, and so is `sources.talk.0017` without its layer. Only
    keys of sources read the snapshot, which `at` returns.
    """
    target = None if key.startswith(SHORTENED) else memory_address(key, namespace)
    if target and (target.id or not target.path.startswith(f"{SOURCES}.")) and not target.names_passage:
        return target
    from memoir.memory.neighbours import shortened, whole

    return whole(at(), target) if target else shortened(at(), key, namespace)


def _in_namespace(all_targets: Iterable[MemoryAddress], namespace: str) -> list[MemoryAddress]:
    once = list(dict.fromkeys(all_targets))
    in_namespace([target.place for target in once], namespace)
    return once


def _expand(snapshot: Snapshot, key: str, namespace: str, *, prefix: bool) -> Iterable[MemoryAddress]:
    name, _, path = key.rpartition(":")
    if is_glob(path):
        if not path.isprintable():
            raise InvalidInput(f"not a glob: {path!r}", "a glob has no control characters")
        address = Address(check_namespace(name or namespace), path)
        matches = list(read.keys(snapshot, [address.namespace], [path]))
        return map(MemoryAddress, matches or [address])
    target = address_of(lambda: snapshot, key, namespace)
    if not prefix:
        return [target]
    if target.id:
        raise InvalidInput(f"{key} names one memory, but --prefix is for many", "leave out one of them")
    return map(MemoryAddress, list(read.keys(snapshot, [target.namespace], prefix=target.path)) or [target.place])


def split(record: Record, targets: Iterable[MemoryAddress]) -> tuple[Record, Record, tuple[MemoryAddress, ...]]:
    """Split a record into the memories that the targets name, the others, and the targets with whole ids.

    Superseded memories go with the last active one: otherwise they would look current.
    """
    positions = locate(record, targets)
    taken = frozenset(positions.values())
    if taken.issuperset(active_positions(record)):
        return record, (), tuple(positions)
    chosen, rest = ([memory for at, memory in enumerate(record) if (at in taken) is it] for it in (True, False))
    return tuple(chosen), tuple(rest), tuple(positions)


def has_whole(targets: Iterable[MemoryAddress]) -> bool:
    """Whether an address among them names a whole record."""
    return any(not target.id for target in targets)


def by_place(targets: Iterable[MemoryAddress]) -> dict[Address, list[MemoryAddress]]:
    """Group addresses by path, in order."""
    groups: dict[Address, list[MemoryAddress]] = {}
    for target in targets:
        groups.setdefault(target.place, []).append(target)
    return groups


def get(
    snapshot: Snapshot, targets: Collection[MemoryAddress], *, listed: bool = False
) -> dict[MemoryAddress, PathRecord]:
    """The records at the addresses, in the same order; with `listed`, damaged records are left out."""
    records = read.get(snapshot, list(by_place(targets)), listed=listed)
    return {target: _pick(snapshot, records[target.place], target) for target in targets if target.place in records}


def _pick(snapshot: Snapshot, record: Record | None, target: MemoryAddress) -> PathRecord:
    """The record at a path, or only the memory that the address names."""
    if record and not target.id:
        return PathRecord(target.place, record)
    if record and (passage := _passage(snapshot, record, target)):
        return PathRecord(target.place, (passage,), id=target.id)
    try:
        if record:
            at = find(record, target)
            return PathRecord(target.place, (record[at],), id=ids_of(record)[at])
    except NotFound:
        pass
    return PathRecord(target.place, None, count_below(snapshot, target.place), id=target.id)


def get_from_both(
    mine: Callable[[], dict[MemoryAddress, PathRecord]],
    theirs: Callable[[], dict[MemoryAddress, PathRecord]],
    at: str | None,
    *,
    prefix: bool,
) -> list[PathRecord]:
    """The records of the project's store, or of the user's where the project has none; see `read.read_both`.

    A glob, or a key with `prefix`, that matches in one store is not reported missing for the other.
    """
    first, second = read.read_both(mine, theirs, at)
    entries = {**(first or {})}
    for target, entry in (second or {}).items():
        other = entries.get(target)
        if other is None or (other.record is None and entry.record is not None):
            entries[target] = entry._replace(store="user" if entry.record is not None else "project")
    found = [target.place for target, entry in entries.items() if entry.record is not None]
    return [
        entry
        for target, entry in entries.items()
        if entry.record is not None or not _holds_any(target.place, found, prefix=prefix)
    ]


def _holds_any(key: Address, found: Sequence[Address], *, prefix: bool) -> bool:
    """Whether a glob matches any found address, or a prefix has one below it."""
    if is_glob(key.path):
        matches = matcher([key.path])
        return any(key.namespace == each.namespace and matches(each.path) for each in found)
    return prefix and any(each.is_under(key) for each in found)
