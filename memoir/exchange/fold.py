"""Folding: one line out of the heads of many writers, the same whoever makes it.

The heads that no other contains are merged into the branch one after the other: first those that contain the branch,
then in the order of their ids. Everything in such a merge commit, its time included, follows from what it merges, so
two who fold the same heads make the same commits. A head that contradicts what was folded before it is left out, for
its writer or a person to settle; the others do not wait.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.exchange import writers
from memoir.exchange.merge_choices import STRATEGIES
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
from memoir.store.transaction import Change, StoredValue
from memoir.tree.diff import diff

_FOLDER = Signature("memoir", "memoir@localhost", 0)
"""Who commits a fold, whoever makes it; when is that of the newest commit that is folded."""


def _message(theirs: Oid) -> str:
    return f"fold {theirs:.12}"


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
    ids = writers.maximal(store, [first, *heads])
    after = _after(store, first, ids) if first and first not in ids else set()
    order = sorted({*ids, *([first] if first else [])}, key=lambda head: (head != first, head not in after, head))
    folding = _Folding(store, strategy)
    sound = folding.leave_out_unsound(store.commits(order))
    moves_on = [head.id for head in sound[:1]] == [first] and any(head.id in after for head in sound[1:2])
    begun, rest = sound[: 1 + moves_on], sound[1 + moves_on :]
    folding.taken = [head.id for head in begun]
    tip = folding.taken[-1] if begun else None
    if rest:
        tip = replay(store, tip, map(folding.join, rest), together=True)
    return Fold(tip, len(folding.taken) - len(begun), folding.left)


def _after(store: Store, first: Oid, heads: Sequence[Oid]) -> set[Oid]:
    """Those of some heads that contain a commit."""
    lines = store.git.read("rev-list", "--ancestry-path", f"^{first}", *map(str, heads), "--").decode().split()
    return {*map(Oid.fromhex, lines)}.intersection(heads)


def _is_past_sound(store: Store, heads: Sequence[Commit]) -> bool:
    """Whether nothing before some heads is malformed; all at once, because they share most of it."""
    try:
        foreign_commit.check_past(store, heads, fault)
    except DamagedStore:
        return False
    return True


class _Folding:
    """What was folded so far, and what was left out."""

    def __init__(self, store: Store, strategy: str | None) -> None:
        self.store = store
        self.resolver = Resolver(strategy)
        self.taken: list[Oid] = []
        self.left: list[LeftHead] = []

    def leave_out_unsound(self, heads: Sequence[Commit]) -> list[Commit]:
        """Those of some heads that can be built on."""
        past_is_sound = _is_past_sound(self.store, heads)
        sound: list[Commit] = []
        for head in heads:
            base = self.store.of(sound[0].id) if sound else self.store.head()
            try:
                foreign_commit.check_tips(self.store, head, base.tree, fault, past_is_sound=past_is_sound)
                sound.append(head)
            except DamagedStore as error:
                self.left.append(LeftHead(head.id, [], error.message))
        return sound

    def join(self, theirs: Commit) -> Callable[[Snapshot], Change | None]:
        """The merge of a head as a function of what was folded before; no change if the two contradict each other."""

        def change(head: Snapshot) -> Change | None:
            assert head.commit
            trees = [self.store.of(base.id).tree for base in merge_bases(self.store, theirs.id, *self.taken)]
            result = merge_trees(self.store, head, self.store.of(theirs.id).tree, trees, self.resolver)
            if result.clashes:
                self.left.append(LeftHead(theirs.id, result.clashes, None))
                return None
            self.taken.append(theirs.id)
            who = _FOLDER._replace(time=max(head.commit.committer.time, theirs.committer.time))
            return Change(result.edits.items(), _message(theirs.id), (), (theirs.id,), who, who)

        return change


def is_fold(store: Store, commit: Commit) -> bool:
    """Whether a commit is a fold: a merge in which everything follows from what it merges, so that nobody signs it."""
    who = commit.author._replace(time=0), commit.committer._replace(time=0)
    if len(commit.parents) != 2 or who != (_FOLDER, _FOLDER) or commit.message.strip() != _message(commit.parents[1]):
        return False
    ours, theirs, merged = map(store.of, (*commit.parents, commit.id))
    bases = [store.of(base.id).tree for base in merge_bases(store, *reversed(commit.parents))]
    changed = {delta.key for delta in diff(ours.tree, merged.tree)}
    merges = (merge_trees(store, ours, theirs.tree, bases, Resolver(strategy)) for strategy in (None, *STRATEGIES))
    return any(not clashes and changed <= edits.keys() and _stand(edits, merged) for edits, clashes in merges)


def _stand(edits: Mapping[bytes, bytes | StoredValue | None], merged: Snapshot) -> bool:
    """Whether a snapshot has what some edits write, and lacks what they remove."""
    written = merged.read(key for key, value in edits.items() if isinstance(value, bytes))
    ids = merged.tree.get(edits)
    return all(
        written.get(key) == value if isinstance(value, bytes) else ids.get(key) == (value and value.oid)
        for key, value in edits.items()
    )


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
