"""How commits are related, read from the newest of them: to ask git is to start a process, and most answers are near.

Commits are read the newest first, as git lists them, until one is left. All that was read leads to it, so nothing below
it leads back there, whatever time the clocks showed; what is asked can be seen in the part above it. Where that part is
long, git is asked. A commit never changes, so what was read of one is kept as long as the store is open.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from heapq import heappop, heappush

from memoir.errors import MemoirError
from memoir.git.objects import Oid
from memoir.store.commit import parse_header
from memoir.store.store import Store

MOST = 64
"""Commits that are read in the time that one process of git takes."""


class Recent:
    """The newest part of the history of some commits."""

    def __init__(self, parents: Mapping[Oid, Sequence[Oid]]) -> None:
        self.parents = parents
        """The commits that were read, in git's order, each with its parents."""

    def beyond(self, tips: Collection[Oid], bases: Collection[Oid]) -> dict[Oid, list[Oid]]:
        """The commits that some tips contain and no base (there must be one) does, each with its parents."""
        new = self._contained(tips) - self._contained(bases)
        return {commit: [*parents] for commit, parents in self.parents.items() if commit in new}

    def is_ancestor(self, older: Oid, newer: Oid) -> bool:
        """Whether one commit is reachable from another."""
        return older in self._contained([newer])

    def independent(self, commits: Collection[Oid]) -> set[Oid]:
        """Those of some commits that no other of them contains."""
        return {*commits} - reach(self.parents, commits)

    def common(self, commits: Iterable[Oid]) -> set[Oid]:
        """The best common ancestors of some commits."""
        return self.independent(set.intersection(*(self._contained([commit]) for commit in commits)))

    def _contained(self, commits: Collection[Oid]) -> set[Oid]:
        return {*commits} | reach(self.parents, commits)


def recent(store: Store, commits: Collection[Oid]) -> Recent | None:
    """The part of a history that shows how some commits are related; None if git is to be asked."""
    waiting: list[tuple[int, int, Oid]] = []
    seen: set[Oid] = set()
    rows: dict[Oid, Sequence[Oid]] = {}
    has_root, new = False, [*commits]
    try:
        while len(seen) + len(new) <= MOST:
            for commit in new:
                if commit not in seen:
                    seen.add(commit)
                    heappush(waiting, (-_read(store, commit)[0], len(seen), commit))
            if not waiting or (len(waiting) == 1 and not has_root):
                return Recent(rows)
            commit = heappop(waiting)[-1]
            rows[commit] = new = [*_read(store, commit)[1]]
            has_root |= not new
    except MemoirError:  # git says what is wrong, or knows what a tag stands for
        pass
    return None


def _read(store: Store, commit: Oid) -> tuple[int, Sequence[Oid]]:
    """When a commit was made, by the clock of whoever made it, and its parents."""
    if commit not in store.times_and_parents:
        _, parents, _, committer = parse_header(commit, store.reader.read([commit], "commit")[0])
        store.times_and_parents[commit] = committer.time, parents
    return store.times_and_parents[commit]


def reach(onward: Mapping[Oid, Sequence[Oid]], start: Iterable[Oid], known: Set[Oid] = frozenset()) -> set[Oid]:
    """Where edges lead from some commits, no further than to what is known; to these themselves only if one does."""
    found: set[Oid] = set()
    stack = [*start]
    while stack:
        new = set(onward.get(stack.pop(), ())) - found - known
        found |= new
        stack += new
    return found
