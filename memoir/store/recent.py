"""The ancestry of recent commits, read without git: starting a process is slow, and most answers are near the tips.

Commits are read newest first, as git lists them, until only one is waiting. All commits read so far lead to it, so
nothing below it can lead back to them, even if clocks were wrong; the part above it contains the answer. If that part
is long, git is used instead. Commits never change, so they are kept as long as the store is open.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from heapq import heappop, heappush

from memoir.errors import MemoirError
from memoir.git.objects import Oid
from memoir.store.commit import parse_header
from memoir.store.store import Store

MOST = 64
"""The commits that can be read in the time of one git process."""


class Recent:
    """The newest part of the history of given commits."""

    def __init__(self, parents: Mapping[Oid, Sequence[Oid]]) -> None:
        self.parents = parents
        """The commits that were read, in git's order, each with its parents."""

    def beyond(self, tips: Collection[Oid], bases: Collection[Oid]) -> dict[Oid, list[Oid]]:
        """The commits that the tips contain and no base does, each with its parents; there must be a base."""
        new = self._contained(tips) - self._contained(bases)
        return {commit: [*parents] for commit, parents in self.parents.items() if commit in new}

    def is_ancestor(self, older: Oid, newer: Oid) -> bool:
        """Whether one commit is reachable from another."""
        return older in self._contained([newer])

    def independent(self, commits: Collection[Oid]) -> set[Oid]:
        """The commits that none of the others contains."""
        return {*commits} - reach(self.parents, commits)

    def common(self, commits: Iterable[Oid]) -> set[Oid]:
        """The best common ancestors of the commits."""
        return self.independent(set.intersection(*(self._contained([commit]) for commit in commits)))

    def _contained(self, commits: Collection[Oid]) -> set[Oid]:
        return {*commits} | reach(self.parents, commits)


def recent(store: Store, commits: Collection[Oid]) -> Recent | None:
    """The part of the history that relates the commits; None if it is too long or git must be asked."""
    waiting: list[tuple[int, int, Oid]] = []
    seen: set[Oid] = set()
    rows: dict[Oid, Sequence[Oid]] = {}
    has_root, new = False, [*commits]
    try:
        while len(seen) + len(new) <= MOST:
            for commit in new:
                if commit not in seen:
                    seen.add(commit)
                    heappush(waiting, (-_time_and_parents(store, commit)[0], len(seen), commit))
            if not waiting or (len(waiting) == 1 and not has_root):
                return Recent(rows)
            commit = heappop(waiting)[-1]
            rows[commit] = new = [*_time_and_parents(store, commit)[1]]
            has_root |= not new
    except MemoirError:  # git reports the fault, or resolves a tag
        pass
    return None


def _time_and_parents(store: Store, commit: Oid) -> tuple[int, Sequence[Oid]]:
    """The time of a commit, by its committer's clock, and its parents."""
    if commit not in store.times_and_parents:
        _, parents, _, committer = parse_header(commit, store.reader.read([commit], "commit")[0])
        store.times_and_parents[commit] = committer.time, parents
    return store.times_and_parents[commit]


def reach(onward: Mapping[Oid, Sequence[Oid]], start: Iterable[Oid], known: Set[Oid] = frozenset()) -> set[Oid]:
    """The commits reachable from `start`, not going into `known`; a start is included only if another leads to it."""
    found: set[Oid] = set()
    stack = [*start]
    while stack:
        new = set(onward.get(stack.pop(), ())) - found - known
        found |= new
        stack += new
    return found
