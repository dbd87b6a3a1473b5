"""Folding: one line out of the heads of many writers, the same whoever makes it.

The heads that no other contains are merged into the branch in order: first those that contain the branch, then by their
ids. One commit has many of them as its parents, as an octopus merge of git's. Everything in it, its time included,
follows from what it merges, so two who fold the same heads make the same commits. A head that contradicts what was
folded before it is left out, for its writer or a person to settle; the others do not wait.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.exchange import writers
from memoir.exchange.layout import refs_of
from memoir.exchange.merge_choices import STRATEGIES
from memoir.exchange.merge_records import Resolver
from memoir.exchange.moves import follow
from memoir.exchange.trails import Trails
from memoir.git.objects import Oid
from memoir.memory.soundness import fault
from memoir.repair import foreign_commit
from memoir.store.ancestry import Ancestry
from memoir.store.chain import replay
from memoir.store.commit import Commit, Signature
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, Edited, Edits, TreeMerge, merge_trees, older_tree
from memoir.store.transaction import Change, StoredValue
from memoir.tree.tree import diff

_FOLDER = Signature("memoir", "memoir@localhost", 0)
"""Who commits a fold, whoever makes it; when is that of the newest commit that is folded."""

_MOST_PARENTS = 64
"""How many heads one commit merges. Who asks where a memory comes from looks at the parents of a merge one by one."""


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
    ids = {head for head in (first, *heads) if head}
    if not ids:
        return Fold(None, 0, [])
    base = first or min(ids)
    with store.reader.keeping():
        ancestry = _ancestry(store, base, ids - {base})
        beyond = ancestry.beyond_base()
        order = [base, *sorted(ancestry.maximal(), key=lambda head: (head not in beyond, head))]
        sound, left = _tell_unsound(store, store.commits(order))
        if sound and sound[0].id != base:
            ancestry = _ancestry(store, sound[0].id, [head.id for head in sound[1:]])
        return _Folding(store, ancestry, strategy, left).fold(sound, beyond)


def _ancestry(store: Store, base: Oid | None, heads: Collection[Oid]) -> Ancestry:
    """How heads are related, where a fold says no more than what it has folded."""
    ancestry = Ancestry(store, base, heads)
    ancestry.take_for_merges(each.id for each in store.commits(ancestry.merges()) if _is_named_fold(each))
    return ancestry


def _is_named_fold(merge: Commit) -> bool:
    """Whether a merge is a fold by its author and message, perhaps one that its writer has made again elsewhere."""
    return merge.author._replace(time=0) == _FOLDER and bool(re.fullmatch(_MESSAGE, merge.message.strip()))


def _tell_unsound(store: Store, heads: Sequence[Commit]) -> tuple[list[Commit], list[LeftHead]]:
    """Those of some heads that can be built on, and the others."""
    past_is_sound = _is_past_sound(store, heads)
    sound: list[Commit] = []
    left: list[LeftHead] = []
    for head in heads:
        base = store.of(sound[0].id) if sound else store.head()
        try:
            foreign_commit.check_tips(store, head, base.tree, fault, past_is_sound=past_is_sound)
            sound.append(head)
        except DamagedStore as error:
            left.append(LeftHead(head.id, [], error.message))
    return sound, left


def _is_past_sound(store: Store, heads: Sequence[Commit]) -> bool:
    """Whether nothing before some heads is malformed; all at once, because they share most of it."""
    try:
        foreign_commit.check_past(store, heads, fault)
    except DamagedStore:
        return False
    return True


class _Folding:
    """What was folded so far, and what was left out."""

    def __init__(self, store: Store, ancestry: Ancestry, strategy: str | None, left: list[LeftHead]) -> None:
        self.store = store
        self.ancestry = ancestry
        self.resolver = Resolver(strategy)
        self.left = left
        self.folded: list[Oid] = []
        self.merged = 0
        self.time = 0

    def fold(self, sound: Sequence[Commit], beyond: set[Oid]) -> Fold:
        """Fold heads into the first of them; into the second if that contains it."""
        number = 1 + any(head.id in beyond for head in sound[1:2])
        begun, rest = sound[:number], sound[number:]
        for head in begun:
            self.ancestry.merge(head.id)
            self.folded.append(head.id)
            self.time = max(self.time, head.committer.time)
        tip = begun[-1].id if begun else None
        if rest:
            tip = replay(self.store, tip, self._changes(tip, rest), together=True)
        return Fold(tip, self.merged, self.left)

    def _changes(self, tip: Oid | None, heads: Sequence[Commit]) -> Iterator[Change]:
        """The commits to make, each of a few heads; those that contradict what is folded before them are left out."""
        edited = Edited(self.store, self.store.of(tip))
        rest = iter(heads)
        while some := list(islice(rest, _MOST_PARENTS)):
            edits: Edits = {}
            parents: list[Oid] = []
            for head in some:
                if (new := self._join(edited, head)) is not None:
                    edits |= new
                    parents.append(head.id)
            if parents:
                self.merged += len(parents)
                who = _FOLDER._replace(time=self.time)
                yield Change(edits.items(), _message(parents), (), tuple(parents), who, who)

    def _join(self, edited: Edited, head: Commit) -> Edits | None:
        """Merge a head into what was folded before; None if the two contradict each other."""
        result = _merge(self.store, edited, self.ancestry, head.id, self.resolver, self.folded)
        if result.clashes:
            self.left.append(LeftHead(head.id, result.clashes, None))
            return None
        edited.take(result.edits)
        self.ancestry.merge(head.id)
        self.folded.append(head.id)
        self.time = max(self.time, head.committer.time)
        return result.edits


def _merge(
    store: Store, edited: Edited, ancestry: Ancestry, head: Oid, resolver: Resolver, folded: Sequence[Oid]
) -> TreeMerge:
    """Merge a head into what was `folded` before it."""
    result = _merge_key_by_key(store, edited, ancestry, head, resolver, folded)
    trails = partial(Trails.beyond, store, folded, [head]), partial(Trails.beyond, store, [head], folded)
    return follow(result, edited, store.of(head), resolver, trails)


def _merge_key_by_key(
    store: Store, edited: Edited, ancestry: Ancestry, head: Oid, resolver: Resolver, _: Sequence[Oid]
) -> TreeMerge:
    """Merge a head whatever was moved: an older memoir has folded so."""
    bases = ancestry.bases(head)
    trees = [store.of(base).tree for base in bases]
    return merge_trees(store, edited, store.of(head).tree, trees, resolver, older_tree(store, bases))


_Merge = Callable[[Store, Edited, Ancestry, Oid, Resolver, Sequence[Oid]], TreeMerge]


_MESSAGE = r"fold ([0-9a-f]{12}|[0-9]+ writers)"


def _message(heads: Sequence[Oid]) -> str:
    return f"fold {heads[0]:.12}" if len(heads) == 1 else f"fold {len(heads)} writers"


def is_fold(store: Store, commit: Commit) -> bool:
    """Whether a commit is a fold: a merge in which everything follows from what it merges, so that nobody signs it."""
    who = commit.author._replace(time=0), commit.committer._replace(time=0)
    ours, *theirs = commit.parents or (None,)
    if not theirs or who != (_FOLDER, _FOLDER) or commit.message.strip() != _message(theirs):
        return False
    merged = store.of(commit.id)
    changed = {delta.key for delta in diff(store.of(ours).tree, merged.tree)}
    ways = product((_merge, _merge_key_by_key), (None, *STRATEGIES))
    again = (_fold_again(store, ours, theirs, strategy, merge) for merge, strategy in ways)
    return any(edits is not None and changed <= edits.keys() and _stand(edits, merged) for edits in again)


def _fold_again(
    store: Store, ours: Oid | None, theirs: Sequence[Oid], strategy: str | None, merge: _Merge
) -> Edits | None:
    """What a fold of some heads, in their order, writes to a commit; None if they contradict each other."""
    edited, edits, folded = Edited(store, store.of(ours)), Edits(), [ours] if ours else []
    ancestry = _ancestry(store, ours, theirs)
    for head in theirs:
        result = merge(store, edited, ancestry, head, Resolver(strategy), folded)
        if result.clashes:
            return None
        edits |= result.edits
        edited.take(result.edits)
        ancestry.merge(head)
        folded.append(head)
    return edits


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
