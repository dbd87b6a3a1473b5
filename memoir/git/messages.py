"""Messages of git: those during exchanges with a remote, and memoir's errors for failed commands.

git passes on a remote's messages unchanged, including escape sequences. So no output of git goes to the terminal
directly: each line is given to a function that makes it safe and shows it.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen
from typing import IO, TYPE_CHECKING

from memoir.errors import Conflict, DamagedStore, GitError, MemoirError, NoStore, NotFound, ReadOnlyStore

if TYPE_CHECKING:
    from subprocess import CompletedProcess

LOCK_HINT = (
    "another git process is at work here, or was killed: wait a minute, then run the same command again; "
    "it removes a lock file that is older than a minute"
)
FULL_HINT = "the disk is full: make room there, then run the same command again"
DISK_HINT = "the disk fails, or is full: see 'dmesg' and 'df', then run the same command again"
NO_FSYNC_HINT = "a power cut could take back what was reported: use a folder of another file system"
_NOT_WRITTEN = (
    r"Input/output error|couldn't (?:write|set) '|(?:unable|failed) to (?:write|append|sync|close)|write error"
    r"|unable to create directory for '|could not lock config file .*\.lock(?:\n|$)"
)
_CAUSES = (
    (r"fsync error on .*: (Invalid argument|Operation not supported|Inappropriate ioctl)", NO_FSYNC_HINT),
    (
        r"(?i:unable to create|insufficient permission).*(Permission denied|Read-only file system|adding an object)",
        "see who owns that, and what its permissions are",
    ),
    (
        r"could not lock config file .*: (Permission denied|Read-only|No such file|Not a directory)",
        "see who owns its folder",
    ),
    (
        r"nonexistent object|/(tmp_pack_|pack-)[\w.]+'?[ :].*No such file",
        "a 'git gc --prune=now' beside it took new objects away: run the same command again",
    ),
)
"""Patterns of git's errors about its own files (not those of ssh about keys), with hints."""
_NO_REVISION = (
    rb"fatal: (log for .* (?:only has \d+ entries|is empty)|no upstream configured .*|no such branch: .*"
    rb"|relative path syntax .*)"
)
"""git's fatal errors for some revisions that do not exist."""


def gone(git_dir: Path) -> NoStore:
    """The error for an open store whose folder is gone."""
    return NoStore(f"{git_dir} was moved or deleted meanwhile", "open the store where it is now")


def require_writable(git_dir: Path) -> None:
    """Refuse to start a write that would fail half-way.

    Raises:
        ReadOnlyStore: the store's directory is not writable. NoStore: it is gone.
    """
    if not os.access(git_dir, os.W_OK):
        if not git_dir.exists():
            raise gone(git_dir)
        raise ReadOnlyStore(f"{git_dir} is read-only", "reading still works")


def read_failure(git_dir: Path, message: str, hint: str) -> MemoirError:
    """The error for an object that was not found or could not be read in a store."""
    if path := _first_hidden(git_dir):
        return MemoirError(f"{path} cannot be read: permission denied", "see who owns it, and what its permissions are")
    return DamagedStore(message, hint)


class Overtaken(Conflict, DamagedStore):  # type: ignore[misc]  # the code is that of a conflict
    """An object found before was purged meanwhile: a conflict for writers and readers, a loss for checks of damage."""


def purged_meanwhile(kind: type[Conflict] = Conflict) -> Conflict:
    """The error for objects found before a purge or a `git gc --prune=now`, and gone since."""
    return kind(
        "a commit that this builds on was purged, or dropped, meanwhile; nothing was changed",
        "run the same command again: it begins from what is left; if that fails, too, run 'memoir fsck'",
    )


def _first_hidden(git_dir: Path) -> str | None:
    """The first file or folder of a store without read permission, or None."""
    for folder, folders, names in os.walk(git_dir):
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            if os.path.exists(path) and not os.access(path, os.R_OK | (os.X_OK if name in folders else 0)):
                return path
    return None


def failure(subcommand: str, stderr: bytes) -> GitError:
    """The error for a git command that failed, with git's own last words."""
    words = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    reason = next(
        (line for line in words if line.startswith(("fatal:", "error:"))), words[-1] if words else "no message"
    )
    for pattern, hint in _CAUSES:
        if line := next((line for line in words if re.search(pattern, line)), None):
            return GitError(f"git {subcommand} failed: {line}", hint)
    is_locked = re.search(r"\.lock': File exists|could not lock .*: File exists", reason)
    return GitError(f"git {subcommand} failed: {reason}", LOCK_HINT if is_locked else _disk_hint(stderr))


