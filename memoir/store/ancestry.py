"""How commits are related: what some contain and others do not, whatever time their writers' clocks showed.

git lists commits by their dates and stops soon after the last new one. Where some are dated before all others, as by a
machine that takes 1970 for today, it stops too early: it lists old commits for new ones, and whoever made these again
would bring back what was forgotten meanwhile. So a list is checked, and made without the short cut if it is wrong.

How many heads are related to a base and to each other is read in one walk: merging a hundred heads one after the other
asks for the merge bases of each, and a process of git for each question would take longer than all the rest.

A long history is walked by git's commit-graph, and only while that is memoir's own. With it git counts 50,000 commits
in a tenth of the time, because it opens none of them. But git believes what the file says of parents and dates, and
compares it with nothing. A store may come from a stranger and a disk may rot, so git is told to ignore the file
(`core.commitGraph=false`, see `memoir.git.git`) unless its digest is the one that this user's cache holds for this
store: memoir has written it. Commits newer than the file are read as ever, so it is written again only now and then.
"""

import os
import stat
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from memoir import user_folders
from memoir.git.lock import try_past_stale_locks
from memoir.git.objects import Oid, blake2b, sha1
from memoir.store.recent import reach, recent
from memoir.store.store import Store


def beyond(store: Store, tips: Collection[Oid], bases: Collection[Oid]) -> dict[Oid, list[Oid]]:
    """The commits that some tips contain and no base does, each with its parents; in git's order."""
    if bases and (part := recent(store, [*tips, *bases])):
        return part.beyond(tips, bases)
    rows = _walk(store, tips, bases)
    # If any is contained in a base, one is none of whose parents is listed: those below it are contained there as well.
    ends = {commit: {*parents} for commit, parents in rows.items() if not rows.keys() & parents}
    doubtful = [commit for commit, parents in ends.items() if parents.isdisjoint(bases) or len(bases) > 1]
    if bases and doubtful and not independent(store, [*doubtful, *bases]).issuperset(doubtful):
        known = _walk(store, bases, [])
        return {commit: parents for commit, parents in _walk(store, tips, []).items() if commit not in known}
    return rows


def _walk(store: Store, tips: Collection[Oid], bases: Collection[Oid]) -> dict[Oid, list[Oid]]:
    if not tips:
        return {}
    command = ("rev-list", "--parents", *map(str, tips), *(f"^{base}" for base in bases), "--")
    lines = store.git.read(*graph_options(store), *command).decode().splitlines()
    rows = (list(map(Oid.fromhex, line.split())) for line in lines)
    return {commit: parents for commit, *parents in rows}


def independent(store: Store, commits: Collection[Oid]) -> set[Oid]:
    """Those of some commits that no other of them contains; for this git asks no dates."""
    if part := recent(store, commits):
        return part.independent(commits)
    command = ("merge-base", "--independent", *map(str, commits))
    return set(map(Oid.fromhex, store.git.read(*graph_options(store), *command).decode().split()))


def common(store: Store, commits: Collection[Oid]) -> list[Oid]:
    """The best common ancestors of all of some commits, of two the newest first; none of unrelated histories."""
    if (part := recent(store, commits)) and len(best := part.common(commits)) < 2:
        return [*best]
    how = ("--all",) if len(commits) == 2 else ("--all", "--octopus")
    ids = store.git.read("merge-base", *how, *map(str, commits), ok=(0, 1)).decode().split()
    return list(map(Oid.fromhex, ids))


def count_beyond(store: Store, new: Oid, *old: Oid | None) -> int:
    """How many commits one commit contains and some others (None: no commit) do not."""
    bases = [each for each in old if each]
    return len(beyond(store, [new], bases)) if bases else count_commits(store, new)


def count_commits(store: Store, commit: Oid) -> int:
    """How many commits are reachable from one."""
    flags = graph_options(store)
    number = int(store.git.read(*flags, "rev-list", "--count", str(commit), "--"))
    if number > LONG:
        refresh_graph(store, commit, flags)
    return number


def between(store: Store, old: Oid, new: Oid) -> set[Oid]:
    """The commits reachable from one and not from another."""
    return {*beyond(store, [new], [old])}


def ahead_behind(store: Store, ours: Oid, theirs: Oid) -> tuple[int, int]:
    """How many commits only `ours` has, and how many only `theirs` has."""
    if part := recent(store, [ours, theirs]):
        return len(part.beyond([ours], [theirs])), len(part.beyond([theirs], [ours]))
    count = ("rev-list", "--left-right", "--count", f"{ours}...{theirs}", "--")
    ahead, behind = store.git.read(*graph_options(store), *count).split()
    return int(ahead), int(behind)


def is_ancestor(store: Store, older: Oid, newer: Oid) -> bool:
    """Whether one commit is reachable from another (a commit is from itself)."""
    if older == newer:
        return True
    if part := recent(store, [older, newer]):
        return part.is_ancestor(older, newer)
    one, other = (store.reader.resolve(str(each)) for each in (older, newer))
    if not (one and other):  # a ref may name anything
        return not store.git.read("rev-list", "-1", str(older), f"^{newer}", "--")
    pair = tuple(sorted((one.oid, other.oid)))
    if pair not in store.common:  # of 'rev-list', which relies on dates, it could not be known
        store.common[pair] = store.git.read("merge-base", *map(str, pair), ok=(0, 1)).decode().strip()
    return store.common[pair] == str(one.oid)


