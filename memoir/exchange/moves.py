"""Merges memories that one side moved: a memory is merged at the path where it is now.

A memory that one side moved and the other forgot, or moved elsewhere, is in conflict, as in git: a choice for a path
where it is now keeps or removes it there. Otherwise forgotten memories would return, or exist twice.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from memoir.exchange.merge_records import Resolver, align
from memoir.exchange.trails import Place, ReplayTrails, Trails
from memoir.git.objects import Oid
from memoir.records.damage import read_or_empty, read_record
from memoir.records.metadata import FILING
from memoir.records.record import Memory, encode, name_of, without
from memoir.store.three_way import Clash, Matches, Side, TreeMerge, decide
from memoir.taxonomy.paths import from_key

_Additions = dict[bytes, list[Memory]]
"""The memories of a side at keys, without those of the base."""


def follow(
    result: TreeMerge,
    ours: Side,
    theirs: Side,
    resolve: Resolver,
    trails: Sequence[Trails | ReplayTrails],
    *,
    moved_only: bool = True,
) -> TreeMerge:
    """Repeat the merge of the keys from or to which a memory was moved.

    `trails` are those of ours and theirs, which are followed if a memory left a key that both changed. With
    `moved_only` False, such a key is merged again by the trails even without a move; this is for records that a merge
    has reordered, where an edited memory would otherwise be mistaken for another.
    """
    if not (start := _find_lost(result, ours, theirs)):
        return result
    now = [each.follow(start) for each in trails]
    keys = {place.key for row in map(_Fate, start, *now) if row.is_moved or not moved_only for place in row}
    if not keys:
        return result
    neighbours = _base_memories(result, ours, theirs, keys - {place.key for place in start})
    start += neighbours
    sides = zip((ours, theirs), now, strict=True)
    (mine, more), (other, others) = (_at_tip(side, start, [*each, *neighbours], keys) for side, each in sides)
    rows = [row for row in map(_Fate, start, mine, other) if row.old.key in keys]
    clashes = _clashes(rows, (more, others), keys)
    return _decide_anew(result, clashes, resolve, _read_values(ours, keys))


def _find_lost(result: TreeMerge, ours: Side, theirs: Side) -> list[Place]:
    """The base memories at keys that both sides changed, if a side lacks one of them."""
    before = {key: oid for key, oid in result.both.items() if oid}
    ids = [before, ours.ids(before), theirs.ids(before)]
    contents = ours.blobs(oid for each in ids for oid in each.values())
    lost = []
    for key in sorted(before):
        record, *sides = (read_or_empty(contents[each[key]]) if key in each else () for each in ids)
        names = {*map(name_of, record)}
        if any(names.difference(map(name_of, side)) for side in sides):
            lost += [Place(key, memory) for memory in record]
    return lost


def _base_memories(result: TreeMerge, ours: Side, theirs: Side, keys: Collection[bytes]) -> list[Place]:
    """The base memories at the keys."""
    ids: dict[bytes, Oid | None] = {key: result.both[key] for key in result.both.keys() & keys}
    ids |= ours.ids(key for key in keys if key not in ids and key in result.edits)  # only theirs changed these
    ids |= theirs.ids(key for key in keys if key not in ids and key not in result.edits)
    contents = ours.blobs(ids.values())
    return [Place(key, memory) for key, oid in ids.items() if oid for memory in read_or_empty(contents[oid])]


def _read_values(side: Side, keys: Collection[bytes]) -> dict[bytes, bytes]:
    ids = side.ids(keys)
    contents = side.blobs(ids.values())
    return {key: contents[oid] for key, oid in ids.items()}


def _at_tip(
    side: Side, start: Sequence[Place], places: Sequence[Place], keys: Collection[bytes]
) -> tuple[list[Place], _Additions]:
    """Find the memories that were followed to the keys on a side, and its other memories there.

    A memory left to history counts as forgotten if its replacement is gone.
    """
    values, now, others = _read_values(side, keys), [*places], _Additions()
    here: dict[bytes, list[tuple[int, Memory]]] = defaultdict(list)
    for number, place in enumerate(places):
        here[place.key] += [(number, place.memory)] if place.memory else []
    for key in sorted(keys):
        record = read_record(from_key(key), values[key]) if key in values else ()
        found, others[key] = align(tuple(memory for _, memory in here[key]), record)
        for (number, _), memory in zip(here[key], found, strict=True):
            now[number] = Place(key, memory)
    for number, (old, place) in enumerate(zip(start, now, strict=True)):
        if place.is_history and not old.is_superseded and not _active(others.get(place.key, ())):
            now[number] = Place(place.key, None)
    return now, others


def _active(memories: Sequence[Memory]) -> int:
    return sum(memory.active for memory in memories)


class _Fate(NamedTuple):
    """A base memory, and its place on each side now."""

    old: Place
    ours: Place
    theirs: Place

    @property
    def is_moved(self) -> bool:
        """Whether a side moved it to another key."""
        return len({place.key for place in self}) > 1

    @property
    def targets(self) -> set[bytes]:
        """The keys at which to merge it: those it was moved to, else its old one."""
        return {self.ours.key, self.theirs.key} - {self.old.key} or {self.old.key}

    @property
    def is_disputed(self) -> bool:
        """Whether one side moved it, and the other forgot it or moved it elsewhere."""
        gone = any(place.key == self.old.key and not (place.memory or place.is_history) for place in self)
        return self.is_moved and (gone or len(self.targets) > 1)

    def is_replaced(self, now: Place) -> bool:
        """Whether a side has superseded it at its old key; `now` is its place on that side."""
        return now.key == self.old.key and now.is_superseded and not self.old.is_superseded

    def at(self, key: bytes, place: Place) -> Memory | None:
        """The memory of a side for the merge at a key, if it is there or at its old key.

        Its filing note is taken from a plain move, so that the move does not count as a change.
        """
        memory, was = place.memory, self.old.memory
        if place.key not in (key, self.old.key) or not (memory and was):
            return None
        moved = (each.memory for each in self[1:] if each.key != self.old.key and each.name == self.old.name)
        filed = next(moved, None)
        if not filed or memory.metadata.get(FILING) != was.metadata.get(FILING):
            return memory
        filing = {FILING: filed.metadata[FILING]} if FILING in filed.metadata else {}
        return memory._replace(metadata={**without(memory.metadata, (FILING,)), **filing})


def _clashes(rows: Sequence[_Fate], others: tuple[_Additions, _Additions], keys: Collection[bytes]) -> list[Clash]:
    """The clashes to decide at the keys, from base memories and other memories of each side."""
    here: dict[bytes, list[_Fate]] = defaultdict(list)
    for row in rows:
        for key in row.targets:
            here[key].append(row)
    ours, theirs = (_follow_replaced(rows, side, each) for side, each in enumerate(others))
    return [_clash(key, here[key], ours[key], theirs[key]) for key in sorted(keys)]


def _follow_replaced(rows: Sequence[_Fate], side: int, additions: _Additions) -> _Additions:
    """Additions by the keys at which to merge them: replacements of memories that moved to one key move along.

    If a key has several additions, it is unknown which one replaced what, so these stay.
    """
    targets: dict[bytes, set[bytes]] = defaultdict(set)
    for row in rows:
        targets[row.old.key] |= row.targets if row.is_replaced(row[1 + side]) else set()
    merged: _Additions = defaultdict(list)
    for key, memories in additions.items():
        ends = targets[key] if _active(memories) <= 1 else set()
        merged[min(ends) if len(ends) == 1 else key] += memories
    return merged


def _clash(key: bytes, rows: Sequence[_Fate], ours: Sequence[Memory], theirs: Sequence[Memory]) -> Clash:
    """The clash at a key, including memories moved there, on all sides."""
    columns = [[row.at(key, row[side]) for row in rows] for side in range(3)]
    records = [[*filter(None, column), *more] for column, more in zip(columns, ([], ours, theirs), strict=True)]
    _, mine, other = (tuple(map(bool, column)) for column in columns)
    disputed = frozenset(number for number, row in enumerate(rows) if row.is_disputed)
    base, one, two = (encode(record) if record else None for record in records)
    return Clash(key, base, one, two, Matches(mine, other, disputed))


def _decide_anew(
    result: TreeMerge, clashes: Sequence[Clash], resolve: Resolver, mine: Mapping[bytes, bytes]
) -> TreeMerge:
    """Replace the outcome for some keys by a new decision; `mine` are our values there."""
    keys = {clash.key for clash in clashes}
    edits = {key: value for key, value in result.edits.items() if key not in keys}
    anew = TreeMerge(edits, [clash for clash in result.clashes if clash.key not in keys], result.both)
    for clash in clashes:
        decide(anew, clash, resolve)
        if edits.get(clash.key) == mine.get(clash.key):
            edits.pop(clash.key, None)
    return anew
