"""What every session begins with: pinned memories, and the rules and preferences that somebody remembered.

Which paths hold one is kept in the user's cache, by the root of the snapshot, and with it how many memories each
namespace has, so that only what has changed since is read. A sentence of a source that was read in is not a rule of
the user, whatever path it is filed at.

A memory is pinned if its metadata has `"pinned": true`, JSON's true and nothing that only looks like it.

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
from memoir.memory.facets import active_places, by_place, has_whole, locate
from memoir.memory.origin import is_captured, source_of_item
from memoir.memory.read import key_range, namespaces, require
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
"""The beginnings of the paths at which standing rules and preferences are."""

_ORDERS = ("directives", "rules")
_PREFIXES = tuple(first.encode() for first in RULES)
_BEGINNINGS = tuple(f"{first}." for first in RULES)
_RULE_KINDS = (DIRECTIVE, PREFERENCE)
_MARKS = (b'"pinned":true', *(b'"%s":"%s"' % (ITEM_KIND.encode(), kind.encode()) for kind in _RULE_KINDS))
"""How these look in the canonical bytes of a record; a memory's text may look so too."""
_MOST_ROOTS = 4
"""The snapshots whose paths are kept for a store, such as those of its branches."""
_PIN = "!"
"""The weight of a pin; those of rules are digits. The smallest weight comes first."""
_END_OF_TIME = 10**15
"""More milliseconds since 1970 than any timestamp has."""

_ACTIVE = re.compile(rb'"timestamp":"[^"]*","status":"active"')
"""How each active memory of a record looks in its canonical bytes, where the fields of metadata are sorted."""

_Paths = dict[str, str]
"""The keys of what sessions begin with, each with its weight."""


class _Known(NamedTuple):
    """What is known of a snapshot: its pins and rules, and the active memories of each namespace."""

    paths: _Paths
    counts: Counter[str]


class Standing(NamedTuple):
    """What sessions begin with.

    `pins` are the addresses of pinned memories, sorted, `rules` those of rules, the weightiest first, and `counts` the
    active memories of each namespace. Unless all were looked at, it is not `complete`, and counts nothing.
    """

    pins: tuple[Address, ...]
    rules: tuple[Address, ...] = ()
    complete: bool = True
    counts: Mapping[str, int] = {}

    def memories(self, namespaces: Iterable[str]) -> int | None:
        """How many active memories some namespaces have; None if they were not all looked at."""
        return sum(self.counts.get(name, 0) for name in namespaces) if self.complete else None


def is_pinned(memory: Memory) -> bool:
    """Whether a memory is active and pinned."""
    return memory.active and memory.metadata.get(PIN) is True


def is_rule(address: Address, memory: Memory) -> bool:
    """Whether a memory is a rule or preference that somebody vouches for, or that was imported; no document is one."""
    is_own = CONFIRMATION in memory.metadata or source_of_item(memory.metadata) is None
    is_own = is_own and origins_of(memory.metadata) != (DOCUMENT,)
    is_kind = memory.metadata.get(ITEM_KIND) in _RULE_KINDS or f"{address.path}.".startswith(_BEGINNINGS)
    return memory.active and is_own and is_kind


