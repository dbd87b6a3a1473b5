"""The reflog of a branch: every move of the branch.

git first appends to the log and then moves the ref. So the newest line may note a move that a kill prevented, and after
a power cut lines may be missing. Both show in the chain: each move starts where the one before ended, and the newest
ends at the branch's commit.
"""

import errno
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.git.fsync import replace
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, file_of, is_ref_name

_LINE = rb"([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) [^\0\n]*> (-?\d{1,18}) [+-]\d{4,10}(?:\t([^\0]*))?"
"""A line of a log. For times after 2099 git writes a time zone of many digits."""
_NO_LOG = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG}
_REPAIR = "run 'memoir fsck --repair', which completes the log from the commits"


class BranchMove(NamedTuple):
    """One line of a reflog: the old commit (None: no branch), the new one, the reason, and the time (Unix time)."""

    old: Oid | None
    new: Oid
    reason: str
    time: int = 0


def read(git_dir: Path, branch: str) -> Iterator[BranchMove]:
    """The noted moves of a branch, newest first.

    Raises:
        DamagedStore: a line cannot be read.
    """
    for line in reversed(lines(git_dir, BRANCHES + branch)):
        move = parse(line)
        if move is None:
            raise DamagedStore(f"a line of the log of branch {branch!r} cannot be read", _REPAIR)
        if move.new != move.old:  # a renaming is noted, but moves nothing
            yield move


def walk_back(moves: Iterable[BranchMove], tip: Oid, branch: str) -> Iterator[BranchMove]:
    """The moves that really took place, from the branch's commit back to the oldest; `moves` are newest first.

    Raises:
        DamagedStore: a move is missing, so earlier states are unknown.
    """
    at: Oid | None = tip
    for move in moves:
        if move.new == at:
            yield move
            at = move.old
        elif move.old != at:
            what = "the last change" if at == tip else "a change"
            where = f"the branch was at {at:.12}" if at else "the branch did not exist"
            raise DamagedStore(
                f"the log of branch {branch!r} lacks {what}: it leads to {move.new:.12}, but {where}", _REPAIR
            )


def lines(git_dir: Path, ref: str) -> list[bytes]:
    """The lines of a ref's log, oldest first; none without a log or for an invalid name."""
    if ref != "HEAD" and not is_ref_name(ref):
        return []
    try:
        data = (git_dir / "logs" / ref).read_bytes()
    except OSError as error:
        if error.errno not in _NO_LOG:
            raise
        return []
    return [line for line in data.split(b"\n") if line]


def forget(git_dir: Path, ref: str, commit: Oid) -> None:
    """Drop the lines of a ref's log that name a commit."""
    if before := lines(git_dir, ref):
        kept = [line for line in before if str(commit).encode() not in line.partition(b"\t")[0]]
        replace(file_of(git_dir, ref, log=True), b"".join(line + b"\n" for line in kept))


def format_line(old: Oid | str, new: Oid, who: Mapping[str, str], time: int | str, reason: str) -> bytes:
    """Format a line of a log: a move, its author (git's variables), its time (Unix time) and its reason."""
    name, email = who.get("GIT_COMMITTER_NAME", "memoir"), who.get("GIT_COMMITTER_EMAIL", "memoir@localhost")
    return f"{old} {new} {name} <{email}> {time} +0000\t{reason}".encode()


def parse(line: bytes) -> BranchMove | None:
    """Parse the move of a line; None if it is not a line of a log."""
    match = re.fullmatch(_LINE, line)
    if match is None:
        return None
    old, new, time, reason = match.groups()
    before = Oid.fromhex(old.decode()) if old.strip(b"0") else None
    return BranchMove(before, Oid.fromhex(new.decode()), (reason or b"").decode("utf-8", "replace"), int(time))


def last_known(git_dir: Path, ref: str) -> BranchMove | None:
    """The newest readable move of a ref's log; None if there is none."""
    return next(filter(None, map(parse, reversed(lines(git_dir, ref)))), None)


def find_loss(git_dir: Path, ref: str) -> BranchMove | None:
    """The last move of a lost ref, from its log; None if it has no log or never existed.

    A log and a lock file left by a killed first move are not a loss; the next write ignores them.
    """
    move = last_known(git_dir, ref)
    if move is None or (move.old is None and _is_locked_at(git_dir / f"{ref}.lock", move.new)):
        return None
    return move


def _is_locked_at(lock: Path, commit: Oid) -> bool:
    try:
        return lock.read_text("utf-8", "replace").strip() == str(commit)
    except OSError:
        return False
