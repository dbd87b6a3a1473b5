"""Undo and redo on a branch, the list of states that undo can reach, and the renaming of a branch.

The reflog lists every move of the branch, including undo and redo. Read backwards, an undo cancels the move before it
and a redo cancels an undo, like brackets:

    add A, add B, undo, undo, redo      ->  the next undo takes back A, the next redo brings back B

An undo of several moves is one bracket of that weight, and redo brings them all back.

If a remote has a commit that the step would leave, the step is made as a new commit: a branch that only moved back
would get it all again with the next sync. Changes that came from the remote by sync, pull or merge are taken back only
here, since others have them as well.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

from memoir.errors import Conflict, NoStep, NotFound
from memoir.git import reflog
from memoir.git.fsync import replace
from memoir.git.lock import writer_lock
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, file_of
from memoir.git.reflog import BranchMove
from memoir.git.refs import taken
from memoir.store.identity import identity
from memoir.store.snapshot import FIRST_COMMIT, Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, StoredValue, empty_commit, write
from memoir.tree.tree import diff


def rename(store: Store, old: str, new: str) -> Oid:
    """Rename a branch and its log; HEAD follows. Return the branch's commit.

        create the new ref  ->  copy the log  ->  move HEAD  ->  delete the old ref

    git's own rename deletes the old ref first. Here both names exist until the last step, so a kill loses nothing, and
    repeating the command continues.

    Raises:
        NotFound: no such branch. Conflict: the new name is taken. InvalidInput: a name is malformed.
    """
    refs = store.refs
    source, target = refs.check_name("branch", old), refs.check_name("branch", new)
    reason = f"branch: renamed {old} to {new}"
    with writer_lock(store.git_dir):
        tip = refs.read(source)
        if tip is None:
            raise NotFound(f"no branch named {old!r}", store.refs.suggest(old), revision=old)
        _create_ref(store, target, tip, reason)
        _copy_log(store.git_dir, source, target, reason)
        if refs.current == old:
            refs.switch(new)
        if not refs.update(source, None, tip, reason):
            raise Conflict(f"branch {old!r} moved while it was being renamed", f"{new!r} has its earlier state")
        _move_settings(store, old, new)
    return tip


def _create_ref(store: Store, target: str, tip: Oid, reason: str) -> None:
    """Create the new ref, unless a killed rename already has."""
    refs, name = store.refs, target.removeprefix(BRANCHES)
    if rival := refs.rival(target):
        raise Conflict(f"branch {name!r} conflicts with {rival!r}", "rename it to another name first, then to this one")
    if not refs.update(target, tip, None, reason) and not (
        refs.read(target) == tip and _has_begun(store, target, reason)
    ):
        raise taken("branch", name)


def _has_begun(store: Store, target: str, reason: str) -> bool:
    return any(line.endswith(f"\t{reason}".encode()) for line in reflog.lines(store.git_dir, target)[-1:])


def _copy_log(git_dir: Path, source: str, target: str, reason: str) -> None:
    """Put the old log before the new log's line, and make that line note the renaming without a move."""
    before, (*_, line) = reflog.lines(git_dir, source), reflog.lines(git_dir, target)
    if before:
        tip = line.split(b" ", 2)[1]
        after = b" ".join([tip, *line.split(b" ", 2)[1:]])
        replace(file_of(git_dir, target, log=True), b"".join(text + b"\n" for text in [*before, after]))


def _move_settings(store: Store, old: str, new: str) -> None:
    """Move a branch's settings in git's config, such as its upstream, to the new name."""
    if any(key.startswith(f"branch.{old}.") for key in store.settings):
        from memoir.store.config import edit  # few branches have any

        edit(store, ("--rename-section", f"branch.{old}", f"branch.{new}"))


_STEP = re.compile(r"(undo|redo)(?: ([1-9]\d*))?: ")


def moves_to_undo(moves: Iterable[BranchMove]) -> Iterator[BranchMove]:
    """The moves that undo can take back; these and `moves` are newest first."""
    undos = redos = 0
    for move in moves:
        verb, weight = _parse_step(move)
        if verb == "redo":
            redos += weight
        elif verb == "undo" and redos:
            redos -= weight
        elif verb == "undo":
            undos += weight
        elif undos:
            undos -= 1
        else:
            yield move


