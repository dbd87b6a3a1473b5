"""Merging records facet by facet: each side's additions are united; only rival changes conflict.

Facets have no id, so they are matched to the base's by content and timestamp, wherever they are in the record. The
rest are paired in order where both sequences have a gap, since an edited facet keeps its place. There are two kinds of
rival changes: both sides changed or removed a facet differently, or superseded it by different memories. What both
added in the same words is one memory. The result is ordered by time, so it depends neither on which side is ours nor
on the base; only the strategies `ours` and `theirs` name a side.
"""

from collections import defaultdict
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from memoir.memory.damage import read_record
from memoir.memory.metadata import agree, holds, joined
from memoir.memory.record import DamagedRecord, Memory, Record, decode, encode, fits, trimmed
from memoir.store.merge import Undecided
from memoir.taxonomy.paths import from_key

STRATEGIES = ("ours", "theirs", "append", "newest")

_Identity = tuple[str, str]
"""The content and the timestamp of a memory."""


class Resolver:
    """Decides a key that both sides changed, for `memoir.store.merge`; rival changes only with a strategy."""

    def __init__(self, strategy: str | None) -> None:
        self.strategy = strategy

    def __call__(self, key: bytes, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
        """The merged record's bytes, or None if the path is to go.

        Raises:
            Undecided: a rivalry, and no strategy to settle it.
            DamagedStore: one side's record cannot be read; the base's does not matter then.
        """
        mine, other = (() if value is None else read_record(from_key(key), value) for value in (ours, theirs))
        merged = merge(_base(base), mine, other, strategy=self.strategy)
        return encode(merged) if merged else None


def _base(value: bytes | None) -> Record:
    """What both sides began with; nothing if that cannot be read, as where they have nothing in common."""
    try:
        return () if value is None else decode(value)
    except DamagedRecord:
        return ()


class _Aligned(NamedTuple):
    """What became of each base facet on one side (None: removed), and what that side added."""

    fate: list[Memory | None]
    added: list[Memory]


def merge(base: Record, ours: Record, theirs: Record, *, strategy: str | None = None) -> Record:
    """The merged record; empty if the path is to go.

    Raises:
        Undecided: a rivalry, and no strategy to settle it.
    """
    ours, theirs = _said_alike(base, ours, theirs)
    mine, other = _align(base, _written_alike(ours, theirs)), _align(base, _written_alike(theirs, ours))
    merged: list[Memory] = []
    both_ended = removed = False
    for facet, fate, other_fate in zip(base, mine.fate, other.fate, strict=True):
        one, two = _agreed(facet, fate, other_fate)
        if one == two:
            both_ended |= facet.active and one is not None and not one.active
            merged += [one] if one else []
        elif facet in (one, two):
            changed = two if one == facet else one
            merged += [changed] if changed else []
        else:
            removed |= one is None or two is None
            merged += _settle([one] if one else [], [two] if two else [], strategy)
    if removed and strategy != "append":
        additions = _settle(mine.added, other.added, strategy)
    else:
        additions = _unite(mine.added, other.added, strategy if both_ended else "append")
    return trimmed(tuple(sorted((*merged, *additions), key=_order)))


def _written_alike(record: Record, others: Record) -> Record:
    """A record whose facets, where the other side has an equal one, are written the same: 1, 1.0 and true are equal."""
    there: dict[_Identity, list[Memory]] = defaultdict(list)
    for other in (*others, *record):
        there[other.content, other.timestamp].append(other)
    alike = ((facet, [one for one in there[facet.content, facet.timestamp] if one == facet]) for facet in record)
    return tuple(facet if len(equals) == 1 else min(equals, key=_bytes) for facet, equals in alike)


def _said_alike(base: Record, ours: Record, theirs: Record) -> tuple[Record, Record]:
    """Both sides, with one memory for what each of them added in the same words: known since the later time."""
    added, other_added = _additions(base, ours), _additions(base, theirs)
    both = {
        content: joint
        for content in added.keys() & other_added.keys()
        if (joint := _joint(added[content], other_added[content]))
    }
    return _replaced(base, ours, both), _replaced(base, theirs, both)


def _additions(base: Record, side: Record) -> dict[str, Memory]:
    """What a side has that the base has not, by its words: active, and the only one in these words."""
    before = {(facet.content, facet.timestamp) for facet in base}
    found: dict[str, list[Memory]] = defaultdict(list)
    for facet in side:
        if (facet.content, facet.timestamp) not in before:
            found[facet.content].append(facet)
    return {content: rows[0] for content, rows in found.items() if len(rows) == 1 and rows[0].active}


def _joint(one: Memory, two: Memory) -> Memory | None:
    """Two memories in the same words as one; None if they are equal anyway, or what is known about them differs."""
    if one == two or not agree(one.metadata, two.metadata):
        return None
    kept, added = sorted((one, two), key=_bytes)
    metadata = joined(kept.metadata, added.metadata)
    if not fits(metadata):
        return None
    since = max((one, two), key=lambda facet: (facet.instant, facet.timestamp)).timestamp
    return kept._replace(metadata=metadata, timestamp=since, confidence=float(max(one.confidence, two.confidence)))


def _replaced(base: Record, side: Record, by: dict[str, Memory]) -> Record:
    before = {(facet.content, facet.timestamp) for facet in base}
    return tuple(
        facet if (facet.content, facet.timestamp) in before else by.get(facet.content, facet) for facet in side
    )


def _agreed(base: Memory, one: Memory | None, two: Memory | None) -> tuple[Memory | None, Memory | None]:
    """Both sides' versions of a facet. Where each only confirmed it, or added to what is known about it, they agree."""
    if one and two and one != two and _adds_to(base, one) and _adds_to(base, two) and agree(one.metadata, two.metadata):
        kept, added = sorted((one, two), key=_bytes)
        metadata = joined(kept.metadata, added.metadata)
        if fits(metadata):
            both = base._replace(metadata=metadata, confidence=float(max(one.confidence, two.confidence)))
            return both, both
    return one, two


def _adds_to(base: Memory, side: Memory) -> bool:
    """Whether a side says what the base says, with no less confidence and all of its metadata."""
    same = (side.content, side.timestamp, side.status) == (base.content, base.timestamp, base.status)
    return same and holds(side.metadata, base.metadata) and side.confidence >= base.confidence


def _align(base: Record, side: Record) -> _Aligned:
    """Match by identity wherever a facet stands; pair up what is left where the order leaves a gap on both sides."""
    before, after = ([(facet.content, facet.timestamp) for facet in record] for record in (base, side))
    twins = _same(before, after)
    taken = set(twins.values())
    fate = [side[twins[position]] if position in twins else None for position in range(len(base))]
    added: list[Memory] = []
    for _, low, high, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old = [position for position in range(low, high) if position not in twins]
        new = [side[position] for position in range(start, stop) if position not in taken]
        for position, facet in zip_longest(old, new):
            if position is None:
                added.append(facet)
            else:
                fate[position] = facet
    return _Aligned(fate, added)


def _same(before: list[_Identity], after: list[_Identity]) -> dict[int, int]:
    """For positions before, the position after of the same identity; the first goes with the first, and so on."""
    places: dict[_Identity, list[int]] = {}
    for position, identity in enumerate(after):
        places.setdefault(identity, []).append(position)
    found = ((position, places.get(identity)) for position, identity in enumerate(before))
    return {position: rest.pop(0) for position, rest in found if rest}


def _unite(ours: list[Memory], theirs: list[Memory], strategy: str | None) -> list[Memory]:
    """Both sides' additions; if both added something in force that the other lacks, as the strategy says."""
    common = _distinct([facet for facet in ours if facet in theirs])
    one = [facet for facet in ours if facet not in common]
    two = [facet for facet in theirs if facet not in common]
    settled = _settle(one, two, strategy) if any(f.active for f in one) and any(f.active for f in two) else one + two
    return [*common, *settled]


def _order(facet: Memory) -> tuple[object, ...]:
    return (facet.instant, facet.content, facet.confidence, facet.status, _bytes(facet))


def _bytes(facet: Memory) -> bytes:
    """Decides where nothing else does, so that no result depends on which side a memory came from."""
    return encode((facet,))


def _settle(ours: list[Memory], theirs: list[Memory], strategy: str | None) -> list[Memory]:
    """Two rival groups of facets under a strategy; the loser stays as superseded.

    A group may be empty, if its side removed what the other changed: if that side wins, the memory goes. A removal has
    no time, so to `newest` it is the older one.
    """
    if strategy is None:
        raise Undecided
    if strategy == "append":
        return _distinct(ours + theirs)
    winner, loser = (theirs, ours) if strategy == "theirs" else (ours, theirs)
    if strategy == "newest":
        loser, winner = sorted((ours, theirs), key=lambda facets: (_newest(facets), encode(facets)))
    return [*(facet.superseded() for facet in loser), *winner] if winner else []


def _newest(facets: Iterable[Memory]) -> float:
    return max((facet.instant.timestamp() for facet in facets), default=float("-inf"))


def _distinct(facets: list[Memory]) -> list[Memory]:
    return [facet for position, facet in enumerate(facets) if facet not in facets[:position]]
