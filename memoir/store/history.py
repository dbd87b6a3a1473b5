"""Queries of the history: the versions of a key, and the commits that changed keys.

Versions are found with the commits' own change lists. Trees are opened only where a list is not reliable: at merges, at
bulk commits, and where a commit's stated base is not its parent's tree.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from memoir.git.objects import Oid
from memoir.store.change_table import Range, Rest, Stop, WalkLostError
from memoir.store.commit import ChangeList, Commit
from memoir.store.snapshot import tree_of
from memoir.store.store import Store
from memoir.store.walk import every_commit, has_memories, stops
from memoir.tree.tree import operation

if TYPE_CHECKING:
    from memoir.tree.tree import Delta

_T = TypeVar("_T")


class KeyVersion:
    """One change of a key: the commit, the operation, and the key and value after it.

    For `modified`, `before` is the value before it.
    """

    def __init__(
        self, commit: Commit, operation: str, key: bytes, value: Oid | None, before: Oid | None = None
    ) -> None:
        self.commit, self.operation, self.key, self.value, self.before = commit, operation, key, value, before


def changes(store: Store, commit: Commit) -> "list[Delta]":
    """The actual difference of a commit from its first parent; a parent of code, without memories, counts as empty."""
    from memoir.tree.tree import diff

    before = [each.id for each in store.commits(commit.parents[:1]) if has_memories(store, each)]
    return list(diff(store.of(next(iter(before), None)).tree, store.of(commit.id).tree))


def commits_touching(store: Store, tip: Commit, ranges: Collection[Range]) -> Iterator[Commit]:
    """The commits that changed a key in the ranges, children before parents."""
    return _search(partial(_search_walk, store, ranges), _walks(store, tip, ranges))


def _search_walk(store: Store, ranges: Collection[Range], walk: Iterator[list[Stop]]) -> Iterator[Commit]:
    for batch in walk:
        commits = [stop.commit for stop in batch]
        for commit, keys in zip(commits, clear_changes(store, commits), strict=True):
            if keys is None:
                is_hit = any(_changes_range(store, commit, low, high) for low, high in ranges)
            else:
                is_hit = any(low <= key < high for key in keys for low, high in ranges)
            if is_hit:
                yield commit


def _changes_range(store: Store, commit: Commit, low: bytes, high: bytes) -> bool:
    """Whether a commit differs from its first parent in a range of keys."""
    from memoir.tree.tree import diff

    return any(diff(store.before(commit).tree, store.of(commit.id).tree, low, high))


def _walks(store: Store, tip: Commit, ranges: Collection[Range]) -> Iterator[Iterator[list[Stop]]]:
    """The walks to try in order: all give the same result, and only the last never fails.

    A short linear history builds no table.
    """
    if store.make_table:
        table = cache(store.make_table)
        bounded = partial(every_commit, store, tip, bounded=True)

        def from_table(last: Commit) -> Rest:
            return table().rest(tip.id, ranges, last)

        def at_first(last: Commit) -> Rest:
            return from_table(last) if table().exists() else bounded(last)

        yield stops(store, tip, at_first)
        if table().exists():
            yield stops(store, tip, bounded)
        yield stops(store, tip, from_table)
    yield stops(store, tip, partial(every_commit, store, tip, bounded=False))


def _search(
    search: Callable[[Iterator[list[Stop]]], Iterator[_T]], walks: Iterable[Iterator[list[Stop]]]
) -> Iterator[_T]:
    """The results of a search, each once, repeated in the next walk if one fails."""
    number = 0
    for batches in walks:
        try:
            for result in islice(search(batches), number, None):
                number += 1
                yield result
        except WalkLostError:
            continue
        return


def _moves_of(store: Store, tip: Oid, other: Oid) -> Mapping[bytes, bytes]:
    """The moves of whole paths by the commits of `tip` that `other` lacks, old to new."""
    from memoir.store.ancestry import beyond

    now: dict[bytes, bytes] = {}
    for id_ in beyond(store, [tip], [other]):  # the newest first
        commit = store.of(id_).commit
        for old, new in commit.changes.moves if commit and commit.changes else ():
            now[old] = now.get(new, new)
    return now


def _is_moved_to(store: Store, merge: Commit, key: bytes) -> bool:
    """Whether a commit that some parent of a merge lacks moved anything to a key; one query for all parents.

    A fold has many parents, and most lack what a few of them wrote.
    """
    from memoir.store.ancestry import beyond, common

    commits = store.commits(list(beyond(store, merge.parents, common(store, merge.parents))))
    return any(new == key for each in commits if each.changes for _, new in each.changes.moves)


def clear_changes(store: Store, commits: Sequence[Commit]) -> Iterator[tuple[bytes, ...] | None]:
    """For each commit, the keys it says it changed against its first parent; None if its list is not reliable.

    Commits in `Store.distrusted` are not reliable either.
    """
    trees = {commit.id: commit.tree for commit in commits}
    others = list({parent for commit in commits for parent in commit.parents[:1]} - trees.keys())
    trees |= {parent.id: parent.tree for parent in store.commits(others)}
    for commit in commits:
        change_list = commit.changes
        before = trees[commit.parents[0]] if commit.parents else None
        yield (*change_list.put, *change_list.forget) if change_list and _reliable(store, commit, before) else None


def versions(store: Store, tip: Commit, key: bytes) -> Iterator[KeyVersion]:
    """Every version of a key, newest first, followed through moves.

    As in git's history simplification, a merge with the same value as a parent is skipped for that parent: a version is
    credited to the commit that wrote it.
    """
    return (version for _, version in versions_of_all(store, tip, [key]))


def versions_of_all(
    store: Store, tip: Commit, keys: Sequence[bytes], *, hurried: bool = False
) -> Iterator[tuple[bytes, KeyVersion]]:
    """The versions of several keys in one walk, each with the key asked for; see `versions`.

    A hurried walk builds no table, and may end early in a long history without one.
    """
    ranges = [(key, key + b"\0") for key in keys]
    walks = _walks(store, tip, ranges)
    return _search(partial(_versions, store, tip.id, keys), islice(walks, 1 if hurried else None))


def _versions(
    store: Store, tip: Oid, keys: Sequence[bytes], walk: Iterator[list[Stop]]
) -> Iterator[tuple[bytes, KeyVersion]]:
    trail = _Trail(store)
    frontier: dict[Hashable, set[tuple[bytes, bytes]]] = {tip: {(key, key) for key in keys}}
    for batch in walk:
        trail.roots |= {stop.commit.id: stop.commit.tree for stop in batch}
        for stop in batch:
            below = dict(zip(stop.commit.parents, stop.below, strict=True))
            for key_here, key in sorted(frontier.pop(stop.name, ())):
                version, onward = trail.step(stop.commit, key_here)
                yield from [(key, version)] if version else ()
                for parent, key_there in onward:
                    if (stop_below := below[parent]) is not None:
                        frontier.setdefault(stop_below, set()).add((key_there, key))
        if not frontier:
            return


_Onward = list[tuple[Oid, bytes]]


class _Trail:
    """Decides for each commit whether it changed a key, and where to look next."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.roots: dict[Oid, Oid] = {}

    def step(self, commit: Commit, key: bytes) -> tuple[KeyVersion | None, _Onward]:
        if len(commit.parents) > 1:
            return self._step_at_merge(commit, key)
        parent = next(iter(commit.parents), None)
        onward: _Onward = [(parent, key)] if parent else []
        if _reliable(self.store, commit, self._root(parent)) and not _mentions(commit.changes, key):
            return None, onward
        old, new = self._value(parent, key), self._value(commit.id, key)
        if old == new:
            return None, onward
        sources = [source for source in _sources_of(commit.changes, key) if self._is_move(commit, parent, source, new)]
        if parent and sources:
            names = [*sources, key] if old else sources
            return KeyVersion(commit, "moved", key, new), [(parent, name) for name in names]
        return KeyVersion(commit, operation(old, new), key, new, old), onward

    def _is_move(self, commit: Commit, parent: Oid | None, source: bytes, new: Oid | None) -> bool:
        """Whether a value came from another key: an equal value, or a different one that this commit removed there.

        Memories that another store had added there may stay, if a sync repeated the move.
        """
        before = self._value(parent, source)
        return new is not None and (before == new or (before is not None and self._value(commit.id, source) != before))

    def _step_at_merge(self, commit: Commit, key: bytes) -> tuple[KeyVersion | None, _Onward]:
        value = self._value(commit.id, key)
        for parent in commit.parents:
            if self._value(parent, key) == value:
                return None, [(parent, key)]
        holders = [parent for parent in commit.parents if self._value(parent, key)]
        others = holders if len(holders) < len(commit.parents) and _is_moved_to(self.store, commit, key) else []
        names = ((parent, name) for parent in commit.parents for name in self._names_at(others, parent, key))
        return KeyVersion(commit, "merged", key, value), [*names]

    def _names_at(self, others: Sequence[Oid], parent: Oid, key: bytes) -> list[bytes]:
        """A merged key's names at a parent: the key itself, else the keys from which other parents moved it."""
        if self._value(parent, key):
            return [key]
        moved = (_moves_of(self.store, other, parent) for other in others)
        return [old for moves in moved for old, new in moves.items() if new == key and self._value(parent, old)]

    def _value(self, commit: Oid | None, key: bytes) -> Oid | None:
        return self.store.of(commit).tree.get([key]).get(key)

    def _root(self, commit: Oid | None) -> Oid | None:
        if commit and commit not in self.roots:
            self.roots[commit] = tree_of(self.store.reader.read([commit], "commit")[0])
        return self.roots[commit] if commit else None


def is_believed(store: Store, commit: Commit, before: Oid | None) -> bool:
    """Whether a commit's change list can be believed, given the tree of its first parent."""
    return commit.changes is not None and commit.changes.base == before and commit.id not in store.distrusted


def _reliable(store: Store, commit: Commit, before: Oid | None) -> bool:
    """Whether a commit's change list can replace comparing its trees."""
    return commit.changes is not None and commit.changes.bulk is None and is_believed(store, commit, before)


def _mentions(changes: ChangeList | None, key: bytes) -> bool:
    return changes is not None and (key in changes.put or key in changes.forget)


def _sources_of(changes: ChangeList | None, key: bytes) -> list[bytes]:
    """The keys that a commit moved to a key; there may be several."""
    return [old for old, new in changes.moves if new == key] if changes else []
