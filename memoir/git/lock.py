"""The writer lock, and the removal of files left by killed writers.

An advisory lock is held from reading a branch's head to updating it. Compare-and-swap alone would be correct, but with
many writers most writes would be repeated; with the lock every write succeeds at the first try. The kernel releases the
lock when its holder dies.
"""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.errors import MemoirError, ReadOnlyStore, StoreBusy
from memoir.git.fsync import sync
from memoir.git.messages import LOCK_HINT, gone, require_writable
from memoir.git.ref_names import is_ref_name

if TYPE_CHECKING:
    from subprocess import CompletedProcess

LOCK_NAME = "memoir-write.lock"
KEEP_REASON = "memoir: being written"
"""The content of the `.keep` file of a pack that no ref needs yet."""
STALE_LOCK = 10.0
"""Seconds after which an unchanged `*.lock` of git counts as left by a dead process."""
STALE_PACKED_REFS = 60.0
"""The same for `packed-refs.lock`, which a running git keeps unchanged while it packs many refs."""

_STALE_TEMPORARY = 3600.0
_WRITTEN_TOGETHER = 60.0
"""The most seconds between the times of a pack and its writer's `.keep`."""
_SLEEPS = (0.001, 0.002, 0.005, 0.01, 0.02)


@contextmanager
def writer_lock(git_dir: Path) -> Iterator[None]:
    """Hold the store's writer lock, after removing the leftovers of killed writers."""
    with held(git_dir / LOCK_NAME):
        remove_leftovers(git_dir)
        yield


def require_lock(git_dir: Path) -> None:
    """Check that the store can be written to now: raises like a write."""
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