def _disk_hint(stderr: bytes) -> str | None:
    """A hint if the disk caused the error; git does not always give the reason for a failed write."""
    words = stderr.decode("utf-8", "replace")
    if _is_disk_full(words):
        return FULL_HINT
    return DISK_HINT if re.search(_NOT_WRITTEN, words) else None


def _is_disk_full(reason: str) -> bool:
    """Whether the disk is full; some errors of git name only the path, so its free space is checked."""
    if path := re.search(r"(?:couldn't write|failed to write new configuration file) '?(/[^']+)", reason):
        with suppress(OSError):
            return os.statvfs(os.path.dirname(path[1])).f_bavail == 0
    return re.search(r"No space left on device|Out of diskspace", reason) is not None


def damage(subcommand: str, stderr: bytes, git_dir: Path) -> MemoirError:
    """The error for a git command that could not read the store, with git's own last words.

    Unreadable configuration files and missing permissions are not damage of the store.
    """
    if re.search(rb"bad (\w+ )?config", stderr):
        return GitError(failure(subcommand, stderr).message, "fix the configuration file that it names")
    if match := re.search(_NO_REVISION, stderr):
        return NotFound(f"no such revision: {match[1].decode('utf-8', 'replace')}", "'memoir log' shows the commits")
    message = f"the store cannot be read: {failure(subcommand, stderr).message}"
    return read_failure(git_dir, message, "run 'memoir fsck'")


def last_words(process: "CompletedProcess[bytes]") -> bytes:
    """The error output of a failed git command, or the signal that ended it."""
    return process.stderr or (b"it was ended by signal %d" % -process.returncode if process.returncode < 0 else b"")


Tell = Callable[[str], None]
"""A function that makes a line safe and shows it; the line includes its end (carriage return or line break)."""

KEPT_BYTES = 64 << 10
"""The most bytes of git's messages that are kept for an error; a remote may send any number."""
_LONGEST = 4096
_PROGRESS = rb"(remote: )?[A-Z][\w ]+: +(\d+% \(|\d+[,.\s])"


def listen(pipe: IO[bytes], tell: Tell | None = None) -> bytes:
    """Read git's messages to the end; return the first ones, without progress.

    Messages of the remote and progress go to `tell`, line by line.
    """
    messages = bytearray()
    for line in _lines(pipe):
        progress = re.match(_PROGRESS, line)
        if tell and (progress or line.startswith(b"remote: ")):
            tell(line.decode("utf-8", "replace"))
        if not progress and len(messages) < KEPT_BYTES:
            messages += line
    return bytes(messages)


def _lines(pipe: IO[bytes]) -> Iterator[bytes]:
    """Lines with their ends, as soon as they arrive; a very long line comes in pieces."""
    rest = b""
    while chunk := pipe.read1(KEPT_BYTES):  # type: ignore[attr-defined]
        *whole, rest = re.split(rb"(?<=[\r\n])", rest + chunk)
        yield from whole
        while len(rest) > _LONGEST:
            yield rest[:_LONGEST]
            rest = rest[_LONGEST:]
    if rest:
        yield rest


NO_ANSWER = b"no answer within "


def end(process: "Popen[bytes]", *, alone: bool) -> None:
    """End a git process, and if it leads its own session all its helpers, which might wait forever."""
    if not alone:  # in the user's session, Ctrl-C ends the helpers as well
        process.kill()
        return
    from signal import SIGKILL

    with suppress(OSError):
        os.killpg(process.pid, SIGKILL)


_DYING = 2.0
"""Seconds."""


def outlast(pipe: IO[bytes]) -> None:
    """Wait until all writers to a pipe have ended, as git's helpers do soon after git.

    Until then they may write into a folder that will be removed. The wait is limited to two seconds.
    """
    from select import select
    from time import monotonic

    latest = monotonic() + _DYING
    while (rest := latest - monotonic()) > 0 and select([pipe], [], [], rest)[0]:
        if not os.read(pipe.fileno(), KEPT_BYTES):
            return


@contextmanager
def within(seconds: float | None, process: "Popen[bytes]") -> Iterator[Callable[[], bytes]]:
    """End a process that leads its own session, and its helpers, if the block takes longer than `seconds`.

    Yields a function that returns a message about that, or nothing if the process ended in time. None: no limit.
    """
    if seconds is None:
        yield lambda: b""
        return
    from threading import Timer

    notes = []

    def give_up() -> None:
        notes.append(NO_ANSWER + b"%g seconds" % seconds)
        end(process, alone=True)

    timer = Timer(seconds, give_up)
    timer.start()
    try:
        yield lambda: b"".join(notes)
    finally:
        timer.cancel()
