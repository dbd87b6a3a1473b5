"""The writer lock, and what a killed writer left behind.

An advisory lock spans reading a branch's head to updating it. Compare-and-swap alone would be
correct, but sixteen writers then redo each other's work; with the lock every write succeeds at
its first try. The kernel drops the lock when its holder dies, however it dies.
"""

import errno
import fcntl
import os
import time
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.errors import ReadOnlyStore, StoreBusy
from memoir.git.failures import require_writable
from memoir.git.ref_names import is_ref_name

if TYPE_CHECKING:
    from subprocess import CompletedProcess

LOCK_NAME = "memoir-write.lock"
KEEP_REASON = "memoir: being written"
"""What the `.keep` file of a pack says that no ref needs yet."""
STALE_LOCK = 10.0
"""Seconds after which an unchanged `*.lock` of git's is taken for a dead writer's."""
STALE_PACKED_REFS = 60.0
"""The same for `packed-refs.lock`, which a living git holds unchanged while it packs many refs."""

_STALE_TEMPORARY = 3600.0
_SLEEPS = (0.001, 0.002, 0.005, 0.01, 0.02)


@contextmanager
def writer_lock(git_dir: Path) -> Iterator[None]:
    """Hold the store's writer lock, having tidied up after writers that were killed."""
    with held(git_dir / LOCK_NAME):
        remove_leftovers(git_dir)
        yield


def require_lock(git_dir: Path) -> None:
    """Find out whether the store can be written to now, without doing it."""
    require_writable(git_dir)
    with held(git_dir / LOCK_NAME):
        pass


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file; waits up to `MEMOIR_LOCK_TIMEOUT` seconds."""
    from memoir.settings import LOCK_TIMEOUT

    descriptor = open_lock(path)
    try:
        _acquire(descriptor, time.monotonic() + LOCK_TIMEOUT.read({}))
        yield
    finally:
        os.close(descriptor)


def open_lock(path: Path) -> int:
    """Open a lock file, made if need be; closing the descriptor frees the lock.

    Raises:
        ReadOnlyStore: it cannot be opened for writing.
    """
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise ReadOnlyStore(f"{path.parent} is read-only: {error.strerror}", "reading still works") from error
        raise


def _acquire(descriptor: int, deadline: float) -> None:
    attempt = 0
    while not try_lock(descriptor):
        if time.monotonic() > deadline:
            raise StoreBusy("another process has held the store's write lock for too long", "try again")
        time.sleep(_SLEEPS[min(attempt, len(_SLEEPS) - 1)])
        attempt += 1


def try_lock(descriptor: int) -> bool:
    """Take an exclusive lock on an open file if nobody holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def remove_leftovers(git_dir: Path) -> None:
    """Remove memoir's own `.keep` files and old temporary packs; call with the writer lock held.

    While the lock is held no writer of memoir is alive, so a `.keep` that memoir wrote protects
    a pack whose writer was killed. Temporary packs may be a running fetch's: only old ones go.
    """
    packs = git_dir / "objects" / "pack"
    for entry in os.scandir(packs) if packs.is_dir() else ():  # git makes the folder when it needs it
        try:
            if not entry.is_file(follow_symlinks=False):
                continue
            if entry.name.endswith(".keep"):
                if Path(entry.path).read_text("utf-8", "replace").strip() == KEEP_REASON:
                    os.unlink(entry.path)
            elif entry.name.startswith("tmp_") and time.time() - entry.stat().st_mtime > _STALE_TEMPORARY:
                os.unlink(entry.path)
        except FileNotFoundError:
            continue


def try_past_stale_locks(
    git_dir: Path, run: Callable[[], "CompletedProcess[bytes]"], unless: Container[int] = (0,)
) -> "CompletedProcess[bytes]":
    """Run a git command that writes; once more if it failed and a killed git's lock file stood in its way.

    An exit status in `unless` does not count as a failure.
    """
    done = run()
    if done.returncode not in unless and remove_stale_locks(git_dir):
        done = run()
    return done


def remove_stale_locks(git_dir: Path, ref: str | None = None) -> bool:
    """Wait for git's lock files to go, or remove those that are stale; False if there was none.

    With `ref` only those that stand in the way of moving it; else all, wherever refs or settings are.
    """
    paths = [path for path in _git_locks(git_dir, ref) if path.exists()]
    for path in paths:
        patience = time.monotonic() + STALE_LOCK
        while (age := _age(path)) is not None and time.monotonic() < patience:
            if age >= (STALE_PACKED_REFS if path.name == "packed-refs.lock" else STALE_LOCK):
                path.unlink(missing_ok=True)
            else:
                time.sleep(0.05)
    return bool(paths)


def _git_locks(git_dir: Path, ref: str | None) -> list[Path]:
    if ref:
        names = ["HEAD", "packed-refs"] + [ref] * is_ref_name(ref)  # any other name may lead out of the store
        return [git_dir / f"{name}.lock" for name in names]
    own = [path for path in git_dir.glob("*.lock") if not path.name.startswith("memoir-")]
    return (
        own
        + [git_dir / "objects" / "info" / "commit-graph.lock"]
        + [Path(parent, name) for parent, _, names in os.walk(git_dir / "refs") for name in names if _is_lock(name)]
    )


def _is_lock(name: str) -> bool:
    return name.endswith(".lock")  # git allows no ref of such a name


def _age(path: Path) -> float | None:
    """Seconds since the file last changed (a clock set back counts as stale), or None if it is gone."""
    try:
        age = time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return None
    return age if age >= 0 else STALE_PACKED_REFS