class Ancestry:
    """The commits of some heads that a base does not contain, and what has been merged into the base so far."""

    def __init__(self, store: Store, base: Oid | None, heads: Collection[Oid]) -> None:
        """Read them; without a base, they are all that the heads contain."""
        self._store = store
        self._base = base
        self._heads = heads
        self._parents = beyond(store, heads, [base] if base else [])
        self._merged: set[Oid] = set()
        """Those of them that the heads merged so far contain, or that say no more than these."""
        self._merges: set[Oid] = set()
        """Those that will say nothing of their own once all their parents are merged."""

    def merges(self) -> list[Oid]:
        """Those commits that have several parents."""
        return [commit for commit, parents in self._parents.items() if len(parents) > 1]

    def take_for_merges(self, commits: Iterable[Oid]) -> None:
        """Know of some merges that there is nothing in them but what their parents have.

        Once all of these are merged such a commit is as good as merged. Else what each of its parents has would be
        compared with it: where many fold at once, a head contains dozens of folds that came too late.
        """
        self._merges.update(commits)
        self._note_merges()

    def _note_merges(self) -> None:
        while new := {each for each in self._merges if all(map(self._is_merged, self._parents[each]))}:
            self._merged |= new
            self._merges -= new

    def _is_merged(self, commit: Oid) -> bool:
        return commit in self._merged or commit not in self._parents

    def maximal(self) -> set[Oid]:
        """Those heads that neither the base nor another head contains."""
        new = self._parents.keys() & {*self._heads}
        return new - reach(self._parents, new)

    def beyond_base(self) -> set[Oid]:
        """Those heads that contain the base."""
        children: dict[Oid, list[Oid]] = {}
        for commit, parents in self._parents.items():
            for parent in parents:
                children.setdefault(parent, []).append(commit)
        return reach(children, [self._base] if self._base else []).intersection(self._heads)

    def bases(self, head: Oid) -> list[Oid]:
        """The best common ancestors of a head and of all that is merged, sorted by id; none of unrelated histories."""
        stack, seen, met = [head], {head}, set()
        while stack:
            commit = stack.pop()
            if self._is_merged(commit):
                met.add(commit)
                continue
            new = [parent for parent in self._parents[commit] if parent not in seen]
            seen.update(new)
            stack += new
        if len(met) > 1:
            met -= reach(self._parents, met)
        return self._independent(met)

    def _independent(self, commits: set[Oid]) -> list[Oid]:
        """Those that no other contains."""
        if len(old := commits - self._parents.keys()) > 1:
            commits = commits - reach(self._parents_in_base, old)
        return sorted(commits)

    @cached_property
    def _parents_in_base(self) -> dict[Oid, list[Oid]]:
        """The same for those commits of the base where the heads left it, down to what all of these contain."""
        ends = {parent for parents in self._parents.values() for parent in parents} - self._parents.keys()
        return beyond(self._store, ends, common(self._store, ends))

    def merge(self, head: Oid) -> None:
        """Note that a head is merged now."""
        self._merged |= {head} | reach(self._parents, [head], known=self._merged)
        self._note_merges()


LONG = 2000
"""Commits that git reads fast enough without a graph, and that may come after one before it is written again."""
_GRAPH_FILE, _CHAIN = "objects/info/commit-graph", "objects/info/commit-graphs/commit-graph-chain"
_LARGEST = 1 << 30
"""Bytes of a file that is looked at, some 15,000,000 commits'."""
_GRAPH_OPTIONS = ("-c", "core.commitGraph=true")


class _Note(NamedTuple):
    digest: str
    tip: Oid


def graph_options(store: Store) -> tuple[str, ...]:
    """The options that let git use the graph, if it is memoir's and unharmed."""
    note = _read_note(store.git_dir)
    return _GRAPH_OPTIONS if note and note.digest == _graph_digest(store.git_dir) else ()


def refresh_graph(store: Store, tip: Oid, flags: Sequence[str]) -> None:
    """Write the graph if a long part of a commit's history is not in it. `flags` is what `graph_options` gave.

    Where it cannot be written there is none.
    """
    note = _read_note(store.git_dir) if flags else None
    if note and (note.tip == tip or _count_between(store, note.tip, tip) <= LONG):
        return
    try:
        if not note:  # git would take over what a stranger's graph says
            for name in (_GRAPH_FILE, _CHAIN):
                (store.git_dir / name).unlink(missing_ok=True)
        done = try_past_stale_locks(
            store.git_dir,
            partial(store.git.try_run, *_GRAPH_OPTIONS, "commit-graph", "write", "--reachable", "--no-progress"),
        )
        if done.returncode == 0 and (digest := _graph_digest(store.git_dir)):
            user_folders.write_cached(_note_name(store.git_dir), f"{digest} {tip}".encode())
    except OSError:  # a store that cannot be written to is read without one
        return


def _count_between(store: Store, old: Oid, new: Oid) -> int:
    """How many commits one reaches and the other does not; one that is gone reaches nothing."""
    done = store.git.try_run(*_GRAPH_OPTIONS, "rev-list", "--count", "--ignore-missing", str(new), f"^{old}", "--")
    return int(done.stdout) if done.returncode == 0 else 0


def _read_note(git_dir: Path) -> _Note | None:
    with suppress(ValueError):  # not two words, or not an id
        digest, tip = (user_folders.read_cached(_note_name(git_dir)) or b"").decode("ascii", "replace").split()
        return _Note(digest, Oid.fromhex(tip))
    return None


def _note_name(git_dir: Path) -> str:
    return f"commit-graph-{sha1(os.fsencode(os.path.realpath(git_dir))).hex()}"


def _graph_digest(git_dir: Path) -> str | None:
    """The digest of the file, read as one that a stranger may have put there; None without one."""
    try:
        descriptor = os.open(git_dir / _GRAPH_FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        return blake2b(file.read()).hex() if stat.S_ISREG(about.st_mode) and about.st_size <= _LARGEST else None
