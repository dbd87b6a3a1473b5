"""Three-way merge: two diffs against the base, and a decision for each key both sides changed.

The store does not know what a value means, so that decision is the caller's. With several merge
bases (a criss-cross history) a key is decided against each; where the outcomes differ, they are
rivals in their turn.
"""

from collections.abc import Callable
from typing import NamedTuple

from memoir.git.objects import Oid
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import StoredValue
from memoir.tree.diff import diff
from memoir.tree.tree import Tree


class Clash(NamedTuple):
    """A key that both sides changed and that could not be decided; values are None where absent."""

    key: bytes
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


class UndecidedKey(Exception):
    """Raised by a resolver for a key that both sides changed and it cannot settle."""


Resolver = Callable[[bytes, bytes | None, bytes | None, bytes | None], bytes | None]
"""(key, base, ours, theirs) -> the merged value, or None to remove the key; or raises `UndecidedKey`."""


class TreeMerge(NamedTuple):
    """The edits that turn ours into the merge, and the keys that nobody could decide."""

    edits: dict[bytes, bytes | StoredValue | None]
    clashes: list[Clash]


def merge_bases(store: Store, one: Oid, *others: Oid) -> list[Commit]:
    """All best common ancestors of a commit and another, or a merge of several; none for unrelated histories."""
    ids = store.git.read("merge-base", "--all", *map(str, (one, *others)), ok=(0, 1)).decode().split()
    return store.commits(list(map(Oid.fromhex, ids)))


def merge_trees(store: Store, ours: Snapshot, theirs: Tree, bases: list[Tree], resolve: Resolver) -> TreeMerge:
    """Merge two trees; no base at all counts as an empty one.

    A value that only they changed is not read, whatever its size; the edit names it.
    """
    trees = bases or [store.tree(None)]
    outcomes = [_against(base, ours, theirs, resolve) for base in trees]
    result = outcomes[0]
    for other in outcomes[1:]:
        _reconcile(result, other, ours, trees[0], resolve)
    return result


def _against(base: Tree, ours: Snapshot, theirs: Tree, resolve: Resolver) -> TreeMerge:
    mine = {delta.key: delta for delta in diff(base, ours.tree)}
    deltas = list(diff(base, theirs))
    both = [d for d in deltas if d.key in mine and mine[d.key].new != d.new]
    result = TreeMerge({d.key: StoredValue(d.new) if d.new else None for d in deltas if d.key not in mine}, [])
    contents = ours.blobs(oid for d in both for oid in (d.old, mine[d.key].new, d.new))
    for delta in both:
        values = [contents[oid] if oid else None for oid in (delta.old, mine[delta.key].new, delta.new)]
        _decide(result, Clash(delta.key, *values), resolve)
    return result


def _decide(result: TreeMerge, rivals: Clash, resolve: Resolver) -> None:
    try:
        result.edits[rivals.key] = resolve(*rivals)
    except UndecidedKey:
        result.edits.pop(rivals.key, None)
        result.clashes.append(rivals)


def _reconcile(result: TreeMerge, other: TreeMerge, ours: Snapshot, base: Tree, resolve: Resolver) -> None:
    """Bring together what two merge bases led to; where they disagree, the two outcomes are rivals.

    A key that one base leaves alone keeps our value there, so that is its outcome.
    """
    clash_keys = {clash.key for clash in result.clashes}
    result.clashes.extend(clash for clash in other.clashes if clash.key not in clash_keys)
    clash_keys |= {clash.key for clash in other.clashes}
    keys = sorted((result.edits.keys() | other.edits.keys()) - clash_keys)
    mine, at_base = ours.read(keys), base.get(keys)
    old = ours.blobs(at_base.values())
    for key in keys:
        one, two = (_content(side.edits.get(key, mine.get(key)), ours) for side in (result, other))
        if one != two:
            _decide(result, Clash(key, old[at_base[key]] if key in at_base else None, one, two), resolve)
    for clash in result.clashes:
        result.edits.pop(clash.key, None)


def _content(value: bytes | StoredValue | None, snapshot: Snapshot) -> bytes | None:
    return snapshot.blobs([value.oid])[value.oid] if isinstance(value, StoredValue) else value