def find(store: Store, snapshot: Snapshot, *, seconds: float | None = None) -> Standing:
    """What a session in a snapshot begins with: what is known of another snapshot, and what differs from it.

    After some seconds of looking, if a number is given, the answer is incomplete.
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
    """What is known of a snapshot, from the one that was last looked at; else from all of its memories."""
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
    """All memories, those first whose paths are of rules, in case there is no time for the rest."""
    ranges = sorted(key_range(name, f"{first}.") for name in namespaces(snapshot) for first in RULES)
    gaps = zip([b"", *(high for _, high in ranges)], [*(low for low, _ in ranges), LAST], strict=True)
    return snapshot.values(chain.from_iterable(snapshot.tree.scan(*each) for each in chain(ranges, gaps)))


def _find(snapshot: Snapshot, entries: Iterable[tuple[bytes, bytes]], until: float | None) -> tuple[_Known, bool]:
    """What there is among some memories, and whether there was time for all of them."""
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
    """A key, or the beginning of one, as `from_key` reads it."""
    return key.decode("utf-8", "replace")


def rank(memory: Memory) -> int:
    """Whose words come first, from below: a pin, what somebody remembered, what was captured, what was imported."""
    return -1 if is_pinned(memory) else 2 * (best_of(memory.metadata) == IMPORT) + is_captured(memory.metadata)


def weight(address: Address, memory: Memory) -> str:
    """The weight of a memory, the smallest of the weightiest; empty if it is neither a pin nor a rule.

    By rank; then come orders, confidence and recency.
    """
    if is_pinned(memory):
        return _PIN
    if not is_rule(address, memory):
        return ""
    is_order = memory.metadata.get(ITEM_KIND) == DIRECTIVE or address.path.partition(".")[0] in _ORDERS
    doubt, age = round(1000 * (1 - memory.confidence)), _END_OF_TIME - int(1000 * memory.instant.timestamp())
    return f"{rank(memory):d}{not is_order:d}{doubt:04d}{age:016d}"


def _name(store: Store) -> str:
    return "begin-" + blake2b(os.fsencode(os.path.realpath(store.git_dir)), size=8).hex()


def _load(store: Store) -> dict[str, _Known]:
    """What is known of the last snapshots by their roots, the newest last; nothing where the cache has another form."""
    with suppress(ValueError, TypeError, AttributeError):
        rows = orjson.loads(user_folders.read_cached(_name(store)) or b"{}")
        return {str(Oid.fromhex(root)): _Known(dict(paths), Counter(counts)) for root, (paths, counts) in rows.items()}
    return {}


def _save(store: Store, by_root: dict[str, _Known]) -> None:
    """Keep what was found in the last snapshots, of fewer if they are too many for the cache."""
    last = list(by_root.items())[-_MOST_ROOTS:]
    while last and len(data := orjson.dumps({root: [*known] for root, known in last})) > user_folders.LARGEST:
        del last[0]
    user_folders.write_cached(_name(store), data if last else b"")


def set_pins(
    store: Store, targets: Sequence[MemoryAddress], pinned: bool, options: WriteOptions = DEFAULTS
) -> "WriteResult":
    """Pin or unpin the active memories at some addresses, in one commit; none is made if all were so already.

    Raises:
        InvalidInput: an address is in a layer or in a namespace that memoir keeps for itself, an id could be of several
            memories or is of a superseded one, or the message looks like a credential.
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
    """A record with the active memories that some addresses of its path name pinned or not, and their whole ids."""
    active = active_places(record)
    marks = {} if has_whole(targets) else locate(record, targets)
    for target, at in marks.items():
        if pinned and at not in active:
            raise InvalidInput(f"{target.short_key} is superseded, and only what holds can be pinned")
    places = set(marks.values()) or active
    marked = (_mark_facet(facet, pinned) if at in places else facet for at, facet in enumerate(record))
    return tuple(marked), marks or [MemoryAddress(targets[0].place)]


def _mark_facet(facet: Memory, pinned: bool) -> Memory:
    rest = without(facet.metadata, (PIN,))
    return facet._replace(metadata={**rest, PIN: True} if pinned else rest)


_MOST_COMMITS = 50
"""The commits that are looked at: what changed before them is not news."""


class PathChange(NamedTuple):
    """A path that a commit changed; or, without a place, a commit that changed very many."""

    place: Address | None
    commit: "Commit"
    paths: int = 1

    @property
    def subject(self) -> str:
        """The first line of the commit's message."""
        return self.commit.message.partition("\n")[0]


def last_changes(store: Store, snapshot: Snapshot) -> Iterator[PathChange]:
    """The changes of a snapshot's last commits, newest first, each path once; merges count as what they brought."""
    past_keys: set[bytes] = set()
    for commit in islice(first_parents(store, snapshot.commit), _MOST_COMMITS):
        if commit.changes and commit.changes.bulk:
            yield PathChange(None, commit, commit.changes.bulk)
            continue
        for key in _keys(store, commit):
            if key not in past_keys:
                past_keys.add(key)
                yield PathChange(from_key(key), commit)


def news(store: Store, snapshot: Snapshot, changes: Iterable[PathChange]) -> dict[Address, Facet]:
    """What some of the last changes wrote: of several memories at a path, the last that the commit added or changed.

    A path that only lost memories has none.
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


def _keys(store: Store, commit: "Commit") -> list[bytes]:
    """The keys that a commit changed; a commit that does not say so reliably is compared with its parent."""
    (keys,) = clear_changes(store, [commit])
    if keys is not None:
        return list(keys)
    return [delta.key for delta in islice(diff(store.before(commit).tree, store.of(commit.id).tree), BULK)]
