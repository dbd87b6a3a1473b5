"""How some heads are related to a base and to each other: what is new in them, read from git in one walk.

Merging a hundred heads one after the other asks for the merge bases of each; a process of git for each question would
take longer than all the rest.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import cached_property

from memoir.git.objects import Oid
from memoir.store.store import Store


class Ancestry:
    """The commits of some heads that a base does not contain, and what has been merged into the base so far."""

    def __init__(self, store: Store, base: Oid | None, heads: Collection[Oid]) -> None:
        """Read them; without a base, they are all that the heads contain."""
        self._store = store
        self._base = base
        self._heads = heads
        self._parents = self._walk(heads, [base] if base else [])
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
        return self._walk(ends, map(Oid.fromhex, common))

    def _walk(self, commits: Collection[Oid], without: Iterable[Oid]) -> dict[Oid, list[Oid]]:
        """The parents of what some commits contain and others do not."""
        from memoir.store.commit_graph import graph_options

        if not commits:
            return {}
        command = ("rev-list", "--parents", *map(str, commits), *(f"^{each}" for each in without), "--")
        lines = self._store.git.read(*graph_options(self._store), *command).decode().splitlines()
        rows = (list(map(Oid.fromhex, line.split())) for line in lines)
        return {commit: parents for commit, *parents in rows}

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
