"""Undo and redo on a branch, the list of where undo can go, and the renaming of a branch.

The reflog is the list of everything that ever moved the branch, undo and redo included. Read backwards, an undo cancels
the move before it and a redo cancels an undo, like brackets:

    add A, add B, undo, undo, redo      ->  the next undo takes back A, the next redo brings back B

An undo of several moves at once is one bracket of that weight, and redo brings them all back.

A step that would leave a commit which a remote has is a commit of its own instead: a branch that only went back would
get all of it again with the next sync. What a sync, pull or merge of the remote brought is left here alone, since it is
others' as well.
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
from memoir.store.snapshot import FIRST_COMMIT, Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, StoredValue, empty_commit, identity, write
from memoir.tree.tree import diff


def rename(store: Store, old: str, new: str) -> Oid:
    """Rename a branch, its log included; HEAD follows. Returns where it is.

        create the new ref  ->  copy the log  ->  move HEAD  ->  delete the old ref

    git's own rename deletes the old ref first. Here both names hold the branch until the last step, so a kill loses
    nothing, and the same command then goes on where it stopped.

    Raises:
        NotFound, Conflict, InvalidInput: no such branch, the new name is taken, or malformed.
    """
    refs = store.refs
    source, target = refs.check_name("branch", old), refs.check_name("branch", new)
    reason = f"branch: renamed {old} to {new}"
    with writer_lock(store.git_dir):
        tip = refs.read(source)
        if tip is None:
            raise NotFound(f"no branch named {old!r}", store.refs.suggest(old), revision=old)
        _create(store, target, tip, reason)
        _copy_log(store.git_dir, source, target, reason)
        if refs.current == old:
            refs.switch(new)
        if not refs.update(source, None, tip, reason):
            raise Conflict(f"branch {old!r} moved while it was being renamed", f"{new!r} has its earlier state")
        _move_settings(store, old, new)
    return tip


def _create(store: Store, target: str, tip: Oid, reason: str) -> None:
    """Create the new ref, unless a killed rename has."""
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
    """Put the old log before the new one's line, which from then on notes the renaming and no move."""
    before, (*_, line) = reflog.lines(git_dir, source), reflog.lines(git_dir, target)
    if before:
        tip = line.split(b" ", 2)[1]
        after = b" ".join([tip, *line.split(b" ", 2)[1:]])
        replace(file_of(git_dir, target, log=True), b"".join(text + b"\n" for text in [*before, after]))


def _move_settings(store: Store, old: str, new: str) -> None:
    """Give the settings of a branch in git's config, such as its upstream, to its new name."""
    if any(key.startswith(f"branch.{old}.") for key in store.settings):
        from memoir.store.config import edit  # few branches have any

        edit(store, ("--rename-section", f"branch.{old}", f"branch.{new}"))


_STEP = re.compile(r"(undo|redo)(?: ([1-9]\d*))?: ")


def moves_to_undo(moves: Iterable[BranchMove]) -> Iterator[BranchMove]:
    """The moves that undo can take back, newest first (`moves` come newest first)."""
    undos = redos = 0
    for move in moves:
        verb, weight = _next_step(move)
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
    """The moves that an undo of some steps takes back, newest first.

    Raises:
        NoStep: nothing is left to undo. NotFound: not so much is.
    """
    newest = list(islice(moves_to_undo(moves), steps))
    if not newest:
        raise NoStep("nothing to undo on this branch", "'memoir log' shows its commits")
    if len(newest) < steps:
        changes = "1 change" if len(newest) == 1 else f"{len(newest)} changes"
        raise NotFound(f"only {changes} can be undone, not {steps}", "'memoir reflog' lists them")
    return newest


def redo_target(moves: Iterable[BranchMove]) -> BranchMove:
    """The newest undo that no redo has reversed; any other move since ends what can be redone.

    Raises:
        NoStep: nothing to redo.
    """
    redone = 0
    for move in moves:
        verb, weight = _next_step(move)
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
    """The entry of the log for an undo that ends with this move."""
    return f"undo{'' if steps == 1 else f' {steps}'}: {move.reason}"


