"""Joining and rewinding histories: merge, revert, undo, redo."""

from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput, MemoirError, NotFound
from memoir.memory.merge import STRATEGIES, Resolver
from memoir.memory.record import decode, projection
from memoir.store import history, reflog
from memoir.store import merge as merging
from memoir.store.commit import Commit, CommitId
from memoir.store.diff import diff
from memoir.store.lock import writer_lock
from memoir.store.refs import BRANCHES, REMOTES
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, advance, empty_commit, identity, write
from memoir.store.undo import REDO, UNDO, redo_target, undo_target
from memoir.taxonomy.paths import from_key

_TRIES = 5
_NOT_WRITES = {"branch: created", "clone", "push", "fetch"}
"""How a branch may have begun other than by a first write; there is nothing before that to go back to."""


class Integrated(NamedTuple):
    """How a merge went: `outcome` is up_to_date, fast_forward or merged; `changed` counts paths."""

    outcome: str
    commit: Commit | None
    changed: int


def merge(
    store: Store,
    revision: str,
    *,
    branch: str | None = None,
    strategy: str | None = None,
    dry_run: bool = False,
    message: str | None = None,
) -> Integrated:
    """Merge a revision into a branch (the current one by default).

    Raises:
        NotFound: no such revision or branch. InvalidInput: no such strategy.
        Conflict: rival changes and no strategy; nothing was changed; each is listed with base, ours, theirs.
    """
    if strategy is not None and strategy not in STRATEGIES:
        raise InvalidInput(f"no merge strategy named {strategy!r}", f"there are: {', '.join(STRATEGIES)}")
    theirs = store.commit(revision)
    name = revision.removeprefix(REMOTES)
    for _ in range(_TRIES):
        ours = store.head(branch)
        if ours.commit and history.is_ancestor(store, theirs.id, ours.commit.id):
            return Integrated("up_to_date", ours.commit, 0)
        if not _can_fast_forward(store, ours, theirs):
            return _merge_commit(store, theirs, branch, strategy, dry_run, name, message)
        done = _fast_forward(store, ours, theirs, branch, name, dry_run)
        if done:
            return done
    raise Conflict(f"branch {branch or store.branch()!r} kept moving meanwhile", "try again")


def _can_fast_forward(store: Store, ours: Snapshot, theirs: Commit) -> bool:
    """A misshapen tree (a hosted merge button's, say) is not adopted: a commit of memoir's own puts it right."""
    if ours.commit and not history.is_ancestor(store, ours.commit.id, theirs.id):
        return False
    return store.of(theirs.id).tree.root == theirs.tree


def _fast_forward(
    store: Store, ours: Snapshot, theirs: Commit, branch: str | None, name: str, dry_run: bool
) -> Integrated | None:
    """Move the branch to their commit; None if it moved by itself meanwhile."""
    changed = sum(1 for _ in diff(ours.tree, store.of(theirs.id).tree))
    if not dry_run and not _move(store, branch or store.branch(), theirs.id, ours, f"merge {name}: fast-forward"):
        return None
    return Integrated("fast_forward", theirs, changed)


def _merge_commit(
    store: Store,
    theirs: Commit,
    branch: str | None,
    strategy: str | None,
    dry_run: bool,
    name: str,
    message: str | None,
) -> Integrated:
    changed = 0
    text = message or f"merge {name} into {branch or store.branch()}"

    def change(head: Snapshot) -> Change | None:
        nonlocal changed
        bases = merging.merge_bases(store, head.commit.id, theirs.id) if head.commit else []
        trees = [store.of(base.id).tree for base in bases]
        merged = merging.merge(store, head, store.of(theirs.id).tree, trees, Resolver(strategy))
        _refuse(merged.clashes, "", "give --strategy ours, theirs, append or newest, or edit one side first")
        changed = len(merged.edits)
        return None if dry_run else Change(merged.edits.items(), text, merged=(theirs.id,))

    commit = write(store, change, branch=branch, reason=f"merge {name}")
    return Integrated("merged", commit, changed)


