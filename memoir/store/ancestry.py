"""The ancestry of commits: which commits some contain and others do not, even if clocks were wrong.

git lists commits by date and stops soon after the last new one. If some are dated too early, such as 1970, it stops too
soon and lists old commits as new; replaying these would bring back forgotten memories. So each list is checked, and
made without the short cut if it is wrong.

How many heads relate to a base and to each other is read in one walk: merging a hundred heads in turn needs the merge
bases of each, and one git process for each would take longer than all the rest.

A long history is walked with git's commit-graph file, if memoir has written it. With it git counts 50,000 commits in a
tenth of the time, without opening them. But git believes the parents and dates in the file unchecked. A store may come
from a stranger and a disk may rot, so git is told to ignore the file (`core.commitGraph=false`, see `memoir.git.git`)
unless its digest is the one in this user's cache for this store. Commits newer than the file are read as usual, so it
is rewritten only now and then.
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
    """The commits that the tips contain and no base does, each with its parents, in git's order."""
    if bases and (part := recent(store, [*tips, *bases])):
        return part.beyond(tips, bases)
    rows = _list_commits(store, tips, bases)
    # If a base contains a listed commit, it also contains the commits below it. Among these is one without listed
    # parents.
    ends = {commit: {*parents} for commit, parents in rows.items() if not rows.keys() & parents}
    doubtful = [commit for commit, parents in ends.items() if parents.isdisjoint(bases) or len(bases) > 1]
    if bases and doubtful and not independent(store, [*doubtful, *bases]).issuperset(doubtful):
        known = _list_commits(store, bases, [])
        return {commit: parents for commit, parents in _list_commits(store, tips, []).items() if commit not in known}
    return rows


def _list_commits(store: Store, tips: Collection[Oid], bases: Collection[Oid]) -> dict[Oid, list[Oid]]:
    if not tips:
        return {}
    command = ("rev-list", "--parents", *map(str, tips), *(f"^{base}" for base in bases), "--")
    lines = store.git.read(*graph_options(store), *command).decode().splitlines()
    rows = (list(map(Oid.fromhex, line.split())) for line in lines)
    return {commit: parents for commit, *parents in rows}


def independent(store: Store, commits: Collection[Oid]) -> set[Oid]:
    """The commits that none of the others contains; git ignores dates for this."""
    if part := recent(store, commits):
        return part.independent(commits)
    command = ("merge-base", "--independent", *map(str, commits))
    return set(map(Oid.fromhex, store.git.read(*graph_options(store), *command).decode().split()))


def common(store: Store, commits: Collection[Oid]) -> list[Oid]:
    """The best common ancestors of all the commits, for two commits newest first; none for unrelated histories."""
    if (part := recent(store, commits)) and len(best := part.common(commits)) < 2:
        return [*best]
    how = ("--all",) if len(commits) == 2 else ("--all", "--octopus")
    ids = store.git.read("merge-base", *how, *map(str, commits), ok=(0, 1)).decode().split()
    return list(map(Oid.fromhex, ids))


def count_beyond(store: Store, new: Oid, *old: Oid | None) -> int:
    """The number of commits that `new` contains and the old ones (None: no commit) do not."""
    bases = [each for each in old if each]
    return len(beyond(store, [new], bases)) if bases else count_commits(store, new)


def count_commits(store: Store, commit: Oid) -> int:
    """The number of commits reachable from one."""
    flags = graph_options(store)
    number = int(store.git.read(*flags, "rev-list", "--count", str(commit), "--"))
    if number > LONG:
        refresh_graph(store, commit, flags)
    return number


def between(store: Store, old: Oid, new: Oid) -> set[Oid]:
    """The commits reachable from one and not from another."""
    return {*beyond(store, [new], [old])}


def ahead_behind(store: Store, ours: Oid, theirs: Oid) -> tuple[int, int]:
    """The number of commits only in `ours`, and of those only in `theirs`."""
    if part := recent(store, [ours, theirs]):
        return len(part.beyond([ours], [theirs])), len(part.beyond([theirs], [ours]))
    count = ("rev-list", "--left-right", "--count", f"{ours}...{theirs}", "--")
    ahead, behind = store.git.read(*graph_options(store), *count).split()
    return int(ahead), int(behind)


def is_ancestor(store: Store, older: Oid, newer: Oid) -> bool:
    """Whether `older` is reachable from `newer`; a commit is reachable from itself."""
    if older == newer:
        return True
    if part := recent(store, [older, newer]):
        return part.is_ancestor(older, newer)
    one, other = (store.reader.resolve(str(each)) for each in (older, newer))
    if not (one and other):  # a ref may name anything
        return not store.git.read("rev-list", "-1", str(older), f"^{newer}", "--")
    pair = tuple(sorted((one.oid, other.oid)))
    if pair not in store.common:  # 'rev-list' relies on dates, so it could be wrong
        store.common[pair] = store.git.read("merge-base", *map(str, pair), ok=(0, 1)).decode().strip()
    return store.common[pair] == str(one.oid)


