"""Folding: one line out of the heads of many writers, the same whoever makes it.

The heads that no other contains are merged into the branch one after the other, in the order of their ids. Everything
in such a merge commit, its time included, follows from what it merges, so two who fold the same heads make the same
commits. A head that contradicts what was folded before it is left out, for its writer or a person to settle; the others
do not wait.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.exchange import writers
from memoir.exchange.merge_records import Resolver
from memoir.exchange.strays import refs_of
from memoir.git.objects import Oid
from memoir.memory.soundness import fault
from memoir.repair import foreign_commit
from memoir.store.chain import replay
from memoir.store.commit import Commit, Signature
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, merge_bases, merge_trees
from memoir.store.transaction import Change


class LeftHead(NamedTuple):
    """A head that was not folded: the paths that contradict what was folded before, or what is wrong with it."""

    commit: Oid
    clashes: list[Clash]
    problem: str | None


class Fold(NamedTuple):
    """The commit that heads were folded into (None: there were none), how many were merged, and those left out."""

    tip: Oid | None
    merged: int
    left: list[LeftHead]


def fold(store: Store, heads: Sequence[Oid | None], *, first: Oid | None = None, strategy: str | None = None) -> Fold:
    """Fold heads into one commit; no ref moves.

    Args:
        store: The store that has them.
        heads: The commits; None stands for one that there is not.
        first: The one that the others are folded into; by default the one of the lowest id.
        strategy: What settles contradictions; its `ours` is what was folded before.
    """
    order = store.commits(writers.maximal(store, [first, *heads]))
    if first and all(head.id != first for head in order):
        order.insert(0, store.commits([first])[0])
    order.sort(key=lambda head: head.id != first)
    folding = _Folding(store, strategy, past_is_sound=_is_past_sound(store, order))
    for head in order:
        folding.take(head)
    return Fold(folding.tip, folding.merged, folding.left)


def _is_past_sound(store: Store, heads: Sequence[Commit]) -> bool:
    """Whether nothing before some heads is malformed; all at once, because they share most of it."""
    try:
        foreign_commit.check_past(store, heads, fault)
    except DamagedStore:
        return False
    return True


class _Folding:
    """What was folded so far."""

    def __init__(self, store: Store, strategy: str | None, *, past_is_sound: bool) -> None:
        self.store = store
        self.past_is_sound = past_is_sound
        self.resolver = Resolver(strategy)
        self.tip: Oid | None = None
        self.merged = 0
        self.left: list[LeftHead] = []

    def take(self, head: Commit) -> None:
        """Fold one more head."""
        problem = self._problem(head)
        bases = merge_bases(self.store, self.tip, head.id) if self.tip and not problem else []
        if problem:
            self.left.append(LeftHead(head.id, [], problem))
        elif self.tip is None or [base.id for base in bases] == [self.tip]:
            self.tip = head.id
        else:
            tip = replay(self.store, self.tip, [self._join(head, bases)])
            self.merged += tip != self.tip
            self.tip = tip

    def _problem(self, commit: Commit) -> str | None:
        """What keeps a commit from being built on; None if nothing does."""
        before = self.store.of(self.tip) if self.tip else self.store.head()
        try:
            return foreign_commit.check_tips(self.store, commit, before.tree, fault, past_is_sound=self.past_is_sound)
        except DamagedStore as error:
            return error.message

    def _join(self, theirs: Commit, bases: list[Commit]) -> Callable[[Snapshot], Change | None]:
        """The merge of a head as a function of what was folded before; no change if the two contradict each other."""

        def change(head: Snapshot) -> Change | None:
            assert head.commit
            trees = [self.store.of(base.id).tree for base in bases]
            result = merge_trees(self.store, head, self.store.of(theirs.id).tree, trees, self.resolver)
            if result.clashes:
                self.left.append(LeftHead(theirs.id, result.clashes, None))
                return None
            who = Signature("memoir", "memoir@localhost", max(head.commit.committer.time, theirs.committer.time))
            return Change(result.edits.items(), f"fold {theirs.id:.12}", (), (theirs.id,), who, who)

        return change


def revisions_of(store: Store, remote: str, branch: str) -> list[str]:
    """What was fetched of a branch: the refs that hold it, and if writers have more of it, what all of that folds into.

    A writer's head that contradicts the others is not in there.
    """
    refs = refs_of(store, remote, branch)
    heads = list(writers.fetched(store, remote, branch).values())
    tips = [store.commit(ref).id for ref in refs]
    if not heads or not set(writers.maximal(store, [*tips, *heads])) - set(tips):
        return refs
    return [*refs, str(fold(store, [*tips, *heads], first=next(iter(tips), None)).tip)]
