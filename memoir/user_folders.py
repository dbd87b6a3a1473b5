"""The user's folders for memoir: a cache, one for what cannot be made again, captures and the log of hooks, and drafts.

The cache has what was found out once and may be found out again. It lies outside every store, so that nothing which
comes with a cloned project can write into it. A cache that cannot be read or written, or holds nonsense, costs time and
nothing else.
"""

import os
import stat
from _thread import get_ident
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

LARGEST = 1 << 20
"""The most bytes that the cache keeps under a name."""
_DRAFT, DRAFT = "memoir-", "MEMORY.md"
"""How the folder of a draft begins, and the file in it."""


def cache() -> Path | None:
    """The folder for memoir in the user's cache directory, or None if there is no saying where that is."""
    return _folder("XDG_CACHE_HOME", ".cache")


def state() -> Path | None:
    """The folder for memoir in the user's state directory, or None if there is no saying where that is."""
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, usual: str) -> Path | None:
    base = os.environ.get(variable) or os.path.join(os.path.expanduser("~"), usual)
    return Path(base, "memoir") if os.path.isabs(base) else None


def new_draft() -> Path:
    """Make a folder for what somebody types in an editor, and return the file."""
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix=_DRAFT), DRAFT)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that is removed behind the block, also if Ctrl-C comes while that is being done."""
    from shutil import rmtree
    from tempfile import mkdtemp

    with ExitStack() as ends:
        folder = mkdtemp(prefix=_DRAFT)
        for _ in range(2):  # what the first call leaves when it is interrupted, the second one removes
            ends.callback(rmtree, folder, ignore_errors=True)
        yield Path(folder)


def drafts() -> Iterator[Path]:
    """What this user typed in an editor and could not be stored, with the copies that an editor made of it."""
    from tempfile import gettempdir

    for place in Path(gettempdir()).glob(f"{_DRAFT}????????"):
        with suppress(OSError):
            about = place.lstat()
            private = stat.S_ISDIR(about.st_mode) and about.st_mode & 0o777 == 0o700  # as `mkdtemp` makes them
            if private and about.st_uid == os.geteuid():
                yield from (file for file in place.iterdir() if DRAFT in file.name)


def read_cached(name: str) -> bytes | None:
    """The bytes that were kept under a name, if it is this user's own plain file."""
    place = cache()
    if place is None:
        return None
    with suppress(OSError):
        descriptor = os.open(place / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            about = os.fstat(descriptor)
            own = about.st_uid == os.geteuid() and not about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
            if own and stat.S_ISREG(about.st_mode) and about.st_size <= LARGEST:
                return file.read(LARGEST)
    return None


def write_cached(name: str, data: bytes) -> None:
    """Keep something under a name; readers see the old data or the new, never a part."""
    place = cache()
    if place is None or len(data) > LARGEST:
        return
    draft = place / f"{name}.{os.getpid()}-{get_ident()}"  # threads may write at once, as two that open an index do
    with suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
            os.replace(draft, place / name)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(draft)


def make(place: Path) -> None:
    """Make a folder in the state folder. Whatever the umask, only its user may write to it and to what leads to it.

    Whoever may write to a folder above could put another one in its place.
    """
    own = state()
    for each in reversed((place, *place.parents)):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)
            _sync(each.parent)
        elif own and each.is_relative_to(own) and each.stat().st_mode & 0o022:
            each.chmod(0o700)


def _sync(folder: Path) -> None:
    with suppress(OSError):  # some file systems cannot do it for a folder
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
