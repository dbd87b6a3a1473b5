"""Find a store's spool, even after the store's folder was renamed or moved.

A spool is named after the path of its store, and shares a random mark with it. If the store has moved, and nothing is
at its old path, the spool is renamed as well. A copy beside the original is another store; a store from another machine
has a mark without a spool.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memoir import user_folders
from memoir.git.fsync import replace, sync
from memoir.git.objects import blake2b

STORE = "store"
"""The file of a spool with the mark, and the path of the store in the next line."""
_MARK = "memoir-captures"
"""The file of a store with the mark."""
_FORM = re.compile(rb"[0-9a-f]{32}")
_MODE = 0o600


def spool_folder(git_dir: Path) -> Path | None:
    """The folder of a store's spool, which may not exist; None if the state folder is unknown."""
    base = user_folders.state()
    if base is None:
        return None
    folder = base / "spool" / blake2b(_path(git_dir), size=8).hex()
    if not folder.exists() and (mark := _read_mark(git_dir)):
        with suppress(OSError):  # another process was faster, or there is no spool at all
            _move_spool(mark, git_dir, folder)
    return folder


@contextmanager
def placing(folder: Path) -> Iterator[None]:
    """Lock the folder of all spools, so that no other process creates or removes one and files get lost."""
    descriptor = os.open(folder.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # a file server may have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def mark(git_dir: Path, folder: Path) -> None:
    """Give a store and its spool the same mark, if the store can be written to."""
    with suppress(OSError):
        text = _read_mark(git_dir) or os.urandom(16).hex().encode()
        replace(git_dir / _MARK, text, _MODE)
        replace(folder / STORE, text + b"\n" + _path(git_dir), _MODE)


def _move_spool(mark: bytes, git_dir: Path, folder: Path) -> None:
    """Move the spool with a mark to a folder, if its store is no longer at its old path."""
    for file in folder.parent.glob(f"*/{STORE}"):
        found, _, path = file.read_bytes().partition(b"\n")
        if found == mark and not os.path.lexists(path):
            os.rename(file.parent, folder)
            sync(folder.parent)
            replace(folder / STORE, mark + b"\n" + _path(git_dir), _MODE)
            return


def _read_mark(git_dir: Path) -> bytes | None:
    """The mark of a store, if it has one; reading it never blocks or follows a link, since the file may be anything."""
    with suppress(OSError):
        descriptor = os.open(git_dir / _MARK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            text = os.read(descriptor, 64)
        finally:
            os.close(descriptor)
        return text if _FORM.fullmatch(text) else None
    return None


def _path(git_dir: Path) -> bytes:
    return os.fsencode(os.path.realpath(git_dir))
