"""Walking history: commits in order, and the versions of one key.

Both read the commits that a `git rev-list` stream names. A key's versions come from the commits' own
change lists; trees are opened only where a list cannot be relied on: at merges, at bulk commits,
and where a commit's stated base is not its parent's tree.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from memoir.store import graph
from memoir.store.commit import ChangeList, Commit, CommitId
from memoir.store.diff import Delta, diff
from memoir.store.odb import Oid
from memoir.store.store import Store

_STRAIGHT, _FIRST_BATCH, _LARGEST_BATCH = 4, 16, 1000


class Version(NamedTuple):
    """One change of a key: the commit that made it, what it did, the key's name and value then.

    Of a modified one `before` is the value it had.
    """

    commit: Commit
    operation: str
    key: bytes
    value: Oid | None
    before: Oid | None = None


def walk(store: Store, tip: Commit, *, since: int | None = None, until: int | None = None) -> Iterator[Commit]:
    """Commits reachable from one, children before parents; most of those outside a time may be left out."""
    after = [f"--since-as-filter=@{since} +0000"] if since else []
    before = [f"--min-age={until}"] if until and until > 0 else []
    for batch in _batches(store, tip, *after, *before):
        yield from batch


def everything(store: Store) -> Iterator[Commit]:
    """Commits that any ref or reflog reaches, children before parents."""
    for batch in _listed(store, "--all", "--reflog"):
        yield from batch


def _batches(store: Store, tip: Commit, *which: str) -> Iterator[list[Commit]]:
    """The walk in batches: a straight line at the tip needs no further process, the rest is git's list."""
    last = tip
    yield [tip]
    for _ in range(_STRAIGHT):
        if line := _straight(store, last):
            yield line
            last = line[-1]
    if last.parents:
        believed, seen = graph.options(store), 0
        for batch in _listed(store, *which, *last.parents, options=believed):
            seen += len(batch)
            if seen - len(batch) <= graph.LONG < seen:
                graph.refresh(store, tip.id)
            yield batch
        if which and not believed:
            count(store, tip.id)  # those that were left out count as well


def _straight(store: Store, commit: Commit) -> list[Commit]:
    """Up to a batch of a commit's ancestors, as far as each has one parent."""
    line = [commit]
    while len(line) <= _FIRST_BATCH and len(line[-1].parents) == 1:
        line += store.commits(line[-1].parents)
    return line[1:]


def _listed(store: Store, *arguments: str, options: Sequence[str] = ()) -> Iterator[list[Commit]]:
    process = store.git.start(*options, "rev-list", "--topo-order", *arguments, "--")
    assert process.stdout
    try:
        size = _FIRST_BATCH
        while batch := [line.decode().strip() for line in islice(process.stdout, size)]:
            yield store.commits(batch)
            size = min(size * 4, _LARGEST_BATCH)
        store.git.check(process, "rev-list")
    finally:
        store.git.reap(process)


def count(store: Store, commit: CommitId) -> int:
    """How many commits are reachable from one."""
    number = int(store.git.read(*graph.options(store), "rev-list", "--count", commit, "--"))
    if number > graph.LONG:
        graph.refresh(store, commit)
    return number


def between(store: Store, old: CommitId, new: CommitId) -> set[CommitId]:
    """The commits reachable from one and not from another."""
    return set(store.git.read(*graph.options(store), "rev-list", new, f"^{old}", "--").decode().split())


def ahead_behind(store: Store, ours: CommitId, theirs: CommitId) -> tuple[int, int]:
    """How many commits only `ours` has, and how many only `theirs` has."""
    count = ("rev-list", "--left-right", "--count", f"{ours}...{theirs}", "--")
    ahead, behind = store.git.read(*graph.options(store), *count).split()
    return int(ahead), int(behind)


def is_ancestor(store: Store, older: CommitId, newer: CommitId) -> bool:
    """Whether one commit is reachable from another (a commit is from itself)."""
    return bool(older == newer or not store.git.read("rev-list", "-1", older, f"^{newer}", "--"))