def is_held(path: str) -> bool:
    """Whether a running process has a lock on a file, opened for writing because NFS requires that."""
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return not try_lock(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def waited_for(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file; waits without limit."""
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def open_lock(path: Path) -> int:
    """Open a lock file, created if missing; closing the descriptor releases the lock.

    Raises:
        ReadOnlyStore: it cannot be opened for writing. NoStore: its folder is gone.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        _share(descriptor, path.parent)
        return descriptor
    except FileNotFoundError as error:
        raise gone(path.parent) from error
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise ReadOnlyStore(f"{path.parent} is read-only: {error.strerror}", "reading still works") from error
        raise


def _share(descriptor: int, folder: Path) -> None:
    """Let the folder's group lock a new file if it may write to the folder, as in a store that several users share."""
    about = os.fstat(descriptor)
    if os.stat(folder).st_mode & ~about.st_mode & stat.S_IWGRP and about.st_uid == os.geteuid():
        os.fchmod(descriptor, about.st_mode | stat.S_IWGRP)


def _acquire(descriptor: int, deadline: float) -> None:
    attempt = 0
    while not try_lock(descriptor):
        if time.monotonic() > deadline:
            raise StoreBusy("another process has held the store's write lock for too long", "try again")
        time.sleep(_SLEEPS[min(attempt, len(_SLEEPS) - 1)])
        attempt += 1


def try_lock(descriptor: int) -> bool:
    """Take an exclusive lock on an open file if no process holds it.

    Raises:
        MemoirError: the file system does not support locks.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        raise MemoirError(
            f"the file system of this store cannot lock files ({error.strerror}), so writers would disturb each other",
            "keep the store on a local disk and 'memoir sync' it, or mount the file system with locks",
        ) from error
    return True


_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS)


def remove_leftovers(git_dir: Path) -> None:
    """Remove memoir's own `.keep` files and old temporary packs; call with the writer lock held.

    While the lock is held no other memoir is writing, so an unlocked `.keep` of memoir's protects a pack whose writer
    was killed; a power cut may have left it empty. Temporary packs may belong to a running fetch, so only old ones are
    removed.
    """
    packs = git_dir / "objects" / "pack"
    for entry in os.scandir(packs) if packs.is_dir() else ():  # git creates the folder on demand
        with suppress(FileNotFoundError):
            if entry.is_file(follow_symlinks=False) and _is_leftover(entry):
                os.unlink(entry.path)


def _is_leftover(entry: "os.DirEntry[str]") -> bool:
    if entry.name.endswith(".keep"):
        return is_ours(Path(entry.path)) and not is_held(entry.path)
    return entry.name.startswith("tmp_") and time.time() - entry.stat().st_mtime > _STALE_TEMPORARY


def try_removing_leftovers(git_dir: Path) -> None:
    """Remove leftovers unless a process is writing; the next writer removes them otherwise."""
    descriptor = open_lock(git_dir / LOCK_NAME)
    try:
        if try_lock(descriptor):
            remove_leftovers(git_dir)
    finally:
        os.close(descriptor)


@contextmanager
def removing_half_packs(git_dir: Path) -> Iterator[None]:
    """If the block raises, remove new temporary packs of a failed git, which would take room on a full disk."""
    before = _half_packs(git_dir)
    try:
        yield
    except BaseException:  # after success, new ones belong to another process
        for path in _half_packs(git_dir) - before:
            with suppress(OSError):
                if not _is_open(path):
                    os.unlink(path)
        raise


def _half_packs(git_dir: Path) -> set[str]:
    with suppress(FileNotFoundError, NotADirectoryError):
        entries = os.scandir(os.path.realpath(git_dir / "objects" / "pack"))
        return {entry.path for entry in entries if entry.name.startswith("tmp_")}
    return set()


def _is_open(path: str) -> bool:
    """Whether a process, such as another fetch, has a file open."""
    processes = [f"/proc/{name}/fd" for name in os.listdir("/proc") if name.isdecimal()]
    for folder in processes:
        with suppress(OSError):  # the process has ended, or belongs to another user, who cannot write here
            if any(os.readlink(f"{folder}/{number}") == path for number in os.listdir(folder)):
                return True
    return False


def is_ours(keep: Path) -> bool:
    """Whether a `.keep` exists and is memoir's. One made by a person is also empty, but newer than its pack."""
    with suppress(FileNotFoundError):  # a fetch has ended meanwhile
        words = keep.read_text("utf-8", "replace").strip("\0\n")
        if words:
            return words == KEEP_REASON
        made, packed = keep.stat().st_mtime, keep.with_suffix(".pack").stat().st_mtime
        return abs(made - packed) < _WRITTEN_TOGETHER < time.time() - made
    return False


@contextmanager
def rewriting(path: Path) -> Iterator[Path]:
    """Hold git's lock on a file of a store, `NAME.lock`, and write the new content there.

    At the end of the block it is flushed and renamed to the file; if the block raises, the file is unchanged.

    Raises:
        StoreBusy: another program holds it.
    """
    end = time.monotonic() + STALE_LOCK
    while not (lock := take_lock(path)):
        if time.monotonic() > end:
            raise StoreBusy(f"another program holds {path}.lock", LOCK_HINT)
        remove_stale_locks(path.parent)
    with renaming(lock, path):
        yield lock


@contextmanager
def renaming(lock: Path, path: Path) -> Iterator[None]:
    """Flush a lock file at the end of the block and rename it to `path`; if the block raises, remove it."""
    try:
        yield
        sync(lock)
        os.replace(lock, path)  # from here on, a file with the lock's name belongs to another program
    except BaseException:
        lock.unlink(missing_ok=True)
        raise


def take_lock(path: Path) -> Path | None:
    """Create git's lock on a file, `NAME.lock`; None if another program holds it."""
    lock = path.with_name(f"{path.name}.lock")
    try:
        os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        return None
    return lock


def try_past_stale_locks(git_dir: Path, run: Callable[[], "CompletedProcess[bytes]"]) -> "CompletedProcess[bytes]":
    """Run a git command that writes; repeat it if it failed and a stale lock file was removed."""
    done = run()
    if done.returncode and remove_stale_locks(git_dir):
        done = run()
    return done


def remove_stale_locks(git_dir: Path, ref: str | None = None) -> bool:
    """Wait for git's lock files to disappear, or remove stale ones; False if there was none.

    With `ref` only the locks that block moving it; otherwise all locks of refs and settings.
    """
    paths = [path for path in _git_locks(git_dir, ref) if path.exists()]
    for path in paths:
        limit = STALE_PACKED_REFS if path.name == "packed-refs.lock" else STALE_LOCK
        begin, first = time.monotonic(), _last_change(path)
        while (changed := _last_change(path)) is not None:
            watched = time.monotonic() - begin if changed == first else 0.0
            is_future = changed > (now := _file_system_time(git_dir))
            if now - changed >= limit or (is_future and watched >= limit):
                path.unlink(missing_ok=True)
            elif time.monotonic() - begin >= max(STALE_LOCK, limit * is_future):
                break
            else:
                time.sleep(0.05)
    return bool(paths)


def _git_locks(git_dir: Path, ref: str | None) -> list[Path]:
    if ref:
        names = ["HEAD", "packed-refs"] + [ref] * is_ref_name(ref)  # another name may lead out of the store
        return [git_dir / f"{name}.lock" for name in names]
    own = [path for path in git_dir.glob("*.lock") if not path.name.startswith("memoir-")]
    files = (Path(parent, name) for parent, _, names in os.walk(git_dir / "refs") for name in names)
    of_refs = (path for path in files if path.suffix == ".lock")  # git allows no ref with such a name
    return [*own, git_dir / "objects" / "info" / "commit-graph.lock", *of_refs]


def _last_change(path: Path) -> float | None:
    """The time of a file's last change, by the clock of its file system; None if it is gone."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return None


def _file_system_time(git_dir: Path) -> float:
    """The current time by the clock of the store's file system, which may be a server's.

    A lock from the future was left before the clock was set back; then the time since it was first seen counts.
    """
    clock = git_dir / LOCK_NAME
    try:
        os.utime(clock)
        return clock.stat().st_mtime
    except OSError:
        return time.time()
