"""The memories that every session begins with: pinned ones, and rules and preferences that somebody remembered.

The user's cache keeps their paths and the number of memories of each namespace, by the root of the snapshot, so that
only later changes are read. A sentence of an ingested source is not a rule of the user, whatever path it is filed at.

A memory is pinned if its metadata has `"pinned": true`, exactly JSON's true.

News are the last changes of a branch, by its commits and never by the clock.
"""

import os
import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import orjson

from memoir import user_folders
from memoir.errors import DamagedStore, InvalidInput
from memoir.git.objects import Oid, blake2b
from memoir.memory import read
from memoir.memory.active import Facet, facets
from memoir.memory.facets import active_positions, by_place, has_whole, locate
from memoir.memory.read import key_range, namespaces, require
from memoir.memory.speaker import is_captured, source_of_item
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message, first_few
from memoir.records.damage import read_record, readable
from memoir.records.metadata import CONFIRMATION, PIN
from memoir.records.origins import DOCUMENT, IMPORT, best_of, origins_of
from memoir.records.record import Memory, Record, encode, without
from memoir.store.commit import BULK, Commit
from memoir.store.history import clear_changes
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.walk import first_parents
from memoir.taxonomy.kinds import DIRECTIVE, ITEM_KIND, PREFERENCE
from memoir.taxonomy.paths import MEMOIR_NAMESPACES, Address, MemoryAddress, from_key
from memoir.tree.tree import LAST, diff

if TYPE_CHECKING:
    from memoir.memory.write import WriteResult

RULES = ("directives", "rules", "workflow", "preferences", "communication.style")
"""The prefixes of the paths of standing rules and preferences."""

_ORDERS = ("directives", "rules")
_PREFIXES = tuple(first.encode() for first in RULES)
_BEGINNINGS = tuple(f"{first}." for first in RULES)
_RULE_KINDS = (DIRECTIVE, PREFERENCE)
_MARKS = (b'"pinned":true', *(b'"%s":"%s"' % (ITEM_KIND.encode(), kind.encode()) for kind in _RULE_KINDS))
"""Pins and rule kinds in the canonical bytes of a record; a memory's text may contain these bytes as well."""
_MOST_ROOTS = 4
"""How many snapshots are cached for a store, such as those of its branches."""
_PIN = "!"
"""The weight of a pin; the weights of rules are digits. The smallest weight comes first."""
_END_OF_TIME = 10**15
"""A number of milliseconds since 1970 that no timestamp reaches."""

_ACTIVE = re.compile(rb'"timestamp":"[^"]*","status":"active"')
"""An active memory in the canonical bytes of a record, whose fields are sorted."""

_Paths = dict[str, str]
"""The keys of pins and rules, each with its smallest weight."""


class _Known(NamedTuple):
    """The pins and rules of a snapshot, and the number of active memories in each namespace."""

    paths: _Paths
    counts: Counter[str]


class Standing(NamedTuple):
    """The memories that sessions begin with.

    `pins` are the sorted addresses of pinned memories, `rules` those of rules, the weightiest first, and `counts` the
    numbers of active memories by namespace. If not all memories were read, it is not `complete`, and `counts` is empty.
    """

    pins: tuple[Address, ...]
    rules: tuple[Address, ...] = ()
    complete: bool = True
    counts: Mapping[str, int] = {}

    def memories(self, namespaces: Iterable[str]) -> int | None:
        """How many active memories some namespaces have; None if not all memories were read."""
        return sum(self.counts.get(name, 0) for name in namespaces) if self.complete else None


def is_pinned(memory: Memory) -> bool:
    """Whether a memory is active and pinned."""
    return memory.active and memory.metadata.get(PIN) is True


def is_rule(address: Address, memory: Memory) -> bool:
    """Whether a memory is a rule or preference of the user, or an imported one; never one from a document."""
    is_own = CONFIRMATION in memory.metadata or source_of_item(memory.metadata) is None
    is_own = is_own and origins_of(memory.metadata) != (DOCUMENT,)
    is_kind = memory.metadata.get(ITEM_KIND) in _RULE_KINDS or f"{address.path}.".startswith(_BEGINNINGS)
    return memory.active and is_own and is_kind


