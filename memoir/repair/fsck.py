"""Checks a whole store: git's objects, then memoir's invariants in every commit."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from memoir.errors import DamagedStore, MemoirError
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES
from memoir.memory.soundness import fault
from memoir.progress import OpenProgress, tell_nobody
from memoir.repair import ref_logs
from memoir.repair.checks import CheckValue, change_list_problems, value_problems
from memoir.store import safeguards
from memoir.store.commit import Commit
from memoir.store.snapshot import is_memoirs
from memoir.store.store import Store
from memoir.store.transaction import normalise
from memoir.store.walk import everything, has_memories
from memoir.tree.node import NotMemoirs
from memoir.tree.shape import shape_problems
from memoir.tree.tree import Delta, Tree, diff

_VALUES = 500
"""The values that are checked together."""
_TRIES = 5
_MOST_PROBLEMS = 100
"""The most problems reported of one commit, since a hostile tree may have any number."""


class FsckReport(NamedTuple):
    """The result of `fsck`."""

    commits: int
    """The number of commits checked."""
    values: int
    """The number of values checked."""
    problems: list[str]
    """The problems, in words."""
    keys: frozenset[bytes]
    """The keys that had a value in any commit."""
    signers: Mapping[str, int] | None = None
    """The number of commits by each allowed signer, if signatures were checked."""


def fsck(store: Store, check_value: CheckValue = fault, progress: OpenProgress | None = None) -> FsckReport:
    """Check git's objects, then memoir's invariants in every commit any ref or reflog reaches.

    `progress` gets the number of commits done, and of all.
    """
    check = _Fsck(store, check_value)
    total = _count_commits(store) if progress else None
    progress = progress or tell_nobody
    progress(0, total)
    problems = [*_git_problems(store), *ref_logs.problems(store), *_gitfile_problems(store)]
    commits = 0
    try:
        for commit in everything(store):
            commits += 1
            problems += [f"commit {commit.id:.12}: {text}" for text in islice(check.commit(commit), _MOST_PROBLEMS)]
            problems += check.values(at_least=_VALUES)
            progress(commits, total)
        problems += check.values()
    except MemoirError as error:
        problems.append(error.message)
    return FsckReport(commits, len(check.pairs), problems, frozenset(key for key, _ in check.pairs))


def with_signers(
    store: Store, report: FsckReport, signers: str, needs_none: Callable[[Store, Commit], bool]
) -> FsckReport:
    """Add the numbers of commits by signer to a report, and a problem for each without an allowed signer.

    `signers` is a file of allowed signers; `needs_none` tells whether an unsigned commit adds nothing of its own.
    """
    from memoir.store.signing import UNTRUSTED, check_signatures, signers_file

    signers_file(signers)
    counts: Counter[str] = Counter()
    problems = list(report.problems)
    with suppress(DamagedStore):  # the report already names a gap in the history
        for commit in everything(store):
            (check,) = check_signatures(store, [commit.id], signers)
            counts.update([check.signer] if check.signer else [])
            if check.status != "good" and not (check.status == "none" and needs_none(store, commit)):
                note = f" ({check.key})" if check.key else ""
                problems.append(f"commit {commit.id:.12}: it {UNTRUSTED[check.status]}{note}")
    return report._replace(problems=problems, signers=dict(sorted(counts.items())))


def repair_shapes(store: Store) -> list[str]:
    """Distrust commits with false trailers, and reshape malformed branches; return the branches' names.

    An unreadable branch is left for `fsck` to report.
    """
    check = _Fsck(store, lambda key, value: None)
    with suppress(DamagedStore):  # `fsck` reports a gap in the history
        for commit in everything(store):
            if commit.changes is not None and next(check.commit(commit), None):
                store.distrust(commit.id)
    names = []
    for name in store.refs.list(BRANCHES):
        with suppress(DamagedStore):
            if normalise(store, name):
                names.append(name)
    return names


def _count_commits(store: Store) -> int | None:
    """The number of commits to check; None if git cannot tell, which the check itself reports."""
    with suppress(MemoirError):
        return int(store.git.read("rev-list", "--count", "--all", "--reflog", "--"))
    return None


def _git_problems(store: Store) -> list[str]:
    """The faults that git finds; repeated if a concurrent repack removed packs meanwhile."""
    problems: list[str] = []
    for _ in range(_TRIES):
        packs = _packs(store)
        problems = _run_git_fsck(store)
        if not problems or _packs(store) == packs:
            break
    return problems


def _gitfile_problems(store: Store) -> list[str]:
    is_lost = (store.git_dir / ".git").exists() and safeguards.lacks_gitfile(store.git_dir)
    return ["the file '.git' is empty, so 'git clean -fdx' in a project around would remove the store"] * is_lost


def _packs(store: Store) -> set[str]:
    with suppress(OSError):
        return {name for name in os.listdir(store.git_dir / "objects" / "pack") if name.endswith(".pack")}
    return set()


def _run_git_fsck(store: Store) -> list[str]:
    done = store.git.try_run("fsck", "--full", "--strict", "--no-dangling", "--no-progress")
    words = (done.stdout + done.stderr).decode("utf-8", "replace").splitlines()
    notices = ("notice:", "Checking", "dangling")
    # git names an id once for each entry of a reflog that has it
    problems = dict.fromkeys(f"git: {line}" for line in words if line and not line.startswith(notices))
    return list(problems) if done.returncode else []


class _Fsck:
    """Checks commit after commit, each against its parent, each value once."""

    def __init__(self, store: Store, check_value: CheckValue) -> None:
        self.store = store
        self.check_value = check_value
        self.pairs: set[tuple[bytes, Oid]] = set()
        self.queue: dict[tuple[bytes, Oid], Commit] = {}
        self.tips: set[Oid] = set()
        with suppress(MemoirError):  # the check of refs reports broken ones
            self.tips = set(store.refs.list(BRANCHES).values())

    def commit(self, commit: Commit) -> Iterator[str]:
        """The faults of a commit's shape, change list and new values."""
        try:
            yield from self._commit(commit)
        except NotMemoirs as error:  # if a ref points to it, the check of refs reports that
            if commit.changes is not None or commit.id in self._past_of_memories:
                yield error.message
        except DamagedStore as error:
            yield error.message

    @cached_property
    def _past_of_memories(self) -> frozenset[Oid]:
        """The commits reachable from refs with memories: all of these must have memories."""
        tips = set[str]()
        for name in self.store.refs.list("refs/"):
            with suppress(MemoirError):  # the check of refs reports a broken one
                commit = self.store.commit(f"refs/{name}")
                tips |= {str(commit.id)} if has_memories(self.store, commit) else set()
        return frozenset(each.id for each in everything(self.store, *tips)) if tips else frozenset()

    def _commit(self, commit: Commit) -> Iterator[str]:
        parents = self.store.commits(commit.parents[:1])
        base = parents[0].tree if parents else None
        before, after = self._before(commit), self.store.of(commit.id).tree
        base_tree = before if before.root == base else self.store.tree(None)
        yield from self._shape(commit, self.store.tree(commit.tree), base_tree)
        deltas = list(diff(before, after))
        yield from self._change_list(commit, base, deltas)
        fresh = {(delta.key, delta.new) for delta in deltas if delta.new is not None} - self.pairs
        self.pairs |= fresh
        self.queue |= dict.fromkeys(fresh, commit)

    def _before(self, commit: Commit) -> Tree:
        """The tree with which a commit is compared; empty if the parent is damaged, which is reported there."""
        try:
            before = self.store.before(commit).tree
            _ = before.height
        except DamagedStore:
            return self.store.tree(None)
        return before

    def _shape(self, commit: Commit, tree: Tree, base: Tree) -> Iterator[str]:
        """The faults of a tree's shape; a foreign commit may have any shape, unless it is a branch's tip."""
        (data,) = self.store.reader.read([commit.id], "commit")
        is_credible = commit.id not in self.store.distrusted and is_memoirs(self.store.reader, data)
        if is_credible or commit.id in self.tips:
            yield from shape_problems(tree, base)

    def _change_list(self, commit: Commit, base: Oid | None, deltas: list[Delta]) -> Iterator[str]:
        if commit.id not in self.store.distrusted:
            yield from change_list_problems(commit.changes, base, deltas)

    def values(self, at_least: int = 0) -> Iterator[str]:
        """The faults of the queued values, if there are more than `at_least`."""
        if len(self.queue) > at_least:
            pairs, self.queue = self.queue, {}
            for problem in value_problems(self.store, sorted(pairs), self.check_value):
                yield f"commit {pairs[problem.pair].id:.12}: {problem.text}"
