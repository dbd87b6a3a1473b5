"""Writes that survive a power cut: files, and the folders that name them, brought to disk."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from memoir.errors import MemoirError

_UNSUPPORTED_ERRORS = (errno.EINVAL, errno.ENOTSUP, errno.ENOTTY)


class Unsettled(MemoirError):
    """Something is done, though the disk will not say that it has it."""

    def __init__(self, error: OSError) -> None:
        super().__init__(
            f"done, but a power cut may still undo it: {error.strerror}",
            "do not repeat the command: see 'dmesg' and 'df', then run 'memoir fsck'",
        )
        self.cause = error


def flush(descriptor: int) -> None:
    """Wait until the disk has the file that is open.

    Raises:
        OSError: the disk fails, or its file system cannot say so (ENOTSUP).
    """
    try:
        _flush(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED_ERRORS:
            raise
        raise OSError(errno.ENOTSUP, "this file system cannot bring a file to disk") from error


def _flush(descriptor: int) -> None:
    """The disk of a Mac keeps what it gets to itself unless it is asked to empty its cache."""
    if (whole := getattr(fcntl, "F_FULLFSYNC", None)) is not None:
        try:
            fcntl.fcntl(descriptor, whole)
            return
        except OSError as error:
            if error.errno not in _UNSUPPORTED_ERRORS:  # as those of a file system elsewhere
                raise
    os.fsync(descriptor)


def sync(*paths: Path) -> None:
    """Wait until files and folders are on disk; one that does not exist is passed over.

    git itself brings packs and refs to disk, but neither a reflog nor the folder in which a new file stands.
    """
    for path in dict.fromkeys(paths):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except (FileNotFoundError, PermissionError):
            continue
        try:
            _flush(descriptor)
        except OSError as error:
            if error.errno not in _UNSUPPORTED_ERRORS:  # some file systems cannot do it for a folder
                raise
        finally:
            os.close(descriptor)


def settle(*paths: Path) -> None:
    """Bring to disk what has been done and cannot be taken back.

    Raises:
        Unsettled: the disk will not say that it has it.
    """
    try:
        sync(*paths)
    except OSError as error:
        raise Unsettled(error) from error


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing, and bring to disk what names them."""
    new = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    sync(*(folder.parent for folder in new))


def sync_tree(top: Path) -> None:
    """Wait until a folder is on disk with all that it holds: each file, then the folder that names it."""
    for parent, _, names in os.walk(top, topdown=False):
        sync(*(Path(parent, name) for name in names), Path(parent))


def replace(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file whole or not at all, and bring it to disk; its permissions are `mode`, or what the umask leaves.

    Raises:
        OSError: it cannot be written; what was there is there.
    """
    with replacing(path, mode) as file:
        file.write(data)
    sync(path.parent)


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[IO[bytes]]:
    """A file to write what `path` is to hold at the end of the block; if that raises, what was there is there."""
    draft = path.with_name(f".{os.urandom(4).hex()}.lock")  # git does not take such a name for a ref or a log
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(os.open(draft, flags, 0o666 if mode is None else mode), "wb") as file:
            yield file
            file.flush()
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            flush(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