def find(store: Store, snapshot: Snapshot, *, seconds: float | None = None) -> Standing:
    """The pins and rules of a snapshot, from those cached for another snapshot and the differences.

    With `seconds`, the search stops after that time, and the answer may be incomplete.
    """
    if snapshot.tree.root is None:
        return Standing(())
    by_root = _load(store)
    root = snapshot.tree.root.hex()
    complete = True
    if (known := by_root.get(root)) is None:
        until = None if seconds is None else time.monotonic() + seconds
        known, complete = _since(store, snapshot, by_root, until)
        if complete:
            _save(store, {**by_root, root: known})
    ranked = sorted((least, key) for key, least in known.paths.items())
    pins = tuple(from_key(key.encode()) for least, key in ranked if least == _PIN)
    rules = tuple(from_key(key.encode()) for least, key in ranked if least != _PIN)
    return Standing(pins, rules, complete, known.counts if complete else {})


def _since(store: Store, snapshot: Snapshot, by_root: dict[str, _Known], until: float | None) -> tuple[_Known, bool]:
    """The pins and rules of a snapshot from the last cached one and the differences; else from all memories."""
    for root, known in reversed(by_root.items()):
        try:
            deltas = list(diff(store.tree(bytes.fromhex(root)), snapshot.tree))
            before = [(each.key, each.old) for each in deltas if each.old]
            old, had_time = _find(snapshot, snapshot.values(before), until)
        except DamagedStore:  # `git gc` has deleted it
            continue
        new, complete = _find(snapshot, snapshot.values([(each.key, each.new) for each in deltas if each.new]), until)
        changed = {_text(delta.key) for delta in deltas}
        paths = {key: least for key, least in known.paths.items() if key not in changed} | new.paths
        return _Known(paths, known.counts - old.counts + new.counts), had_time and complete
    return _find(snapshot, _rules_first(snapshot), until)


def _rules_first(snapshot: Snapshot) -> Iterator[tuple[bytes, bytes]]:
    """All memories, those at the paths of rules first, in case there is no time for the rest."""
    ranges = sorted(key_range(name, f"{first}.") for name in namespaces(snapshot) for first in RULES)
    gaps = zip([b"", *(high for _, high in ranges)], [*(low for low, _ in ranges), LAST], strict=True)
    return snapshot.values(chain.from_iterable(snapshot.tree.scan(*each) for each in chain(ranges, gaps)))


def _find(snapshot: Snapshot, entries: Iterable[tuple[bytes, bytes]], until: float | None) -> tuple[_Known, bool]:
    """The pins and rules among some entries, and whether there was time for all of them."""
    paths, counts = _Paths(), Counter[str]()
    for key, data in entries:
        if until is not None and time.monotonic() > until:
            return _Known(paths, counts), False
        counts[_text(key.partition(b"=")[0])] += len(_ACTIVE.findall(data))
        if key.partition(b"=")[2].startswith(_PREFIXES) or any(mark in data for mark in _MARKS):
            address = from_key(key)
            weights = (weight(address, memory) for memory in readable(snapshot, key, data) or ())
            if least := min(filter(None, weights), default=None):
                paths[_text(key)] = least
    return _Known(paths, counts), True


def _text(key: bytes) -> str:
    """Decode a key or the beginning of one, as `from_key` does."""
    return key.decode("utf-8", "replace")


def rank(memory: Memory) -> int:
    """The rank of a memory, the lowest first: pinned -1, remembered 0, captured 1, imported 2."""
    return -1 if is_pinned(memory) else 2 * (best_of(memory.metadata) == IMPORT) + is_captured(memory.metadata)


def weight(address: Address, memory: Memory) -> str:
    """The weight of a memory, the smallest for the most important; empty if it is neither a pin nor a rule.

    It orders by rank, then orders before preferences, then by confidence and recency.
    """
    if is_pinned(memory):
        return _PIN
    if not is_rule(address, memory):
        return ""
    is_order = memory.metadata.get(ITEM_KIND) == DIRECTIVE or address.path.partition(".")[0] in _ORDERS
    doubt, age = round(1000 * (1 - memory.confidence)), _END_OF_TIME - int(1000 * memory.instant.timestamp())
    return f"{rank(memory):d}{not is_order:d}{doubt:04d}{age:016d}"


def _cache_name(store: Store) -> str:
    return "begin-" + blake2b(os.fsencode(os.path.realpath(store.git_dir)), size=8).hex()


def _load(store: Store) -> dict[str, _Known]:
    """The cached snapshots by their roots, the newest last; none if the cache is malformed."""
    with suppress(ValueError, TypeError, AttributeError):
        rows = orjson.loads(user_folders.read_cached(_cache_name(store)) or b"{}")
        return {str(Oid.fromhex(root)): _Known(dict(paths), Counter(counts)) for root, (paths, counts) in rows.items()}
    return {}


