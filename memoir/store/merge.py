"""Three-way merge: two diffs against the base, and a decision for each key both sides changed.

The store does not know what a value means, so that decision is the caller's. With several merge
bases (a criss-cross history) a key is decided against each; any disagreement is a conflict.
"""

from collections.abc import Callable
from typing import NamedTuple

from memoir.store.commit import Commit, CommitId
from memoir.store.diff import diff
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.tree import Tree


class Clash(NamedTuple):
    """A key that both sides changed and that could not be decided; values are None where absent."""

    key: bytes
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


class Undecided(Exception):
    """Raised by a resolver for a key that both sides changed and it cannot settle."""


Resolver = Callable[[bytes, bytes | None, bytes | None, bytes | None], bytes | None]
"""(key, base, ours, theirs) -> the merged value, or None to remove the key; or raises `Undecided`."""


class Merged(NamedTuple):
    """The edits that turn ours into the merge, and the keys that nobody could decide."""

    edits: dict[bytes, bytes | None]
    clashes: list[Clash]


def merge_bases(store: Store, ours: CommitId, theirs: CommitId) -> list[Commit]:
    """All best common ancestors of two commits; none for unrelated histories."""
    found = store.git.run("merge-base", "--all", ours, theirs, ok=(0, 1)).decode().split()
    return store.commits(found)


def merge(store: Store, ours: Snapshot, theirs: Tree, bases: list[Tree], resolve: Resolver) -> Merged:
    """Merge two trees; no base at all counts as an empty one."""
    outcomes = [_against(base, ours, theirs, resolve) for base in bases or [store.tree(None)]]
    merged = outcomes[0]
    for other in outcomes[1:]:
        _insist_on_agreement(merged, other, ours)
    return merged


def _against(base: Tree, ours: Snapshot, theirs: Tree, resolve: Resolver) -> Merged:
    mine = {delta.key: delta for delta in diff(base, ours.tree)}
    changed = list(diff(base, theirs))
    both = [d for d in changed if d.key in mine and mine[d.key].new != d.new]
    simple = {d.key: d.new for d in changed if d.key not in mine}
    contents = ours.blobs([*simple.values(), *(oid for d in both for oid in (d.old, mine[d.key].new, d.new))])
    merged = Merged({key: contents[oid] if oid else None for key, oid in simple.items()}, [])
    for delta in both:
        values = [contents[oid] if oid else None for oid in (delta.old, mine[delta.key].new, delta.new)]
        try:
            merged.edits[delta.key] = resolve(delta.key, *values)
        except Undecided:
            merged.clashes.append(Clash(delta.key, *values))
    return merged


def _insist_on_agreement(merged: Merged, other: Merged, ours: Snapshot) -> None:
    """Turn every key on which two merge bases disagree into a clash.

    A key that one base leaves alone keeps our value there, so that is what it is compared with.
    """
    clashing = {clash.key for clash in merged.clashes}
    merged.clashes.extend(clash for clash in other.clashes if clash.key not in clashing)
    clashing |= {clash.key for clash in other.clashes}
    keys = (merged.edits.keys() | other.edits.keys()) - clashing
    mine: dict[bytes, bytes | None] = dict(ours.read(keys))
    for key in sorted(keys):
        one, two = (side.edits.get(key, mine.get(key)) for side in (merged, other))
        if one != two:
            merged.clashes.append(Clash(key, None, mine.get(key), two if one == mine.get(key) else one))
    for clash in merged.clashes:
        merged.edits.pop(clash.key, None)
