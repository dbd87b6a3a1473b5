"""Folding: merges the heads of many writers into one line, with the same result on every machine.

Heads that no other contains are merged into the branch in order: first those that contain the branch, then by id. A
commit has many of them as parents, like git's octopus merge. Everything in it, including its time, follows from what it
merges, so two machines that fold the same heads make the same commits. A head that contradicts those before it is left
out, for its writer or a person to resolve; the others are merged anyway.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.exchange.layout import refs_of
from memoir.exchange.merge_choices import STRATEGIES
from memoir.exchange.merge_records import Resolver
from memoir.exchange.moves import follow
from memoir.exchange.trails import Trails
from memoir.exchange.writers import writer_refs
from memoir.git.objects import Oid
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
"""The author and committer of every fold; its time is that of the newest folded commit."""

_MOST_PARENTS = 64
"""The most heads that one commit merges, because searches of history open the parents of a merge one by one."""


class LeftHead(NamedTuple):
    """A head that was not folded: its paths that contradict earlier heads, or its fault."""

    commit: Oid
    clashes: list[Clash]
    problem: str | None


class Fold(NamedTuple):
    """The commit of the fold (None: there were no heads), the number of merged heads, and the heads left out."""

    tip: Oid | None
    merged: int
    left: list[LeftHead]


def fold(store: Store, heads: Sequence[Oid | None], *, first: Oid | None = None, strategy: str | None = None) -> Fold:
    """Fold heads into one commit; no ref moves.

    Args:
        store: The store that has them.
        heads: The commits; None for a missing one.
        first: The commit into which the others are folded; by default the one with the lowest id.
        strategy: The strategy for contradictions; its `ours` are the heads folded before.
    """
    ids = {head for head in (first, *heads) if head}
    if not ids:
        return Fold(None, 0, [])
    base = first or min(ids)
    with store.reader.keeping():
        ancestry = _ancestry(store, base, ids - {base})
        beyond = ancestry.beyond_base()
        order = [base, *sorted(ancestry.maximal(), key=lambda head: (head not in beyond, head))]
        sound, left = _split_unsound(store, store.commits(order))
        if sound and sound[0].id != base:
            ancestry = _ancestry(store, sound[0].id, [head.id for head in sound[1:]])
        number = 1 + any(head.id in beyond for head in sound[1:2])
        begun, rest = sound[:number], sound[number:]
        folding = _Folding(store, ancestry, [each.id for each in begun], strategy)
        tip = begun[-1].id if begun else None
        if rest:
            tip = replay(store, tip, _changes(folding, begun, rest, left), together=True)
        return Fold(tip, len(folding.folded) - len(begun), left)


def _ancestry(store: Store, base: Oid | None, heads: Collection[Oid]) -> Ancestry:
    """The ancestry of heads, in which folds add nothing to the heads they merge."""
    ancestry = Ancestry(store, base, heads)
    ancestry.take_for_merges(each.id for each in store.commits(ancestry.merges()) if _is_named_fold(each))
    return ancestry


def _is_named_fold(merge: Commit) -> bool:
    """Whether a merge is a fold by its author and message; it may be replayed by a writer."""
    return merge.author._replace(time=0) == _FOLDER and bool(re.fullmatch(_MESSAGE, merge.message.strip()))


def _split_unsound(store: Store, heads: Sequence[Commit]) -> tuple[list[Commit], list[LeftHead]]:
    """The heads that are sound, and the others."""
    past_is_sound = _is_past_sound(store, heads)
    sound: list[Commit] = []
    left: list[LeftHead] = []
    for head in heads:
        base = store.of(sound[0].id) if sound else store.head()
        try:
            foreign_commit.check_tips(store, head, base.tree, past_is_sound=past_is_sound)
            sound.append(head)
        except DamagedStore as error:
            left.append(LeftHead(head.id, [], error.message))
    return sound, left


def _is_past_sound(store: Store, heads: Sequence[Commit]) -> bool:
    """Whether the history before the heads is sound; checked together, because they share most of it."""
    try:
        foreign_commit.check_past(store, heads)
    except DamagedStore:
        return False
    return True


class _Folding:
    """The state of a fold; it starts from the last of the commits `begun`, which contains the others."""

    def __init__(self, store: Store, ancestry: Ancestry, begun: Sequence[Oid], strategy: str | None = None) -> None:
        self._store = store
        self._ancestry = ancestry
        self._edited = Edited(store, store.of(begun[-1] if begun else None))
        self._resolver = Resolver(strategy)
        self.folded = [*begun]
        for head in begun:
            ancestry.merge(head)

    def join(self, head: Oid) -> TreeMerge:
        """Merge a head into the fold, unless it contradicts earlier heads."""
        result = self._merge(head)
        if not result.clashes:
            self._edited.take(result.edits)
            self._ancestry.merge(head)
            self.folded.append(head)
        return result

    def _merge(self, head: Oid) -> TreeMerge:
        store, bases = self._store, self._ancestry.bases(head)
        trees = [store.of(base).tree for base in bases]
        older, theirs = older_tree(store, bases), store.of(head)
        result = merge_trees(store, self._edited, theirs.tree, trees, self._resolver, older)
        trails = Trails.beyond(store, self.folded, [head]), Trails.beyond(store, [head], self.folded)
        return follow(result, self._edited, theirs, self._resolver, trails)


def _changes(
    folding: _Folding, begun: Sequence[Commit], heads: Sequence[Commit], left: list[LeftHead]
) -> Iterator[Change]:
    """The commits to make, each of several heads; heads that contradict earlier ones are left out."""
    time = max((each.committer.time for each in begun), default=0)
    rest = iter(heads)
    while some := list(islice(rest, _MOST_PARENTS)):
        edits: Edits = {}
        parents: list[Oid] = []
        for head in some:
            result = folding.join(head.id)
            if result.clashes:
                left.append(LeftHead(head.id, result.clashes, None))
                continue
            edits |= result.edits
            parents.append(head.id)
            time = max(time, head.committer.time)
        if parents:
            who = _FOLDER._replace(time=time)
            yield Change(edits.items(), _message(parents), (), tuple(parents), who, who)


_MESSAGE = r"fold ([0-9a-f]{12}|[0-9]+ writers)"


def _message(heads: Sequence[Oid]) -> str:
    return f"fold {heads[0]:.12}" if len(heads) == 1 else f"fold {len(heads)} writers"


def is_fold(store: Store, commit: Commit) -> bool:
    """Whether a commit is a fold: a merge in which all follows from its parents, so that it needs no signature."""
    who = commit.author._replace(time=0), commit.committer._replace(time=0)
    ours, *theirs = commit.parents or (None,)
    if not theirs or who != (_FOLDER, _FOLDER) or commit.message.strip() != _message(theirs):
        return False
    merged = store.of(commit.id)
    changed = {delta.key for delta in diff(store.of(ours).tree, merged.tree)}
    return any(changed <= edits.keys() and _are_in(edits, merged) for edits in _foldings(store, ours, theirs))


def _foldings(store: Store, ours: Oid | None, theirs: Sequence[Oid]) -> Iterator[Edits]:
    """The edits of each possible fold of the heads, in order.

    Strategies are tried only if heads contradict each other.
    """
    for strategy in (None, *STRATEGIES):
        folding = _Folding(store, _ancestry(store, ours, theirs), [ours] if ours else [], strategy)
        results = [*takewhile(lambda result: not result.clashes, map(folding.join, theirs))]
        if len(results) == len(theirs):
            yield {key: value for result in results for key, value in result.edits.items()}
            if not strategy:
                return


def _are_in(edits: Mapping[bytes, bytes | StoredValue | None], merged: Snapshot) -> bool:
    """Whether a snapshot has the values that the edits write, and lacks those they remove."""
    written = merged.read(key for key, value in edits.items() if isinstance(value, bytes))
    ids = merged.tree.get(edits)
    return all(
        written.get(key) == value if isinstance(value, bytes) else ids.get(key) == (value and value.oid)
        for key, value in edits.items()
    )


def revisions_of(store: Store, remote: str, branch: str) -> list[str]:
    """The fetched revisions of a branch: its refs, and if writers have more, the fold of all.

    A writer's head that contradicts the others is not included.
    """
    refs = refs_of(store, remote, branch)
    heads = list(writer_refs.fetched(store, remote, branch).values())
    tips = [store.commit(ref).id for ref in refs]
    if not heads or not set(writer_refs.maximal(store, [*tips, *heads])) - set(tips):
        return refs
    return [*refs, str(fold(store, [*tips, *heads], first=next(iter(tips), None)).tip)]