def _save(store: Store, by_root: dict[str, _Known]) -> None:
    """Cache the last snapshots, or fewer of them if they are too large for the cache."""
    last = list(by_root.items())[-_MOST_ROOTS:]
    while last and len(data := orjson.dumps({root: [*known] for root, known in last})) > user_folders.LARGEST:
        del last[0]
    user_folders.write_cached(_cache_name(store), data if last else b"")


def set_pins(
    store: Store, targets: Sequence[MemoryAddress], pinned: bool, options: WriteOptions = DEFAULTS
) -> "WriteResult":
    """Pin or unpin the active memories at some addresses, in one commit; no commit if nothing changes.

    Raises:
        InvalidInput: an address is in a layer or a reserved namespace, an id is ambiguous or that of a superseded
                    memory, or the message looks like a credential.
    """
    from memoir.memory.layer_namespaces import refuse_layers
    from memoir.memory.write import WriteResult
    from memoir.store.transaction import Change, write

    check_message(options)
    groups = by_place(targets)
    if any(address.namespace in MEMOIR_NAMESPACES for address in groups):
        raise InvalidInput("only memories can be pinned", "see 'memoir taxonomy' and 'memoir lexicon'")
    done: list[MemoryAddress] = []

    def deed() -> str:
        return f"{'pin' if pinned else 'unpin'} {first_few([target.label for target in done])}"

    def change(head: Snapshot) -> Change:
        refuse_layers(head, list(groups))
        values = require(head, list(groups))
        done.clear()
        edits = {}
        for address, group in groups.items():
            record, names = _mark(read_record(address, values[address]), group, pinned)
            done.extend(names)
            edits[address.key] = encode(record)
        return Change(edits.items(), options.message or deed())

    commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason=deed)
    return WriteResult(done, commit)


def _mark(record: Record, targets: Sequence[MemoryAddress], pinned: bool) -> tuple[Record, Collection[MemoryAddress]]:
    """Pin or unpin the active memories of a record that some addresses name; return it and their full addresses."""
    active = active_positions(record)
    marks = {} if has_whole(targets) else locate(record, targets)
    for target, at in marks.items():
        if pinned and at not in active:
            raise InvalidInput(f"{target.short_key} is superseded, and only active memories can be pinned")
    places = set(marks.values()) or active
    marked = (_mark_facet(facet, pinned) if at in places else facet for at, facet in enumerate(record))
    return tuple(marked), marks or [MemoryAddress(targets[0].place)]


def _mark_facet(facet: Memory, pinned: bool) -> Memory:
    rest = without(facet.metadata, (PIN,))
    return facet._replace(metadata={**rest, PIN: True} if pinned else rest)


_MOST_COMMITS = 50
"""The most commits that are read: earlier changes are not news."""


class PathChange(NamedTuple):
    """A path that a commit changed; without a place, a commit that changed very many paths."""

    place: Address | None
    commit: "Commit"
    paths: int = 1

    @property
    def subject(self) -> str:
        """The first line of the commit's message."""
        return self.commit.message.partition("\n")[0]


def last_changes(store: Store, snapshot: Snapshot) -> Iterator[PathChange]:
    """The changes of a snapshot's last commits, newest first, each path once; a merge counts with all its changes."""
    past_keys: set[bytes] = set()
    for commit in islice(first_parents(store, snapshot.commit), _MOST_COMMITS):
        if commit.changes and commit.changes.bulk:
            yield PathChange(None, commit, commit.changes.bulk)
            continue
        for key in _changed_keys(store, commit):
            if key not in past_keys:
                past_keys.add(key)
                yield PathChange(from_key(key), commit)


def news(store: Store, snapshot: Snapshot, changes: Iterable[PathChange]) -> dict[Address, Facet]:
    """The memories that some changes wrote; if a path has several, the last one that the commit added or changed.

    A path that only lost memories is left out.
    """
    commits = {change.place: change.commit for change in changes if change.place}
    written = {}
    for address, record in read.records(snapshot, commits, listed=True).items():
        active = list(facets(address, record))
        old = _before(store, commits[address], address) if len(active) > 1 else ()
        if fresh := [each for each in active if each.memory not in old]:
            written[address] = fresh[-1]
    return written


def _before(store: Store, commit: "Commit", address: Address) -> Record:
    """The record at an address before a commit; empty if there was none."""
    return read.records(store.before(commit), [address], listed=True).get(address, ())


def _changed_keys(store: Store, commit: "Commit") -> list[bytes]:
    """The keys that a commit changed; if its own list is not reliable, it is compared with its parent."""
    (keys,) = clear_changes(store, [commit])
    if keys is not None:
        return list(keys)
    return [delta.key for delta in islice(diff(store.before(commit).tree, store.of(commit.id).tree), BULK)]
