"""The user's folders for memoir: a cache, the state folder with captures and the log of hooks, and drafts.

The cache has data that can be computed again. It is outside every store, so that nothing in a cloned project can write
to it. A cache that cannot be read or written, or is malformed, costs only time.
"""

import os
import stat
from _thread import get_ident
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

LARGEST = 1 << 20
"""The most bytes of a file in the cache."""
_DRAFT, DRAFT = "memoir-", "MEMORY.md"
"""The prefix of a draft's folder, and the name of the file in it."""


def cache() -> Path | None:
    """The folder for memoir in the user's cache directory; None if that is unknown."""
    return _folder("XDG_CACHE_HOME", ".cache")


def state() -> Path | None:
    """The folder for memoir in the user's state directory; None if that is unknown."""
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, usual: str) -> Path | None:
    base = os.environ.get(variable) or os.path.join(os.path.expanduser("~"), usual)
    return Path(base, "memoir") if os.path.isabs(base) else None


def new_draft() -> Path:
    """Make a folder for a text to edit in an editor, and return the file's path."""
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix=_DRAFT), DRAFT)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that is removed after the block, even if Ctrl-C interrupts the removal."""
    from shutil import rmtree
    from tempfile import mkdtemp

    with ExitStack() as ends:
        folder = mkdtemp(prefix=_DRAFT)
        for _ in range(2):  # the second call removes what an interrupted first one leaves
            ends.callback(rmtree, folder, ignore_errors=True)
        yield Path(folder)


def drafts() -> Iterator[Path]:
    """The drafts of this user that could not be stored, with the copies that an editor made of them."""
    from tempfile import gettempdir

    for folder in Path(gettempdir()).glob(f"{_DRAFT}????????"):
        with suppress(OSError):
            about = folder.lstat()
            private = stat.S_ISDIR(about.st_mode) and about.st_mode & 0o777 == 0o700  # as `mkdtemp` makes them
            if private and about.st_uid == os.geteuid():
                yield from (file for file in folder.iterdir() if DRAFT in file.name)


def read_cached(name: str) -> bytes | None:
    """The bytes of a file in the cache, if it is a plain file of this user's own."""
    folder = cache()
    if folder is None:
        return None
    with suppress(OSError):
        descriptor = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            own = about.st_uid == os.geteuid() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            if own and stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST:
                return file.read(LARGEST)
    return None


def write_cached(name: str, data: bytes) -> None:
    """Write a file in the cache atomically: readers see the old data or the new, never a part."""
    folder = cache()
    if folder is None or len(data) > LARGEST:
        return
    draft = folder / f"{name}.{os.getpid()}-{get_ident()}"  # threads may write at once, such as two that open an index
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
            os.replace(draft, folder / name)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(draft)


def make(folder: Path) -> None:
    """Make a folder in the state folder. With any umask, only its user may write to it and to its parents there.

    Anybody who can write to a parent could replace the folder.
    """
    own = state()
    for each in reversed((folder, *folder.parents)):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)
            _sync(each.parent)
        elif own and each.is_relative_to(own) and each.stat().st_mode & 0o022:
            each.chmod(0o700)


def _sync(folder: Path) -> None:
    with suppress(OSError):  # some file systems cannot sync a folder
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