def moves_taken_back(moves: Iterable[BranchMove], steps: int = 1) -> list[BranchMove]:
    """The moves that an undo of `steps` steps takes back, newest first.

    Raises:
        NoStep: nothing is left to undo. NotFound: fewer steps are left.
    """
    newest = list(islice(moves_to_undo(moves), steps))
    if not newest:
        raise NoStep("nothing to undo on this branch", "'memoir log' shows its commits")
    if len(newest) < steps:
        changes = "1 change" if len(newest) == 1 else f"{len(newest)} changes"
        raise NotFound(f"only {changes} can be undone, not {steps}", "'memoir reflog' lists them")
    return newest


def redo_target(moves: Iterable[BranchMove]) -> BranchMove:
    """The newest undo that no redo has reversed; after any other move, nothing can be redone.

    Raises:
        NoStep: nothing to redo.
    """
    redone = 0
    for move in moves:
        verb, weight = _parse_step(move)
        if verb == "redo":
            redone += weight
        elif verb != "undo":
            break
        elif redone:
            redone -= weight
        else:
            return move
    raise NoStep("nothing to redo on this branch", "redo reverses an undo, until the branch changes again")


def undo_reason(move: BranchMove, steps: int) -> str:
    """The log entry for an undo that ends with this move."""
    return f"undo{'' if steps == 1 else f' {steps}'}: {move.reason}"


def redo_reason(move: BranchMove) -> str:
    """The log entry for the redo of an undo."""
    return move.reason.replace("undo", "redo", 1)


def bare_reason(reason: str) -> str:
    """The reason of the change that an undo took back or a redo brought back."""
    return _STEP.sub("", reason, count=1)


def _parse_step(move: BranchMove) -> tuple[str | None, int]:
    match = _STEP.match(move.reason)
    return (match[1], int(match[2] or 1)) if match else (None, 1)


_BEGINNINGS = ("branch: ", "clone", "push", "fetch")
"""The first reasons of a branch that did not begin with a write; undo cannot go back before them."""


_CHAINS = ("import from ",)
"""The first reasons of a branch that began with several commits of one write (`memoir.store.chain`)."""


def _brings(move: BranchMove, remote: str, branch: str) -> bool:
    """Whether a move brought in a remote's branch, or the folded branches of its writers."""
    name = rf"{re.escape(remote)}/({BRANCHES})?{re.escape(branch)}|[0-9a-f]{{40,}}"
    return bool(re.match(rf"sync {re.escape(remote)}$|merge ({name})(:|$)", move.reason))


class HistoryStep(NamedTuple):
    """A step through the reflog."""

    reason: str
    """The reason of the change undone or redone."""
    old: Oid
    """The branch's commit before the step."""
    new: Oid
    """The branch's commit after the step."""
    remote: str | None = None
    """A remote that has the commits which the step leaves; None if none is known."""
    returns: bool = False
    """Whether the next sync with that remote brings them back here; otherwise it takes them back there."""


class Published(Protocol):
    """The commits of a branch that remotes are known to have."""

    def holder(self, store: Store, branch: str, tip: Oid, kept: Oid | None) -> str | None:
        """A remote that has a commit of `tip` which `kept` (None: nothing) lacks; None if there is none."""
        ...

    def refuse_brought(self, store: Store, edits: Mapping[bytes, bytes | StoredValue | None]) -> None:
        """Refuse edits that must not be published again."""
        ...


class ReflogEntry(NamedTuple):
    """The state that `undo NUMBER` returns to: a commit (None: no memories), the reason and time of the move to it."""

    number: int
    commit: Oid | None
    time: int | None
    reason: str


def undo(store: Store, *, branch: str | None = None, steps: int = 1, published: Published | None = None) -> HistoryStep:
    """Take back the branch's last `steps` moves that have not been undone; `published` ones by a new commit.

    Raises:
        NoStep: nothing is left to undo. NotFound: fewer steps are left.
    """
    name = store.branch(branch)
    with writer_lock(store.git_dir):
        now_at = _tip(store, name)
        moves = moves_taken_back(_moves(store, name, now_at), steps)
        target, reason = moves[-1].old, undo_reason(moves[-1], steps)
        if target is None and not _is_first_write(store, moves[-1]):
            raise NoStep("nothing to undo on this branch", "'memoir log' shows its commits")
        remote = published.holder(store, name, now_at, target) if published else None
        brought = remote is not None and any(_brings(move, remote, name) for move in moves)
        if not published or not remote or brought:
            step = _step_back(store, name, now_at, target, reason)
            return step._replace(remote=remote, returns=brought)
    return _step_by_commit(store, name, now_at, target, reason, published)._replace(remote=remote)


