"""Three-way merge: a diff of their side against the base, and a decision for each key that ours changed, too.

The store does not know the meaning of values, so the caller decides. With several merge bases (a criss-cross history) a
key is merged against each; if the results differ, they are merged as two sides in turn.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from memoir.git.objects import Oid, object_id
from memoir.store.ancestry import common
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.transaction import StoredValue
from memoir.tree.tree import Delta, Tree, diff


class Matches(NamedTuple):
    """For each part of the base, whether each side still has it, if known better than from the values."""

    ours: tuple[bool, ...]
    theirs: tuple[bool, ...]
    disputed: frozenset[int]
    """The parts that one side moved here: for these, an unchanged part counts as a change, too."""


class Clash(NamedTuple):
    """A key that both sides changed, with its three values; None where absent."""

    key: bytes
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None
    matches: Matches | None = None

    def swapped(self) -> "Clash":
        """The clash with ours and theirs exchanged."""
        matches = self.matches and Matches(self.matches.theirs, self.matches.ours, self.matches.disputed)
        return Clash(self.key, self.base, self.theirs, self.ours, matches)


class UndecidedKey(Exception):
    """Raised by a resolver that cannot merge a key."""


Resolver = Callable[[Clash], bytes | None]
"""A function that returns the merged value, or None to remove the key, or raises `UndecidedKey`."""


Edits = dict[bytes, bytes | StoredValue | None]
"""The new values by key; None removes one."""


class TreeMerge(NamedTuple):
    """The edits that turn ours into the merge, the undecided keys, and the keys that both sides changed."""

    edits: Edits
    clashes: list[Clash]
    both: Mapping[bytes, Oid | None] = {}
    """The base values of the keys that both sides changed, equally or not."""


class Side(Protocol):
    """The target of a merge: a snapshot, or a snapshot with edits."""

    def ids(self, keys: Iterable[bytes]) -> dict[bytes, Oid]:
        """The value ids of those keys that exist."""
        ...

    def blobs(self, ids: Iterable[Oid | None]) -> dict[Oid, bytes]:
        """The contents of the value ids, except None."""
        ...


class Edited:
    """A side with edits that are not stored yet."""

    def __init__(self, store: Store, below: Side) -> None:
        self._store = store
        self._below = below
        self._ids: dict[bytes, Oid | None] = {}
        self._contents: dict[Oid, bytes] = {}

    def take(self, edits: Mapping[bytes, bytes | StoredValue | None]) -> None:
        """Apply edits."""
        for key, value in edits.items():
            if isinstance(value, bytes):
                oid = object_id(self._store.hash, "blob", value)
                self._contents[oid] = value
            self._ids[key] = oid if isinstance(value, bytes) else value and value.oid

    def ids(self, keys: Iterable[bytes]) -> dict[bytes, Oid]:
        """The value ids of those keys that exist."""
        wanted = set(keys)
        edited = {key: self._ids[key] for key in wanted & self._ids.keys()}
        below = self._below.ids(wanted - edited.keys())
        return below | {key: oid for key, oid in edited.items() if oid}

    def blobs(self, ids: Iterable[Oid | None]) -> dict[Oid, bytes]:
        """The contents of value ids, None left out."""
        wanted = {oid for oid in ids if oid is not None}
        mine = {oid: self._contents[oid] for oid in wanted & self._contents.keys()}
        return mine | self._below.blobs(wanted - mine.keys())


def merge_bases(store: Store, one: Oid, other: Oid) -> list[Commit]:
    """All best common ancestors of two commits; none for unrelated histories."""
    return store.commits(common(store, [one, other]))


def older_tree(store: Store, bases: Sequence[Oid]) -> Tree | None:
    """The tree of the common ancestor of several merge bases; None for a single base.

    If there are several such ancestors, any of them shows which base has newer values.
    """
    if len(bases) < 2:
        return None
    return store.of(min(common(store, bases), default=None)).tree


def merge_trees(
    store: Store, ours: Side, theirs: Tree, bases: list[Tree], resolve: Resolver, older: Tree | None = None
) -> TreeMerge:
    """Merge two trees; no base counts as an empty one. `older` is the common ancestor of several bases, if known.

    A value that only theirs changed is not read; the edit refers to it by id.
    """
    trees = bases or [store.tree(None)]
    deltas = [{delta.key: delta for delta in diff(base, theirs)} for base in trees]
    settled = _one_base(trees, deltas, older) if older is not None else {}
    outcomes = [merge_deltas(ours, [each[key] for key in each if key not in settled], resolve) for each in deltas]
    result = outcomes[0]
    for other in outcomes[1:]:
        _reconcile(result, other, ours, trees[0], resolve)
    more = merge_deltas(ours, [delta for delta in settled.values() if delta.old != delta.new], resolve)
    both = {key: oid for each in (*outcomes, more) for key, oid in each.both.items()}
    return TreeMerge(result.edits | more.edits, result.clashes + more.clashes, both)


def _one_base(trees: list[Tree], deltas: list[dict[bytes, Delta]], older: Tree) -> dict[bytes, Delta]:
    """Deltas for keys on which all up-to-date bases agree; a base with the older value is ignored.

    Both sides have seen the newer value, so a side without it has changed it since.
    """
    new = {key: delta.new for each in deltas for key, delta in each.items()}
    before, values = older.get(new), [tree.get(new) for tree in trees]
    changed = {key: {each.get(key) for each in values} - {before.get(key)} for key in new}
    return {
        key: Delta(key, next(iter(changed[key]), before.get(key)), new[key]) for key in new if len(changed[key]) < 2
    }


def merge_deltas(ours: Side, deltas: Collection[Delta], resolve: Resolver) -> TreeMerge:
    """Merge deltas from their side into ours; see `merge_trees`."""
    mine = ours.ids(delta.key for delta in deltas)
    both = [d for d in deltas if mine.get(d.key) not in (d.old, d.new)]
    changed = {d.key: d.old for d in deltas if mine.get(d.key) != d.old}
    edits: Edits = {d.key: StoredValue(d.new) if d.new else None for d in deltas if mine.get(d.key) == d.old}
    result = TreeMerge(edits, [], changed)
    contents = ours.blobs(oid for d in both for oid in (d.old, mine.get(d.key), d.new))
    for delta in both:
        before, one, two = (contents[oid] if oid else None for oid in (delta.old, mine.get(delta.key), delta.new))
        decide(result, Clash(delta.key, before, one, two), resolve)
    return result


def decide(result: TreeMerge, rivals: Clash, resolve: Resolver) -> None:
    """Record the merged value of a key that both sides changed, or record it as undecided."""
    try:
        result.edits[rivals.key] = resolve(rivals)
    except UndecidedKey:
        result.edits.pop(rivals.key, None)
        result.clashes.append(rivals)


def _reconcile(result: TreeMerge, other: TreeMerge, ours: Side, base: Tree, resolve: Resolver) -> None:
    """Join the results for two merge bases into `result`; where they differ, merge the two values.

    A key without an edit for one base keeps our value there.
    """
    clash_keys = {clash.key for clash in result.clashes}
    result.clashes.extend(clash for clash in other.clashes if clash.key not in clash_keys)
    clash_keys |= {clash.key for clash in other.clashes}
    keys = sorted((result.edits.keys() | other.edits.keys()) - clash_keys)
    mine, at_base = ours.ids(keys), base.get(keys)
    old = ours.blobs((*mine.values(), *at_base.values()))
    for key in keys:
        unchanged = old[mine[key]] if key in mine else None
        one, two = (_content(side.edits.get(key, unchanged), ours) for side in (result, other))
        if one != two:
            decide(result, Clash(key, old[at_base[key]] if key in at_base else None, one, two), resolve)
    for clash in result.clashes:
        result.edits.pop(clash.key, None)


def _content(value: bytes | StoredValue | None, side: Side) -> bytes | None:
    return side.blobs([value.oid])[value.oid] if isinstance(value, StoredValue) else value
