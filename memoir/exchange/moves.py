"""What one side moved meets what the other side did to it: a memory is merged where it is now.

What one side moved and the other one forgot, or moved elsewhere, is in conflict, as in git: a choice for a path where
it is now keeps or removes it there. Otherwise what was forgotten would be back, or be there twice.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from memoir.exchange.merge_records import Resolver, align, readable
from memoir.exchange.trails import Place, ReplayTrails, Trails, name_of
from memoir.git.objects import Oid
from memoir.records.damage import read_record
from memoir.records.metadata import FILING
from memoir.records.record import Memory, encode, without
from memoir.store.three_way import Clash, Matches, Side, TreeMerge, decide
from memoir.taxonomy.paths import from_key


def follow(
    result: TreeMerge,
    ours: Side,
    theirs: Side,
    resolve: Resolver,
    trails: Sequence[Trails | ReplayTrails],
    *,
    moved_only: bool = True,
) -> TreeMerge:
    """Decide anew what was merged at the keys that a memory was moved from or to.

    `trails` are those of ours and of theirs, which count if a memory left a key that both changed. Unless it is
    `moved_only`, what was merged at such a key is decided by them too. That is for records that a merge has put in
    another order, in which what has other words now would be taken for another memory.
    """
    if not (start := _lost(result, ours, theirs)):
        return result
    now = [each.follow(start) for each in trails]
    rows = list(map(_Fate, start, *now))
    keys = {place.key for row in rows if row.is_moved or not moved_only for place in row}
    if not keys:
        return result
    neighbours = _before(result, ours, theirs, keys - {place.key for place in start})
    start += neighbours
    sides = [_at_tip(side, [*each, *neighbours], keys) for side, each in zip((ours, theirs), now, strict=True)]
    others = [each for _, each in sides]
    places = ([*map(partial(_without_heir, each), start, now)] for now, each in sides)
    rows = [_Fate(*row) for row in zip(start, *places, strict=True) if row[0].key in keys]
    clashes = _clashes(rows, others, keys)
    return _decide_anew(result, clashes, resolve, _read(ours, keys))


def _lost(result: TreeMerge, ours: Side, theirs: Side) -> list[Place]:
    """The memories of those keys that both sides changed, where a side no longer has one of them."""
    before = {key: oid for key, oid in result.both.items() if oid}
    ids = [before, ours.ids(before), theirs.ids(before)]
    contents = ours.blobs(oid for each in ids for oid in each.values())
    lost = []
    for key in sorted(before):
        record, *sides = (readable(contents[each[key]]) if key in each else () for each in ids)
        names = set(map(name_of, record))
        if any(names.difference(map(name_of, side)) for side in sides):
            lost += [Place(key, memory) for memory in record]
    return lost


def _before(result: TreeMerge, ours: Side, theirs: Side, keys: Collection[bytes]) -> list[Place]:
    """The memories that some keys had before the two sides parted."""
    ids: dict[bytes, Oid | None] = {key: result.both[key] for key in result.both.keys() & keys}
    ids |= ours.ids(key for key in keys if key not in ids and key in result.edits)  # theirs alone changed these
    ids |= theirs.ids(key for key in keys if key not in ids and key not in result.edits)
    contents = ours.blobs(ids.values())
    return [Place(key, memory) for key, oid in ids.items() if oid for memory in readable(contents[oid])]


def _read(side: Side, keys: Collection[bytes]) -> dict[bytes, bytes]:
    ids = side.ids(keys)
    contents = side.blobs(ids.values())
    return {key: contents[oid] for key, oid in ids.items()}


def _at_tip(
    side: Side, places: Sequence[Place], keys: Collection[bytes]
) -> tuple[list[Place], dict[bytes, list[Memory]]]:
    """Find on a side the memories that were followed to some keys; and what else it has there."""
    values, now, others = _read(side, keys), [*places], {}
    here: dict[bytes, list[tuple[int, Memory]]] = defaultdict(list)
    for number, place in enumerate(places):
        here[place.key] += [(number, place.memory)] if place.memory else []
    for key in keys:
        record = read_record(from_key(key), values[key]) if key in values else ()
        found, others[key] = align(tuple(memory for _, memory in here[key]), record)
        for (number, _), memory in zip(here[key], found, strict=True):
            now[number] = Place(key, memory)
    return now, others


def _without_heir(others: Mapping[bytes, Sequence[Memory]], old: Place, now: Place) -> Place:
    """Take a memory that was left to history for forgotten if what replaced it is not there any more."""
    is_forgotten = old.memory and old.memory.active and not any(each.active for each in others.get(now.key, ()))
    return now._replace(is_history=now.is_history and not is_forgotten)


class _Fate(NamedTuple):
    """A memory from before, and where each side has it now."""

    old: Place
    ours: Place
    theirs: Place

    @property
    def is_moved(self) -> bool:
        """Whether a side has it, or had it last, at another key."""
        return len({place.key for place in self}) > 1

    @property
    def targets(self) -> set[bytes]:
        """The keys at which it is to be merged: where it was moved to, or else its own."""
        return {self.ours.key, self.theirs.key} - {self.old.key} or {self.old.key}

    @property
    def is_disputed(self) -> bool:
        """Whether one side moved what the other one forgot, or moved elsewhere."""
        gone = any(place.key == self.old.key and not (place.memory or place.is_history) for place in self)
        return self.is_moved and (gone or len(self.targets) > 1)


def _clashes(
    rows: Sequence[_Fate], others: Sequence[dict[bytes, list[Memory]]], keys: Collection[bytes]
) -> list[Clash]:
    """What there is to decide at some keys: of the memories from before, and of what else each side has there."""
    joined = {key: _Joined(key) for key in sorted(keys)}
    for row in rows:
        for key in row.targets:
            joined[key].add(row)
    for side, additions in enumerate(others):
        successors = _successors(rows, side, additions)
        for key, memories in additions.items():
            joined[successors.get(key, key)].sides[side].extend(memories)
    return [each.clash() for each in joined.values()]


def _successors(rows: Sequence[_Fate], side: int, additions: Mapping[bytes, Sequence[Memory]]) -> dict[bytes, bytes]:
    """The keys at which a side wrote something instead of memories that went to one key, and that key.

    Where it wrote several, nothing says which of them replaced what: these stay.
    """
    targets: dict[bytes, set[bytes]] = defaultdict(set)
    for row in rows:
        targets[row.old.key] |= row.targets if _is_replaced(row, side) else set()
    active = {key: sum(memory.active for memory in memories) for key, memories in additions.items()}
    return {key: min(each) for key, each in targets.items() if len(each) == 1 and active.get(key, 0) <= 1}


def _is_replaced(row: _Fate, side: int) -> bool:
    """Whether a side has a memory superseded at its old key, or has had it there until it was left to history."""
    was, now = row.old, row[1 + side]
    is_superseded = now.is_history or bool(now.memory and not now.memory.active)
    return now.key == was.key and bool(was.memory and was.memory.active) and is_superseded


class _Joined:
    """What was and is at a key, with what was moved there on all sides."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.base: list[Memory] = []
        self.sides: tuple[list[Memory], list[Memory]] = ([], [])
        self._places: tuple[list[int | None], list[int | None]] = ([], [])
        self._disputed: set[int] = set()

    def add(self, row: _Fate) -> None:
        """Add a memory from before, with what each side has of it here or at its old key."""
        if row.is_disputed:
            self._disputed.add(len(self.base))
        here = (place.memory if place.key in (self.key, row.old.key) else None for place in row)
        base, *versions = (each and _refile(each, row) for each in here)
        self.base += [base] if base else []
        for side, places, version in zip(self.sides, self._places, versions, strict=True):
            places.append(len(side) if version else None)
            side += [version] if version else []

    def clash(self) -> Clash:
        """All of it, to be decided."""
        base, ours, theirs = (encode(each) if each else None for each in (self.base, *self.sides))
        mine, other = map(tuple, self._places)
        return Clash(self.key, base, ours, theirs, Matches(mine, other, frozenset(self._disputed)))


def _refile(memory: Memory, row: _Fate) -> Memory:
    """A memory, filed as a move has left it that did nothing else: so the move does not count as a change."""
    was = row.old.memory
    moved = (place.memory for place in row[1:] if place.key != row.old.key)
    same = next((each for each in moved if was and each and name_of(each) == name_of(was)), None)
    if not (was and same) or memory.metadata.get(FILING) != was.metadata.get(FILING):
        return memory
    filing = {FILING: same.metadata[FILING]} if FILING in same.metadata else {}
    return memory._replace(metadata={**without(memory.metadata, (FILING,)), **filing})


def _decide_anew(
    result: TreeMerge, clashes: Sequence[Clash], resolve: Resolver, mine: Mapping[bytes, bytes]
) -> TreeMerge:
    """Put what becomes of some keys in the place of what was decided before; `mine` is what ours has there."""
    keys = {clash.key for clash in clashes}
    edits = {key: value for key, value in result.edits.items() if key not in keys}
    anew = TreeMerge(edits, [clash for clash in result.clashes if clash.key not in keys], result.both)
    for clash in clashes:
        decide(anew, clash, resolve)
        if edits.get(clash.key) == mine.get(clash.key):
            edits.pop(clash.key, None)
    return anew