def _refuse(clashes: list[merging.Clash], what: str, hint: str) -> None:
    """Raise what cannot be decided, with all three sides of each path.

    Raises:
        Conflict: there is any.
    """
    if not clashes:
        return
    rows = [_sides(clash) for clash in sorted(clashes)]
    paths = "1 path" if len(rows) == 1 else f"{len(rows)} paths"
    raise Conflict(f"{what}both sides changed {paths} differently; nothing was changed", hint, conflicts=rows)


def _sides(clash: merging.Clash) -> dict[str, str | None]:
    place = from_key(clash.key)
    base, ours, theirs = (
        None if value is None else projection(decode(value)) for value in (clash.base, clash.ours, clash.theirs)
    )
    return {"key": place.path, "namespace": place.namespace, "base": base, "ours": ours, "theirs": theirs}


def revert(store: Store, revision: str, *, branch: str | None = None, message: str | None = None) -> Commit | None:
    """Undo what one commit changed against its first parent, in a new commit.

    Raises:
        NotFound: no such commit. Conflict: a path it changed has changed again since.
    """
    target = store.commit(revision)
    before = store.of(next(iter(target.parents), None)).tree

    def change(head: Snapshot) -> Change:
        merged = merging.merge(store, head, before, [store.of(target.id).tree], Resolver(None))
        _refuse(merged.clashes, f"revert {revision}: ", "restore or edit those paths one by one")
        subject = target.message.split("\n")[0]
        return Change(merged.edits.items(), message or f"revert: {subject}\n\nThis reverts commit {target.id}.")

    return write(store, change, branch=branch, reason=f"revert {target.id[:12]}")


class Stepped(NamedTuple):
    """A step through the reflog: what was undone or redone, and where the branch was and is."""

    reason: str
    old: CommitId
    new: CommitId


def undo(store: Store, *, branch: str | None = None) -> Stepped:
    """Take back the branch's last move that is still in force.

    Raises:
        MemoirError: nothing is left to undo.
    """
    name = branch or store.branch()
    with writer_lock(store.git_dir):
        now_at = _tip(store, name)
        move = undo_target(reflog.read(store.git_dir, name))
        if move.old:
            return _step(store, name, now_at, move.old, UNDO, move.reason)
        if move.reason in _NOT_WRITES or store.commits([move.new])[0].parents:
            raise MemoirError("nothing to undo on this branch", "'memoir log' shows its commits")
        # Before its first write a branch had no commit; an empty one stands for that, so that redo has a way back.
        store.git.identity = identity(store)
        with empty_commit(store, "undo: an empty store") as target:
            return _step(store, name, now_at, target, UNDO, move.reason)


def redo(store: Store, *, branch: str | None = None) -> Stepped:
    """Reverse the branch's last undo.

    Raises:
        MemoirError: nothing to redo.
    """
    name = branch or store.branch()
    with writer_lock(store.git_dir):
        now_at = _tip(store, name)
        move = redo_target(reflog.read(store.git_dir, name))
        if move.old is None:
            raise MemoirError("nothing to redo on this branch")
        return _step(store, name, now_at, move.old, REDO, move.reason.removeprefix(UNDO))


def _tip(store: Store, branch: str) -> CommitId:
    commit = store.head(branch).commit
    if commit is None:
        raise NotFound(f"branch {branch!r} has no commits yet")
    return commit.id


def _step(store: Store, branch: str, old: CommitId, new: CommitId, prefix: str, reason: str) -> Stepped:
    store.git.identity = identity(store)
    if not store.refs.update(BRANCHES + branch, new, old, prefix + reason):
        raise Conflict(f"branch {branch!r} moved meanwhile", "try again")
    return Stepped(reason.removeprefix(REDO), old, new)


def _move(store: Store, branch: str, new: CommitId, head: Snapshot, reason: str) -> bool:
    store.git.identity = identity(store)
    with writer_lock(store.git_dir):
        return advance(store, branch, new, head, reason)
