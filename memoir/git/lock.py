"""The writer lock, and what a killed writer left behind.

An advisory lock spans reading a branch's head to updating it. Compare-and-swap alone would be
correct, but sixteen writers then redo each other's work; with the lock every write succeeds at
its first try. The kernel drops the lock when its holder dies, however it dies.
"""

import errno
import fcntl
import os
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
"""What the `.keep` file of a pack says that no ref needs yet."""
STALE_LOCK = 10.0
"""Seconds after which an unchanged `*.lock` of git's is taken for a dead writer's."""
STALE_PACKED_REFS = 60.0
"""The same for `packed-refs.lock`, which a living git holds unchanged while it packs many refs."""

_STALE_TEMPORARY = 3600.0
_WRITTEN_TOGETHER = 60.0
"""Seconds that may lie between a pack and a `.keep` of its writer."""
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


def is_held(path: str) -> bool:
    """Whether a living process has a lock on a file; on NFS only a file that is open for writing can have one."""
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return not try_lock(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def waited_for(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file, however long another process has it."""
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def open_lock(path: Path) -> int:
    """Open a lock file, made if need be; closing the descriptor frees the lock.

    Raises:
        ReadOnlyStore: it cannot be opened for writing. NoStore: its folder is gone.
    """
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except FileNotFoundError as error:
        raise gone(path.parent) from error
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
    """Take an exclusive lock on an open file if nobody holds it.

    Raises:
        MemoirError: the file system has no locks.
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

    While the lock is held no writer of memoir is alive, so a `.keep` that memoir wrote, and on which nobody has a lock,
    protects a pack whose writer was killed; a power cut may have left it empty. Temporary packs may be a running
    fetch's: only old ones go.
    """
    packs = git_dir / "objects" / "pack"
    for entry in os.scandir(packs) if packs.is_dir() else ():  # git makes the folder when it needs it
        with suppress(FileNotFoundError):
            if entry.is_file(follow_symlinks=False) and _is_leftover(entry):
                os.unlink(entry.path)


def _is_leftover(entry: "os.DirEntry[str]") -> bool:
    if entry.name.endswith(".keep"):
        return is_ours(Path(entry.path)) and not is_held(entry.path)
    return entry.name.startswith("tmp_") and time.time() - entry.stat().st_mtime > _STALE_TEMPORARY


def try_removing_leftovers(git_dir: Path) -> None:
    """Remove them unless somebody is writing: the next writer does it, too."""
    descriptor = open_lock(git_dir / LOCK_NAME)
    try:
        if try_lock(descriptor):
            remove_leftovers(git_dir)
    finally:
        os.close(descriptor)


@contextmanager
def removing_half_packs(git_dir: Path) -> Iterator[None]:
    """Remove what a git that fails or is ended meanwhile leaves of its packs: on a full disk it is in the way."""
    before = _half_packs(git_dir)
    try:
        yield
    except BaseException:  # one that succeeds leaves none: those that are new are another's
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
    """Whether a process has a file open, such as another fetch; True where the system does not say so."""
    processes = [f"/proc/{name}/fd" for name in os.listdir("/proc") if name.isdecimal()]
    for folder in processes:
        with suppress(OSError):  # it has ended, or is another user's, who cannot write here
            if any(os.readlink(f"{folder}/{number}") == path for number in os.listdir(folder)):
                return True
    return False


def is_ours(keep: Path) -> bool:
    """Whether a `.keep` is there and memoir's. A person's own is empty, too, but made later than its pack."""
    with suppress(FileNotFoundError):  # a fetch by git has ended meanwhile
        words = keep.read_text("utf-8", "replace").strip("\0\n")
        if words:
            return words == KEEP_REASON
        made, packed = keep.stat().st_mtime, keep.with_suffix(".pack").stat().st_mtime
        return abs(made - packed) < _WRITTEN_TOGETHER < time.time() - made
    return False


@contextmanager
def rewriting(path: Path) -> Iterator[Path]:
    """Hold git's own lock on a file of a store, `NAME.lock`, and write the new content there.

    At the end it is brought to disk and takes the file's name; if the block raises, the file stays as it is.

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
    """Bring a lock's file to disk at the end of the block, and give it the name; if that raises, remove it."""
    try:
        yield
        sync(lock)
        os.replace(lock, path)  # from here on, a file of the lock's name is another program's
    except BaseException:
        lock.unlink(missing_ok=True)
        raise


def take_lock(path: Path) -> Path | None:
    """Make git's own lock on a file, `NAME.lock`; None if another program holds it."""
    lock = path.with_name(f"{path.name}.lock")
    try:
        os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        return None
    return lock


def try_past_stale_locks(git_dir: Path, run: Callable[[], "CompletedProcess[bytes]"]) -> "CompletedProcess[bytes]":
    """Run a git command that writes; once more if it failed and a killed git's lock file stood in its way."""
    done = run()
    if done.returncode and remove_stale_locks(git_dir):
        done = run()
    return done


def remove_stale_locks(git_dir: Path, ref: str | None = None) -> bool:
    """Wait for git's lock files to go, or remove those that are stale; False if there was none.

    With `ref` only those that stand in the way of moving it; else all, wherever refs or settings are.
    """
    paths = [path for path in _git_locks(git_dir, ref) if path.exists()]
    for path in paths:
        limit = STALE_PACKED_REFS if path.name == "packed-refs.lock" else STALE_LOCK
        begin, first = time.monotonic(), _changed(path)
        while (changed := _changed(path)) is not None:
            watched = time.monotonic() - begin if changed == first else 0.0
            is_future = changed > (now := _time_there(git_dir))
            if now - changed >= limit or (is_future and watched >= limit):
                path.unlink(missing_ok=True)
            elif time.monotonic() - begin >= max(STALE_LOCK, limit * is_future):
                break
            else:
                time.sleep(0.05)
    return bool(paths)


def _git_locks(git_dir: Path, ref: str | None) -> list[Path]:
    if ref:
        names = ["HEAD", "packed-refs"] + [ref] * is_ref_name(ref)  # any other name may lead out of the store
        return [git_dir / f"{name}.lock" for name in names]
    own = [path for path in git_dir.glob("*.lock") if not path.name.startswith("memoir-")]
    files = (Path(parent, name) for parent, _, names in os.walk(git_dir / "refs") for name in names)
    of_refs = (path for path in files if path.suffix == ".lock")  # git allows no ref of such a name
    return [*own, git_dir / "objects" / "info" / "commit-graph.lock", *of_refs]


def _changed(path: Path) -> float | None:
    """When a file last changed, by the clock of its file system; None if it is gone."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return None


def _time_there(git_dir: Path) -> float:
    """The time by the clock of the store's file system, which may be a server's that is ahead or behind.

    A lock from the future was left before a clock was set back: how long it is watched decides then.
    """
    clock = git_dir / LOCK_NAME
    try:
        os.utime(clock)
        return clock.stat().st_mtime
    except OSError:
        return time.time()
