"""Creates stores: bare git repositories, protected from the project around them."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memoir.errors import Conflict, MemoirError, ReadOnlyStore
from memoir.git.fsync import Unsettled, settle, sync_tree
from memoir.git.git import check_version, plain
from memoir.git.lock import held, try_lock
from memoir.git.messages import failure
from memoir.store import guard, safeguards
from memoir.store.locate import DIRECTORY, insist_whole, is_store, locate
from memoir.store.maintenance import REPACK_LOCK
from memoir.store.safeguards import protect
from memoir.store.store import Store

# The config of every store. Reflogs never expire, because undo needs them. Fetched and pushed objects stay packed. The
# automatic gc is off because memoir repacks by itself and never prunes. The safeguards set how a user's 'git gc' packs.
SETTINGS = """\
	fsync = committed
	logAllRefUpdates = always
[transfer]
	unpackLimit = 1
[gc]
	auto = 0
	reflogExpire = never
	reflogExpireUnreachable = never
"""


_DRAFT = f"{DIRECTORY}-draft-"
_CANNOT_WRITE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST)


def create(folder: str | os.PathLike[str], object_format: str = "sha1") -> Store:
    """Create a store in a folder (made if need be) and open it."""
    git_dir = vacant(folder)
    try:
        with drafted(git_dir, object_format):
            pass
    except Conflict:  # another process was faster; use its store
        pass
    protect(git_dir)
    return Store(git_dir)


def create_or_open(folder: str | os.PathLike[str], object_format: str = "sha1") -> tuple[Store, bool]:
    """Open the store that a folder holds, or create one; also return whether it is new."""
    path = Path(folder)
    folders = [path / DIRECTORY, *([path] if path.name == DIRECTORY else [])]
    if not any((each / "HEAD").exists() for each in folders):
        return create(folder, object_format), True
    store = Store(locate(folder))
    protect(store.git_dir)
    return store, False


def vacant(folder: str | os.PathLike[str]) -> Path:
    """The path for a new store in a folder that has none."""
    check_version()
    git_dir = Path(os.path.abspath(folder), DIRECTORY)
    if is_store(git_dir):
        insist_whole(git_dir)
        raise _conflict(git_dir)
    if git_dir.exists() and not _is_empty(git_dir):
        raise Conflict(f"{git_dir} exists already, and is no memoir store", "move it away, or choose another folder")
    return git_dir


def _is_empty(folder: Path) -> bool:
    """Whether it is an empty folder, which a store may replace."""
    return folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir())


def _conflict(git_dir: Path) -> Conflict:
    return Conflict(f"{git_dir} exists already", "use it as it is, or choose another folder")


@contextmanager
def drafted(git_dir: Path, object_format: str) -> Iterator[Path]:
    """Build a repository under a draft name and rename it at the end of the block, so that no half-made store is seen.

    If the block raises, nothing is left. Drafts of killed processes are removed by the next call.
    """
    folders = [folder for folder in (git_dir.parent, *git_dir.parent.parents) if not folder.exists()]
    draft = git_dir.with_name(_DRAFT + os.urandom(4).hex())
    try:
        with _writable(git_dir.parent):
            git_dir.parent.mkdir(parents=True, exist_ok=True)
            _remove_abandoned(git_dir.parent)
            draft.mkdir()
        with held(draft / REPACK_LOCK):
            with _writable(git_dir.parent):
                _build(draft, object_format)
            yield draft
            safeguards.renew(draft)
            sync_tree(draft)
            with _writable(git_dir.parent):
                _put_in_place(draft, git_dir)
    except Unsettled as error:  # the draft has been removed
        raise error.cause from None
    else:
        settle(git_dir.parent, *(folder.parent for folder in folders))
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        for folder in folders:
            with suppress(OSError):  # not empty
                folder.rmdir()


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in _CANNOT_WRITE:
            raise
        reason = error.strerror if folder.is_dir() or not folder.exists() else "it is not a folder"
        hint = "'memoir init DIR' creates it in another folder"
        raise ReadOnlyStore(f"cannot create a store in {folder}: {reason}", hint) from error


def _build(draft: Path, object_format: str) -> None:
    _git("init", "--quiet", "--bare", "--template=", "-b", "main", f"--object-format={object_format}", str(draft))
    for path in filter(Path.is_symlink, draft.iterdir()):
        path.unlink()  # git's test for symbolic links, which it may fail to remove
    with open(draft / "config", "a", encoding="utf-8") as config:
        config.write(f"[core]\n{SETTINGS}")
    # Makes the store a separate repository for the project around it, so that 'git clean -fdx' and 'git stash -a' skip
    # it.
    (draft / ".git").write_bytes(guard.OWN_GITFILE)


def _put_in_place(draft: Path, git_dir: Path) -> None:
    try:
        os.rename(draft, git_dir)
    except OSError as error:
        if (git_dir / "HEAD").exists():
            raise _conflict(git_dir) from error
        raise


def _remove_abandoned(folder: Path) -> None:
    """Remove drafts of processes that are gone: the kernel has released their locks."""
    for draft in folder.glob(f"{_DRAFT}*"):
        with suppress(OSError, MemoirError):
            if not draft.is_symlink() and (draft / "objects").is_dir() and _is_free(draft / REPACK_LOCK):
                shutil.rmtree(draft, ignore_errors=True)


def _is_free(lock: Path) -> bool:
    descriptor = os.open(lock, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        return try_lock(descriptor)
    finally:
        os.close(descriptor)


def _git(*args: str) -> None:
    done = plain(*args)
    if done.returncode:
        raise failure(args[0], done.stderr)
