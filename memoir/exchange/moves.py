"""What one side moved meets what the other side did to it: a memory is merged where it is now.

What one side moved and the other one forgot, or moved elsewhere, is in conflict, as in git: a choice for a path where
it is now keeps or removes it there. Otherwise what was forgotten would be back, or be there twice.
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
"""What a side has at some keys beside memories from before."""


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
    keys = {place.key for row in map(_Fate, start, *now) if row.is_moved or not moved_only for place in row}
    if not keys:
        return result
    neighbours = _before(result, ours, theirs, keys - {place.key for place in start})
    start += neighbours
    sides = zip((ours, theirs), now, strict=True)
    (mine, more), (other, others) = (_at_tip(side, start, [*each, *neighbours], keys) for side, each in sides)
    rows = [row for row in map(_Fate, start, mine, other) if row.old.key in keys]
    clashes = _clashes(rows, (more, others), keys)
    return _decide_anew(result, clashes, resolve, _read(ours, keys))


def _lost(result: TreeMerge, ours: Side, theirs: Side) -> list[Place]:
    """The memories of those keys that both sides changed, where a side no longer has one of them."""
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


def _before(result: TreeMerge, ours: Side, theirs: Side, keys: Collection[bytes]) -> list[Place]:
    """The memories that some keys had before the two sides parted."""
    ids: dict[bytes, Oid | None] = {key: result.both[key] for key in result.both.keys() & keys}
    ids |= ours.ids(key for key in keys if key not in ids and key in result.edits)  # theirs alone changed these
    ids |= theirs.ids(key for key in keys if key not in ids and key not in result.edits)
    contents = ours.blobs(ids.values())
    return [Place(key, memory) for key, oid in ids.items() if oid for memory in read_or_empty(contents[oid])]


def _read(side: Side, keys: Collection[bytes]) -> dict[bytes, bytes]:
    ids = side.ids(keys)
    contents = side.blobs(ids.values())
    return {key: contents[oid] for key, oid in ids.items()}


def _at_tip(
    side: Side, start: Sequence[Place], places: Sequence[Place], keys: Collection[bytes]
) -> tuple[list[Place], _Additions]:
    """Find on a side the memories that were followed to some keys; and what else it has there.

    What was left to history was forgotten if what replaced it is not there any more.
    """
    values, now, others = _read(side, keys), [*places], _Additions()
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

    def is_replaced(self, now: Place) -> bool:
        """Whether a side, which has it at a place now, has replaced it at its old key."""
        return now.key == self.old.key and now.is_superseded and not self.old.is_superseded

    def at(self, key: bytes, place: Place) -> Memory | None:
        """What a side has of it at a key where it is to be merged, or at its old one.

        It is filed as a move has left it that did nothing else: so the move does not count as a change.
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
    """What there is to decide at some keys: of the memories from before, and of what else each side has there."""
    here: dict[bytes, list[_Fate]] = defaultdict(list)
    for row in rows:
        for key in row.targets:
            here[key].append(row)
    ours, theirs = (_follow_replaced(rows, side, each) for side, each in enumerate(others))
    return [_clash(key, here[key], ours[key], theirs[key]) for key in sorted(keys)]


def _follow_replaced(rows: Sequence[_Fate], side: int, additions: _Additions) -> _Additions:
    """Additions by the keys where they are to be merged: those instead of memories that went to one key go along.

    Where there are several at a key, nothing says which of them replaced what: these stay.
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
    """What was and is at a key, with what was moved there on all sides, to be decided."""
    columns = [[row.at(key, row[side]) for row in rows] for side in range(3)]
    records = [[*filter(None, column), *more] for column, more in zip(columns, ([], ours, theirs), strict=True)]
    _, mine, other = (tuple(map(bool, column)) for column in columns)
    disputed = frozenset(number for number, row in enumerate(rows) if row.is_disputed)
    base, one, two = (encode(record) if record else None for record in records)
    return Clash(key, base, one, two, Matches(mine, other, disputed))


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