def _step_back(store: Store, branch: str, old: Oid, new: Oid | None, reason: str) -> HistoryStep:
    """Move a branch back to a commit; None: to before its first write."""
    if new:
        return _step(store, branch, old, new, reason)
    # An empty commit stands for a branch without commits, so that redo has a way back.
    store.git.identity = identity(store)
    with empty_commit(store, "undo: an empty store") as empty:
        return _step(store, branch, old, empty, reason)


def redo(store: Store, *, branch: str | None = None, published: Published | None = None) -> HistoryStep:
    """Reverse the branch's last undo; by a new commit, if the undone state is published.

    Raises:
        NoStep: nothing to redo.
    """
    name = store.branch(branch)
    with writer_lock(store.git_dir):
        now_at = _tip(store, name)
        move = redo_target(_moves(store, name, now_at))
        if move.old is None:
            raise NoStep("nothing to redo on this branch")
        remote = published.holder(store, name, now_at, move.old) if published else None
        if not published or not remote:
            return _step(store, name, now_at, move.old, redo_reason(move))
    return _step_by_commit(store, name, now_at, move.old, redo_reason(move), published)._replace(remote=remote)


def entries(store: Store) -> Iterator[ReflogEntry]:
    """The states that undo can reach, newest first; entry 0 is the current one."""
    name = store.branch()
    at: Oid | None
    at = tip = _tip(store, name)
    number, move = 0, None
    for number, move in enumerate(moves_to_undo(_moves(store, name, tip)), 1):
        yield ReflogEntry(number - 1, at, move.time, move.reason)
        at = move.old
    if move and (at or _is_first_write(store, move)):
        yield ReflogEntry(number, at, None, "")


def _moves(store: Store, branch: str, tip: Oid) -> Iterator[BranchMove]:
    return reflog.walk_back(reflog.read(store.git_dir, branch), tip, branch)


def _is_first_write(store: Store, move: BranchMove) -> bool:
    """Whether a branch's first move was a write by memoir, before which there was nothing."""
    if move.reason.startswith(_BEGINNINGS):
        return False
    return move.reason.startswith(_CHAINS) or not store.commits([move.new])[0].parents


def _tip(store: Store, branch: str) -> Oid:
    commit = store.resolve(BRANCHES + branch) or store.head(branch).commit  # resolve does not read the tree
    if commit is None:
        raise NotFound(f"branch {branch!r} has no commits yet", FIRST_COMMIT)
    return commit.id


def _step(store: Store, branch: str, old: Oid, new: Oid, reason: str) -> HistoryStep:
    store.git.identity = identity(store)
    if not store.refs.update(BRANCHES + branch, new, old, reason):
        raise Conflict(f"branch {branch!r} moved meanwhile", "try again")
    return HistoryStep(bare_reason(reason), old, new)


def _step_by_commit(
    store: Store, branch: str, old: Oid, target: Oid | None, reason: str, published: Published
) -> HistoryStep:
    """Restore the memories of a commit (None: no memories) by a new commit on the branch."""

    def change(head: Snapshot) -> Change:
        if head.id != old:
            raise Conflict(f"branch {branch!r} moved meanwhile", "try again")
        deltas = diff(head.tree, store.of(target).tree)
        edits = {each.key: StoredValue(each.new) if each.new else None for each in deltas}
        published.refuse_brought(store, edits)
        return Change(edits.items(), reason, sources=(target,) if target else ())

    commit = write(store, change, branch=branch, reason=reason)
    if commit is None and target:  # the moves taken back had changed nothing in sum
        with writer_lock(store.git_dir):
            return _step(store, branch, old, target, reason)
    return HistoryStep(bare_reason(reason), old, commit.id if commit else old)
