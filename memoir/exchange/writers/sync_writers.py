"""A sync that involves writers' own refs.

    this store's commits, on top of those that the remote has -> its own ref
    these, the branch and the other writers' heads, folded -> the remote's branch, if no other was faster
    the local branch -> the fold

Pushing to the own ref publishes: only this store pushes there, so no push comes too late. If the branch moved
meanwhile, another store has folded, and the next sync folds the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from memoir.errors import Conflict
from memoir.exchange.layout import RemotePlace
from memoir.exchange.merge import refuse
from memoir.exchange.push import OwnRefRefused, Refusal, SentRef, check_target, send
from memoir.exchange.replay import STRATEGY_HINT, replay_onto, swap_sides
from memoir.exchange.writers import writer_refs
from memoir.exchange.writers.fold import LeftHead, fold
from memoir.git.objects import Oid
from memoir.store import ancestry
from memoir.store.ancestry import count_beyond
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.transaction import BranchMoved, lock_and_advance
from memoir.times import now

_OLD = 86_400
"""Seconds after which a ref whose commits are all in the branch is removed; until then its writer may continue it."""
_MOST_REMOVED = 200
"""The most refs that are removed at once."""
_NO_COMMIT = "what its ref names is no commit"


class LeftWriter(NamedTuple):
    """A writer whose ref was not folded: the number of contradicting paths, or the fault of its commit."""

    writer: str
    commit: Oid
    conflicts: int
    problem: str | None


class Gathering(NamedTuple):
    """The result of a sync with writers' refs."""

    outcome: str
    """As for a sync."""
    own: bool
    """Whether this store sent to a ref of its own."""
    moved: bool
    """Whether the remote's branch has everything now."""
    folded: int
    """The number of heads folded into the branch."""
    sent: int
    """The number of commits sent to the remote."""
    removed: list[str]
    """The writers whose refs were removed, because the branch has all their commits."""
    left: list[LeftWriter]
    """The writers whose refs were not folded."""
    refused: str | None
    """The reason why the remote refused to move the branch or to remove refs; None if it did not."""
    unsigned: Sequence[Oid]
    """The replayed commits whose signatures, by other keys, were lost."""
    met_others: bool
    """Whether other writers were active."""


def gather(
    store: Store,
    there: RemotePlace,
    branch: str,
    theirs: Commit | None,
    *,
    own: bool,
    strategy: str | None = None,
    clear: bool = False,
) -> Gathering:
    """Publish a branch, fold the writers' heads into it, and move the branch to the fold.

    Args:
        store: The store.
        there: The remote.
        branch: The branch, which is the current one.
        theirs: The remote's branch.
        own: Whether to send to a ref of this store.
        strategy: The strategy for contradictions.
        clear: Whether to remove all folded refs, also new ones.

    Raises:
        Rejection: the remote's branch was moved meanwhile, and nothing was published.
        Conflict: this store contradicts the remote's branch; with `own`, its commits are in its ref all the same.
        OwnRefRefused: the remote refuses that ref.
    """
    heads = writer_refs.fetched(store, there.remote, branch)
    shared = theirs and theirs.id
    state = _State(store, there, branch, shared, heads, writer_refs.own_name(store) if own else None)
    strange = state.strange()
    if state.writer in strange:
        raise _unreadable(state, _NO_COMMIT)
    ours = store.head().commit
    local, unsigned = state.bring_up_to_date(ours and ours.id, strategy)
    if local:
        store.trust(local)
    others = [head for writer, head in heads.items() if writer != state.writer]
    settles = strategy if clear or strategy == swap_sides(strategy) else None  # among other writers no side is ours
    done = fold(store, [shared, local, *others], first=shared if own else local, strategy=settles)
    known = {**heads, state.writer or "": local} if local else heads
    refs = state.publish(local, done.tip, clear=clear)
    moved = done.tip == shared or any(ref.name == state.shared_ref and not ref.error for ref in refs)
    new = local if any(each.commit == local for each in done.left) else done.tip
    if new and new != (ours and ours.id):
        move_branch(store, there.remote, branch, ours and ours.id, new)
    gone = {ref.name for ref in refs if ref.result == "deleted"}
    removed = [writer for writer in heads if writer_refs.ref_of(writer, branch) in gone]
    sent = count_beyond(store, new, shared, *heads.values()) if new and (own or moved) else 0
    crowded = not moved or len(writer_refs.maximal(store, [shared, *others])) > 1
    outcome = _outcome(done.merged, sent, ours and ours.id, local, new)
    left = [*_left(known, done.left), *(LeftWriter(writer, oid, 0, _NO_COMMIT) for writer, oid in strange.items())]
    refused = next((ref.error.message for ref in refs if isinstance(ref.error, Refusal)), None)
    return Gathering(outcome, own, moved, done.merged, sent, removed, left, refused, unsigned, crowded)


def _outcome(merged: int, sent: int, ours: Oid | None, local: Oid | None, new: Oid | None) -> str:
    if merged:
        return "folded"
    if sent:
        return "pushed" if ours == local else "replayed"
    return "up_to_date" if new == ours else "fast_forward"


def _left(heads: Mapping[str, Oid], left: Sequence[LeftHead]) -> Iterator[LeftWriter]:
    for each in left:
        writer = next((writer for writer, head in heads.items() if head == each.commit), "")
        yield LeftWriter(writer, each.commit, len(each.clashes), each.problem)