def redo_reason(move: BranchMove) -> str:
    """The entry of the log for the redo of an undo."""
    return move.reason.replace("undo", "redo", 1)


def bare_reason(reason: str) -> str:
    """The change that an undo took back or a redo brought back, by its reason."""
    return _STEP.sub("", reason, count=1)


def _next_step(move: BranchMove) -> tuple[str | None, int]:
    match = _STEP.match(move.reason)
    return (match[1], int(match[2] or 1)) if match else (None, 1)


_BEGINNINGS = ("branch: ", "clone", "push", "fetch")
"""How a branch may have begun other than by a first write; there is nothing before that to go back to."""


_CHAINS = ("import from ",)
"""How a branch may have begun with several commits of one write, which a chain wrote (`memoir.store.chain`)."""


def _brings(move: BranchMove, remote: str, branch: str) -> bool:
    """Whether a move brought what a remote had of the branch, or what its writers had, folded."""
    name = rf"{re.escape(remote)}/({BRANCHES})?{re.escape(branch)}|[0-9a-f]{{40,}}"
    return bool(re.match(rf"sync {re.escape(remote)}$|merge ({name})(:|$)", move.reason))


class HistoryStep(NamedTuple):
    """A step through the reflog."""

    reason: str
    """What was undone or redone."""
    old: Oid
    """Where the branch was."""
    new: Oid
    """Where it is."""
    remote: str | None = None
    """The remote that has what the step leaves; None if none is known to."""
    returns: bool = False
    """Whether the next sync with that remote brings it back here; else it takes it back there."""


class Published(Protocol):
    """What remotes have of a branch, as far as it is known here."""

    def holder(self, store: Store, branch: str, tip: Oid, kept: Oid | None) -> str | None:
        """A remote that has a commit of a tip's line that another commit (None: none) lacks."""
        ...

    def refuse_brought(self, store: Store, edits: Mapping[bytes, bytes | StoredValue | None]) -> None:
        """Refuse what must not be published again."""
        ...


class ReflogEntry(NamedTuple):
    """The state that `undo NUMBER` returns to: a commit (None: no memories), the reason and time of the move to it."""

    number: int
    commit: Oid | None
    time: int | None
    reason: str


def undo(store: Store, *, branch: str | None = None, steps: int = 1, published: Published | None = None) -> HistoryStep:
    """Take back the given number of the branch's last moves that still stand; what is `published` by a commit.

    Raises:
        NoStep: nothing is left to undo. NotFound: not so much is.
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
    # An empty commit stands for a branch without one, so that redo has a way back.
    store.git.identity = identity(store)
    with empty_commit(store, "undo: an empty store") as empty:
        return _step(store, branch, old, empty, reason)


def redo(store: Store, *, branch: str | None = None, published: Published | None = None) -> HistoryStep:
    """Reverse the branch's last undo; by a commit, if that is published.

    Raises:
        NoStep: nothing to redo. DamagedStore: as for `undo`.
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
    """The states that undo can reach, newest first: entry 0 is where the branch is."""
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
    commit = store.resolve(BRANCHES + branch) or store.head(branch).commit  # the first does not look at its tree
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
    """Go to the memories of a commit (None: none) in a commit on top of where the branch is."""

    def change(head: Snapshot) -> Change:
        if head.id != old:
            raise Conflict(f"branch {branch!r} moved meanwhile", "try again")
        deltas = diff(head.tree, store.of(target).tree)
        edits = {each.key: StoredValue(each.new) if each.new else None for each in deltas}
        published.refuse_brought(store, edits)
        return Change(edits.items(), reason, sources=(target,) if target else ())

    commit = write(store, change, branch=branch, reason=reason)
    if commit is None and target:  # what was taken back had changed nothing in the end
        with writer_lock(store.git_dir):
            return _step(store, branch, old, target, reason)
    return HistoryStep(bare_reason(reason), old, commit.id if commit else old)
