"""Checking a whole store: git's objects, then memoir's invariants in every commit."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from memoir.errors import MemoirError
from memoir.store import history
from memoir.store.commit import BULK, ChangeList, Commit
from memoir.store.diff import Delta, diff
from memoir.store.odb import Oid
from memoir.store.refs import BRANCHES
from memoir.store.shape import shape_problems
from memoir.store.store import Store
from memoir.store.tree import Tree


class Report(NamedTuple):
    """What `fsck` looked at and what it found wrong."""

    commits: int
    values: int
    problems: list[str]


CheckValue = Callable[[bytes, bytes], str | None]
"""(key, value) -> what is wrong with the pair, or None."""


def fsck(store: Store, check_value: CheckValue) -> Report:
    """Check git's objects, then memoir's invariants in every commit any ref or reflog reaches."""
    check = _Fsck(store, check_value)
    problems = _git_problems(store)
    commits = 0
    try:
        for commit in history.everything(store):
            commits += 1
            problems += [f"commit {commit.id[:12]}: {text}" for text in check.commit(commit)]
    except MemoirError as error:
        problems.append(error.message)
    return Report(commits, len(check.values), problems)


def _git_problems(store: Store) -> list[str]:
    done = store.git.try_run("fsck", "--full", "--strict", "--no-dangling", "--no-progress")
    words = (done.stdout + done.stderr).decode("utf-8", "replace").splitlines()
    notices = ("notice:", "Checking", "dangling")
    problems = [f"git: {line}" for line in words if line and not line.startswith(notices)]
    return problems if done.returncode else []


class _Fsck:
    """Checks commit after commit, each against its parent, each value once."""

    def __init__(self, store: Store, check_value: CheckValue) -> None:
        self.store = store
        self.check_value = check_value
        self.values: set[tuple[bytes, Oid]] = set()
        self.tips = {ref.commit for ref in store.refs.list(BRANCHES)}

    def commit(self, commit: Commit) -> Iterator[str]:
        """What is wrong with a commit's shape, change list and new values."""
        parents = self.store.commits(commit.parents[:1])
        base = parents[0].tree if parents else None
        before, after = self.store.of(next(iter(commit.parents), None)).tree, self.store.of(commit.id).tree
        trusted = before if before.root == base else self.store.tree(None)
        yield from self._shape(commit, self.store.tree(commit.tree), trusted)
        deltas = list(diff(before, after))
        yield from _change_list_problems(commit.changes, base, deltas)
        yield from self._values(deltas)

    def _shape(self, commit: Commit, tree: Tree, trusted: Tree) -> Iterator[str]:
        """Another git's commit may have any shape once a commit of memoir's own stands on it."""
        if commit.changes is not None or commit.id in self.tips:
            yield from shape_problems(tree, trusted)

    def _values(self, deltas: list[Delta]) -> Iterator[str]:
        fresh = sorted({(d.key, d.new) for d in deltas if d.new is not None} - self.values)
        self.values.update(fresh)
        for key, value in self.store.snapshot(None).values(fresh):
            if problem := self.check_value(key, value):
                yield f"{key.decode(errors='replace')!r}: {problem}"


def _change_list_problems(listed: ChangeList | None, base: Oid | None, deltas: list[Delta]) -> Iterator[str]:
    """A commit without a list, or with another base, is a foreign one: allowed, and never believed."""
    if listed is None or listed.base != base:
        return
    put = tuple(d.key for d in deltas if d.new is not None)
    forget = tuple(d.key for d in deltas if d.new is None)
    if listed.bulk is not None:
        if listed.bulk != len(deltas) or (0 < len(deltas) <= BULK):
            yield f"its trailers count {listed.bulk} changes and it made {len(deltas)}"
    elif (listed.put, listed.forget) != (put, forget):
        yield "its trailers do not name the keys it changed"