class _State(NamedTuple):
    """The remote's branch, the writers' heads of it, and this store's name as a writer."""

    store: Store
    there: RemotePlace
    branch: str
    shared: Oid | None
    heads: Mapping[str, Oid]
    writer: str | None

    @property
    def mine(self) -> Oid | None:
        return self.heads.get(self.writer) if self.writer else None

    @property
    def shared_ref(self) -> str:
        return self.there.layout.heads + self.branch

    def strange(self) -> dict[str, Oid]:
        """The objects of fetched writers' refs that are no commits, by the writers' names."""
        listed = writer_refs.listed(self.there.refs, self.branch)
        return {name: oid for name, oid in listed.items() if name not in self.heads and self.store.reader.has(oid)}

    def bring_up_to_date(self, ours: Oid | None, strategy: str | None) -> tuple[Oid | None, list[Oid]]:
        """Put this store's commits on top of the remote's branch and of those it has published.

        Raises:
            Conflict: they contradict each other. This store's commits are then in its own ref, if it uses one.
        """
        if ours and _contains(self.store, ours, self.shared) and _contains(self.store, ours, self.mine):
            return ours, []
        try:
            base = fold(self.store, [self.shared, self.mine], first=self.shared, strategy=swap_sides(strategy))
            for each in base.left:
                _refuse_left(self, each)
            return _put_onto(self.store, ours, base.tip, strategy)
        except Conflict:
            if self.writer and ours and ours != self.mine and _contains(self.store, ours, self.mine):
                self.publish(ours, self.shared)
            raise

    def publish(self, local: Oid | None, tip: Oid | None, *, clear: bool = False) -> Sequence[SentRef]:
        """Push to the own ref and to the branch, and remove folded refs."""
        check_target(self.store, self.there, self.branch)
        specs, leases = [], []
        if self.writer and local and local != self.mine and not _contains(self.store, self.shared, local):
            specs.append(f"{local}:{writer_refs.ref_of(self.writer, self.branch)}")
        if tip and tip != self.shared:
            specs.append(f"{tip}:{self.shared_ref}")
        for writer, head in self._folded(clear=clear):
            specs.append(f":{writer_refs.ref_of(writer, self.branch)}")
            leases.append(f"--force-with-lease={writer_refs.ref_of(writer, self.branch)}:{head}")
        refs = self._send(specs, leases) if specs else []
        must = writer_refs.ref_of(self.writer, self.branch) if self.writer else self.shared_ref
        if error := rule_against(must, refs):
            if not self.writer:
                raise error
            moved = tip if any(ref.name == self.shared_ref and not ref.error for ref in refs) else None
            sent = count_beyond(self.store, moved, self.shared, *self.heads.values()) if moved else 0
            raise OwnRefRefused(error, self.there.remote, self.branch, sent)
        return refs

    def _send(self, specs: Sequence[str], leases: Sequence[str]) -> Sequence[SentRef]:
        """Push refs; if a rule for one refused all, as a `pre-receive` hook does, push only the own ref."""
        refs = send(self.store, self.there.remote, self.there.layout, specs, leases)
        own = writer_refs.ref_of(self.writer, self.branch) if self.writer else ""
        alone = [spec for spec in specs if own and spec.endswith(f":{own}")]
        if alone == specs or not all(isinstance(ref.error, Refusal) and not ref.error.is_of_any for ref in refs):
            return refs
        sent = send(self.store, self.there.remote, self.there.layout, alone) if alone else []
        return [*sent, *(ref for ref in refs if ref.name != own)]

    def _folded(self, *, clear: bool) -> list[tuple[str, Oid]]:
        """The writers' refs to remove: old ones whose commits the remote's branch has."""
        rows = [(writer, head) for writer, head in self.heads.items() if writer != self.writer]
        before = inf if clear else now().timestamp() - _OLD
        commits = self.store.commits([head for _, head in rows])
        old = [row for row, commit in zip(rows, commits, strict=True) if commit.committer.time < before]
        return [row for row in old if _contains(self.store, self.shared, row[1])][:_MOST_REMOVED]


def rule_against(ref: str, sent: Sequence[SentRef]) -> Refusal | None:
    """The refusal of a ref by a rule for it; None if it was accepted. Any other error is raised."""
    error = next((each.error for each in sent if each.name == ref and each.error), None)
    if error is None or (isinstance(error, Refusal) and not error.is_of_any):
        return error
    raise error


def _contains(store: Store, newer: Oid | None, older: Oid | None) -> bool:
    return older is None or (newer is not None and ancestry.is_ancestor(store, older, newer))


def _refuse_left(state: _State, head: LeftHead) -> None:
    clashes = [each.swapped() for each in head.clashes]
    refuse(clashes, "", STRATEGY_HINT)
    raise _unreadable(state, head.problem or _NO_COMMIT)


def _unreadable(state: _State, problem: str) -> Conflict:
    ref = writer_refs.ref_of(state.writer or "", state.branch)
    return Conflict(
        f"what {state.there.remote} has as this store's own ref is not what it sent: {problem}",
        f"'git push URL :{ref}' removes it there; what this store has stays",
    )


def _put_onto(store: Store, ours: Oid | None, base: Oid | None, strategy: str | None) -> tuple[Oid | None, list[Oid]]:
    if ours is None or base is None or _contains(store, base, ours):
        return base or ours, []
    return (ours, []) if _contains(store, ours, base) else replay_onto(store, ours, base, strategy)


def move_branch(store: Store, remote: str, branch: str, old: Oid | None, new: Oid) -> None:
    """Move a branch from `old` to the commit that was sent.

    Raises:
        BranchMoved: it is no longer at `old`; the next try will find the commits at the remote.
    """
    head = store.head()
    if head.id != old or not lock_and_advance(store, branch, new, head, f"sync {remote}"):
        raise BranchMoved