class Ancestry:
    """The commits of several heads that a base lacks, with the progress of merging the heads into the base."""

    def __init__(self, store: Store, base: Oid | None, heads: Collection[Oid]) -> None:
        """Read the commits; without a base, all that the heads contain."""
        self._store = store
        self._base = base
        self._heads = heads
        self._parents = beyond(store, heads, [base] if base else [])
        self._merged: set[Oid] = set()
        """The commits contained in the heads merged so far, or that add nothing to these."""
        self._merges: set[Oid] = set()
        """The merges that will add nothing once all their parents are merged."""

    def merges(self) -> list[Oid]:
        """The commits with several parents."""
        return [commit for commit, parents in self._parents.items() if len(parents) > 1]

    def take_for_merges(self, commits: Iterable[Oid]) -> None:
        """Note merges that contain nothing beyond their parents.

        Such a commit counts as merged once all its parents are. Otherwise it would be compared with each of them: if
        many fold at once, a head contains dozens of folds that came too late.
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
        """The heads that neither the base nor another head contains."""
        new = self._parents.keys() & {*self._heads}
        return new - reach(self._parents, new)

    def beyond_base(self) -> set[Oid]:
        """The heads that contain the base."""
        children: dict[Oid, list[Oid]] = {}
        for commit, parents in self._parents.items():
            for parent in parents:
                children.setdefault(parent, []).append(commit)
        return reach(children, [self._base] if self._base else []).intersection(self._heads)

    def bases(self, head: Oid) -> list[Oid]:
        """The best common ancestors of a head and all merged commits, sorted by id; none for unrelated histories."""
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
        """The commits that none of the others contains."""
        if len(old := commits - self._parents.keys()) > 1:
            commits = commits - reach(self._parents_in_base, old)
        return sorted(commits)

    @cached_property
    def _parents_in_base(self) -> dict[Oid, list[Oid]]:
        """The parents of the base's commits where heads branched off, down to the commits common to all of them."""
        ends = {parent for parents in self._parents.values() for parent in parents} - self._parents.keys()
        return beyond(self._store, ends, common(self._store, ends))

    def merge(self, head: Oid) -> None:
        """Note that a head has been merged."""
        self._merged |= {head} | reach(self._parents, [head], known=self._merged)
        self._note_merges()


LONG = 2000
"""The most commits that git reads without a graph, and the most newer than a graph before it is rewritten."""
_GRAPH_FILE, _CHAIN = "objects/info/commit-graph", "objects/info/commit-graphs/commit-graph-chain"
_LARGEST = 1 << 30
"""The most bytes of a graph that is read, enough for some 15,000,000 commits."""
_GRAPH_OPTIONS = ("-c", "core.commitGraph=true")


class _Note(NamedTuple):
    digest: str
    tip: Oid


def graph_options(store: Store) -> tuple[str, ...]:
    """The options that let git use the graph, if memoir wrote it and it is unchanged."""
    note = _read_note(store.git_dir)
    return _GRAPH_OPTIONS if note and note.digest == _graph_digest(store.git_dir) else ()


def refresh_graph(store: Store, tip: Oid, flags: Sequence[str]) -> None:
    """Rewrite the graph if it lacks many commits of a tip's history. `flags` is the result of `graph_options`.

    If it cannot be written, there is none.
    """
    note = _read_note(store.git_dir) if flags else None
    if note and (note.tip == tip or _count_between(store, note.tip, tip) <= LONG):
        return
    try:
        if not note:  # git would copy from a stranger's graph
            for name in (_GRAPH_FILE, _CHAIN):
                (store.git_dir / name).unlink(missing_ok=True)
        done = try_past_stale_locks(
            store.git_dir,
            partial(store.git.try_run, *_GRAPH_OPTIONS, "commit-graph", "write", "--reachable", "--no-progress"),
        )
        if done.returncode == 0 and (digest := _graph_digest(store.git_dir)):
            user_folders.write_cached(_note_name(store.git_dir), f"{digest} {tip}".encode())
    except OSError:  # a read-only store does without
        return


def _count_between(store: Store, old: Oid, new: Oid) -> int:
    """The number of commits that `new` reaches and `old` does not; a missing commit reaches nothing."""
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
    """The digest of the graph file; None without one, or if it is not a plain file, as a stranger may have made it."""
    try:
        descriptor = os.open(git_dir / _GRAPH_FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        return blake2b(file.read()).hex() if stat.S_ISREG(about.st_mode) and about.st_size <= _LARGEST else None
