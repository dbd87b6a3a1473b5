"""A change of a memory follows its move on the other side: it is made where the memory is now."""

from collections.abc import Mapping

from memoir.exchange import merge_records
from memoir.git.objects import Oid
from memoir.records.record import DamagedRecord, decode, projection
from memoir.store.ancestry import beyond
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, Resolver, TreeMerge, UndecidedKey

Moves = Mapping[bytes, bytes]
"""Where the memories of some keys are now."""


def moves_of(store: Store, tip: Oid, other: Oid) -> Moves:
    """What was moved by the commits of one side that the other lacks."""
    now: dict[bytes, bytes] = {}
    for id_ in beyond(store, [tip], [other]):  # the newest first
        commit = store.of(id_).commit
        for old, new in commit.changes.moves if commit and commit.changes else ():
            now[old] = now.get(new, new)
    return now


def without_strategy_for_removals(resolve: Resolver) -> Resolver:
    """A resolver that leaves to `follow` what one side has no more: a strategy would choose between edit and move."""

    def decide(key: bytes, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
        is_removed = ours is None or theirs is None
        return (merge_records.Resolver(None) if is_removed else resolve)(key, base, ours, theirs)

    return decide


def follow(
    result: TreeMerge, ours: Snapshot, theirs: Snapshot, resolve: Resolver, moved: tuple[Moves, Moves]
) -> TreeMerge:
    """Decide clashes: where the memory is now, if one side, ours or theirs, moved what the other one changed."""
    edits, clashes = dict(result.edits), []
    decided: dict[bytes, bytes | None] = {}
    keys = {clash.key for clash in result.clashes}
    for clash in result.clashes:
        there = _at_new_key(clash, ours, theirs, moved, decided)
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
    return TreeMerge(edits, clashes)


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