def changes(store: Store, commit: Commit) -> list[Delta]:
    """The actual difference of a commit to its first parent."""
    return list(diff(store.of(next(iter(commit.parents), None)).tree, store.of(commit.id).tree))


def changed_keys(store: Store, commit: Commit) -> Iterator[bytes]:
    """The keys a commit changed against its first parent, from its change list if that can be relied on."""
    parents = store.commits(commit.parents[:1])
    if commit.changes and _reliable(store, commit, parents[0].tree if parents else None):
        yield from (*commit.changes.put, *commit.changes.forget)
    else:
        yield from (delta.key for delta in changes(store, commit))


def versions(store: Store, tip: Commit, key: bytes) -> Iterator[Version]:
    """Every version of a key, newest first, followed through moves.

    As in git's history simplification, a merge whose value equals a parent's passes the question
    on to that parent: a version is credited to the commit that wrote it.
    """
    trail = _Trail(store)
    wanted: dict[CommitId, set[bytes]] = {tip.id: {key}}
    for batch in _batches(store, tip):
        trail.roots |= {commit.id: commit.tree for commit in batch}
        for commit in batch:
            for name in sorted(wanted.pop(commit.id, ())):
                version, onward = trail.step(commit, name)
                if version:
                    yield version
                for parent, key_there in onward:
                    wanted.setdefault(parent, set()).add(key_there)
        if not wanted:
            return


_Onward = list[tuple[CommitId, bytes]]


class _Trail:
    """Decides, commit by commit, whether it changed a key and where to look next."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.roots: dict[CommitId, Oid] = {}

    def step(self, commit: Commit, key: bytes) -> tuple[Version | None, _Onward]:
        if len(commit.parents) > 1:
            return self._merge(commit, key)
        parent = next(iter(commit.parents), None)
        onward: _Onward = [(parent, key)] if parent else []
        if _reliable(self.store, commit, self._root(parent)) and not _mentions(commit.changes, key):
            return None, onward
        old, new = self._value(parent, key), self._value(commit.id, key)
        if old == new:
            return None, onward
        moved = [source for source in _moved_from(commit.changes, key) if self._moved(commit, parent, source, new)]
        if parent and moved:
            return Version(commit, "moved", key, new), [(parent, name) for name in (*moved, *([key] if old else []))]
        operation = "added" if old is None else "removed" if new is None else "modified"
        return Version(commit, operation, key, new, old), onward

    def _moved(self, commit: Commit, parent: CommitId | None, source: bytes, new: Oid | None) -> bool:
        """Whether a value came from another key: the same one, or, if it met another there, one that is gone since."""
        before = self._value(parent, source)
        return new is not None and (before == new or (before is not None and self._value(commit.id, source) is None))

    def _merge(self, commit: Commit, key: bytes) -> tuple[Version | None, _Onward]:
        value = self._value(commit.id, key)
        for parent in commit.parents:
            if self._value(parent, key) == value:
                return None, [(parent, key)]
        return Version(commit, "merged", key, value), [(parent, key) for parent in commit.parents]

    def _value(self, commit: CommitId | None, key: bytes) -> Oid | None:
        return self.store.of(commit).tree.get([key]).get(key)

    def _root(self, commit: CommitId | None) -> Oid | None:
        if commit and commit not in self.roots:
            self.roots[commit] = self.store.commits([commit])[0].tree
        return self.roots[commit] if commit else None


def _reliable(store: Store, commit: Commit, before: Oid | None) -> bool:
    """Whether a commit's change list can be believed instead of its trees."""
    changes = commit.changes
    listed = changes is not None and changes.bulk is None and changes.base == before
    return listed and commit.id not in store.liars


def _mentions(changes: ChangeList | None, key: bytes) -> bool:
    return changes is not None and (key in changes.put or key in changes.forget)


def _moved_from(changes: ChangeList | None, key: bytes) -> list[bytes]:
    """The keys whose values were brought to a key: several may have met there."""
    return [old for old, new in changes.moves if new == key] if changes else []
