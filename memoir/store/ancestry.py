"""How commits are related: what some contain and others do not, whatever time their writers' clocks showed.

git lists commits by their dates and stops soon after the last new one. Where some are dated before all others, as by a
machine that takes 1970 for today, it stops too early: it lists old commits for new ones, and whoever made these again
would bring back what was forgotten meanwhile. So a list is checked, and made without the short cut if it is wrong.

How many heads are related to a base and to each other is read in one walk: merging a hundred heads one after the other
asks for the merge bases of each, and a process of git for each question would take longer than all the rest.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import cached_property

from memoir.git.objects import Oid
from memoir.store.commit_graph import graph_options
from memoir.store.store import Store


def beyond(store: Store, tips: Collection[Oid], bases: Collection[Oid]) -> dict[Oid, list[Oid]]:
    """The commits that some tips contain and no base does, each with its parents."""
    rows = _walk(store, tips, bases)
    # If any is contained in a base, one is none of whose parents is listed: those below it are contained there as well.
    ends = {commit: {*parents} for commit, parents in rows.items() if not rows.keys() & parents}
    doubtful = [commit for commit, parents in ends.items() if parents.isdisjoint(bases) or len(bases) > 1]
    if bases and doubtful and not _independent(store, [*doubtful, *bases]).issuperset(doubtful):
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


def _independent(store: Store, commits: Collection[Oid]) -> set[Oid]:
    """Those of some commits that no other of them contains; for this git asks no dates."""
    command = ("merge-base", "--independent", *map(str, commits))
    return set(map(Oid.fromhex, store.git.read(*graph_options(store), *command).decode().split()))


def count_beyond(store: Store, new: Oid, *old: Oid | None) -> int:
    """How many commits one commit contains and some others (None: no commit) do not."""
    from memoir.store.walk import count_commits

    bases = [each for each in old if each]
    return len(beyond(store, [new], bases)) if bases else count_commits(store, new)


def between(store: Store, old: Oid, new: Oid) -> set[Oid]:
    """The commits reachable from one and not from another."""
    return {*beyond(store, [new], [old])}


def ahead_behind(store: Store, ours: Oid, theirs: Oid) -> tuple[int, int]:
    """How many commits only `ours` has, and how many only `theirs` has."""
    count = ("rev-list", "--left-right", "--count", f"{ours}...{theirs}", "--")
    ahead, behind = store.git.read(*graph_options(store), *count).split()
    return int(ahead), int(behind)


def is_ancestor(store: Store, older: Oid, newer: Oid) -> bool:
    """Whether one commit is reachable from another (a commit is from itself)."""
    if older == newer:
        return True
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
        return new - _reach(self._parents, new)

    def beyond_base(self) -> set[Oid]:
        """Those heads that contain the base."""
        children: dict[Oid, list[Oid]] = {}
        for commit, parents in self._parents.items():
            for parent in parents:
                children.setdefault(parent, []).append(commit)
        return _reach(children, [self._base] if self._base else []).intersection(self._heads)

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
            met -= _reach(self._parents, met)
        return self._independent(met)

    def _independent(self, commits: set[Oid]) -> list[Oid]:
        """Those that no other contains."""
        if len(old := commits - self._parents.keys()) > 1:
            commits = commits - _reach(self._parents_in_base, old)
        return sorted(commits)

    @cached_property
    def _parents_in_base(self) -> dict[Oid, list[Oid]]:
        """The same for those commits of the base where the heads left it, down to what all of these contain."""
        ends = {parent for parents in self._parents.values() for parent in parents} - self._parents.keys()
        common = self._store.git.read("merge-base", "--octopus", *map(str, ends), ok=(0, 1)).decode().split()
        return beyond(self._store, ends, [*map(Oid.fromhex, common)])

    def merge(self, head: Oid) -> None:
        """Note that a head is merged now."""
        self._merged |= {head} | _reach(self._parents, [head], known=self._merged)
        self._note_merges()


def _reach(onward: Mapping[Oid, Sequence[Oid]], start: Iterable[Oid], known: Set[Oid] = frozenset()) -> set[Oid]:
    """Where edges lead from some commits, no further than to what is known; to these themselves only if one does."""
    found: set[Oid] = set()
    stack = [*start]
    while stack:
        new = set(onward.get(stack.pop(), ())) - found - known
        found |= new
        stack += new
    return found
