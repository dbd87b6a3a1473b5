"""A change of a memory follows its move on the other side: it is made where the memory is now.

What one side moved and the other one forgot, or moved elsewhere, is in conflict, as in git: a choice for a path where
it is now keeps or removes it there. Otherwise what was forgotten would be back, or be there twice. A move is what a
commit records as one: of all that is at a key, not of one memory among several.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from memoir.exchange.merge_records import Resolver as RecordResolver
from memoir.exchange.merge_records import fates, readable
from memoir.git.objects import Oid
from memoir.records.record import DamagedRecord, Memory, Record, decode, encode, projection
from memoir.store.history import Moves
from memoir.store.snapshot import Snapshot
from memoir.store.three_way import Clash, Resolver, Side, TreeMerge, UndecidedKey
from memoir.store.transaction import StoredValue


def without_strategy_for_removals(resolve: Resolver) -> Resolver:
    """A resolver that leaves to `follow` what one side has no more: a strategy would choose between edit and move."""

    def decide(key: bytes, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
        is_removed = ours is None or theirs is None
        return (RecordResolver(None) if is_removed else resolve)(key, base, ours, theirs)

    return decide


def follow(
    result: TreeMerge,
    ours: Snapshot,
    theirs: Snapshot,
    resolve: Resolver,
    moved: tuple[Callable[[], Moves], Callable[[], Moves]],
) -> TreeMerge:
    """Decide clashes: where the memory is now, if one side, ours or theirs, moved what the other one changed.

    `moved` says what ours and what theirs moved, if they changed the same keys.
    """
    if not (result.clashes or both_ended(result, ours, theirs)):
        return result
    moves = moved[0](), moved[1]()
    edits, clashes = dict(result.edits), []
    decided: dict[bytes, bytes | None] = {}
    keys = {clash.key for clash in result.clashes}
    for clash in result.clashes:
        there = _at_new_key(clash, ours, theirs, moves, decided)
        try:
            if there is None or there.key in keys:  # what is there now is in dispute itself
                edits[clash.key] = resolve(*clash)
                continue
            edits[there.key] = decided[there.key] = resolve(*there)
        except UndecidedKey:
            clashes.append(clash)
            continue
        if clash.ours is not None:
            edits[clash.key] = None
    more = dispute(TreeMerge(edits, result.clashes, result.both), ours, theirs, resolve, moves)
    return TreeMerge(more.edits, clashes + more.clashes[len(result.clashes) :])


def both_ended(result: TreeMerge, ours: Side, theirs: Side) -> bool:
    """Whether both sides changed a key that one of them has no more: without that, nobody need ask what was moved."""
    known = [key for key, before in result.both.items() if before]
    return any(len(side.ids(known)) < len(known) for side in (ours, theirs))


def dispute(result: TreeMerge, ours: Side, theirs: Side, resolve: Resolver, moves: tuple[Moves, Moves]) -> TreeMerge:
    """Add what one side moved and the other one forgot or moved elsewhere; see above."""
    done = TreeMerge(dict(result.edits), [*result.clashes], result.both)
    for clash in _disputes(done, ours, theirs, moves):  # each begins with what was decided before it
        try:
            done.edits[clash.key] = resolve(*clash)
        except UndecidedKey:
            done.clashes.append(clash)
    return done


def _disputes(result: TreeMerge, ours: Side, theirs: Side, moves: tuple[Moves, Moves]) -> Iterator[Clash]:
    """What one side moved, at its key now, while the other one forgot it or moved it elsewhere."""
    clashing = {clash.key for clash in result.clashes}
    before = {key: oid for key, oid in result.both.items() if oid and key not in clashing}
    for mover, other, moved in ((ours, theirs, moves[0]), (theirs, ours, moves[1])):
        gone: dict[bytes, Record] = {}
        for old in sorted(before.keys() & moved.keys()):
            new = moved[old]
            if new != old and new not in clashing:
                was = readable(_value(ours, before[old]))
                gone[new] = (*gone.get(new, ()), *_without(was, _read(other, [old, new]).values()))
        for new, memories in gone.items():
            at_new = result.both[new] if new in result.both else other.ids([new]).get(new)
            base = readable(_value(ours, at_new))
            fate = fates((*base, *memories), readable(_read(mover, [new]).get(new)))[len(base) :]
            merged = readable(_value(ours, result.edits[new] if new in result.edits else ours.ids([new]).get(new)))
            came = [(old, now) for old, now in zip(memories, fate, strict=True) if now in merged]
            if came:
                yield _rivals(new, merged, came, is_ours=mover is ours)


def _rivals(key: bytes, merged: Record, came: list[tuple[Memory, Memory]], *, is_ours: bool) -> Clash:
    """A clash about those memories of a record that came by a move, from what they were: the other side has none.

    What they were has another confidence here, so that it is nobody's: what was moved does not count as unchanged.
    """
    others = tuple(memory for memory in merged if memory not in [now for _, now in came])
    before = (old._replace(confidence=0.5 if now.confidence == 1 else 1.0) for old, now in came)
    sides = encode((*others, *(now for _, now in came))), encode(others) if others else None
    return Clash(key, encode((*others, *before)), *(sides if is_ours else sides[::-1]))


def _read(side: Side, keys: Iterable[bytes]) -> dict[bytes, bytes]:
    ids = side.ids(keys)
    contents = side.blobs(ids.values())
    return {key: contents[oid] for key, oid in ids.items()}


def _value(side: Side, value: bytes | StoredValue | Oid | None) -> bytes | None:
    oid = value.oid if isinstance(value, StoredValue) else value
    return side.blobs([oid])[oid] if isinstance(oid, Oid) else oid


def _without(record: Record, others: Iterable[bytes]) -> Record:
    """What of a record some others do not have, by its words and time."""
    kept = {(memory.content, memory.timestamp) for other in others for memory in readable(other)}
    return tuple(memory for memory in record if (memory.content, memory.timestamp) not in kept)


def _at_new_key(
    clash: Clash, ours: Snapshot, theirs: Snapshot, moved: tuple[Moves, Moves], decided: Mapping[bytes, bytes | None]
) -> Clash | None:
    """A clash where the memory is now; None if nobody moved it, or if the other side has another one there.

    None, too, if the other side moved memories from or to its key: those need not be the ones that were there.
    Of several that were moved to one key, each is decided with what was `decided` for those before it.
    """
    is_ours = clash.ours is None
    key = moved[not is_ours].get(clash.key)
    if key is None or (clash.ours is not None and clash.theirs is not None):
        return None
    if clash.key in (*moved[is_ours], *moved[is_ours].values()):
        return None
    mine, other = (side.read([key]).get(key) for side in (ours, theirs))
    taken, kept = (other, mine) if is_ours else (mine, other)
    if taken is not None or kept is None:
        return None
    kept = decided.get(key) or kept
    base = kept if _says_the_same(kept, clash.base) else clash.base  # a move forgets how the memory was filed
    return Clash(key, base, kept if is_ours else clash.ours, clash.theirs if is_ours else kept)


def _says_the_same(moved: bytes, before: bytes | None) -> bool:
    """Whether a record says what it said before; not if one cannot be read."""
    try:
        return before is not None and projection(decode(moved)) == projection(decode(before))
    except DamagedRecord:
        return False
