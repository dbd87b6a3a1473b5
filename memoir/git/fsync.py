"""Writes that survive a power cut: flushes files, and the folders that name them, to disk."""

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
    """The work is done, but the disk does not confirm that it is stored."""

    def __init__(self, error: OSError) -> None:
        super().__init__(
            f"done, but a power cut may still undo it: {error.strerror}",
            "do not repeat the command: see 'dmesg' and 'df', then run 'memoir fsck'",
        )
        self.cause = error


def flush(descriptor: int) -> None:
    """Wait until an open file is on disk.

    Raises:
        OSError: the disk fails, or the file system cannot confirm it (ENOTSUP).
    """
    try:
        _flush(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED_ERRORS:
            raise
        raise OSError(errno.ENOTSUP, "this file system cannot bring a file to disk") from error


def _flush(descriptor: int) -> None:
    """Flush a file; on macOS also the disk's cache, which `fsync` leaves alone."""
    if (whole := getattr(fcntl, "F_FULLFSYNC", None)) is not None:
        try:
            fcntl.fcntl(descriptor, whole)
            return
        except OSError as error:
            if error.errno not in _UNSUPPORTED_ERRORS:  # a file system without F_FULLFSYNC
                raise
    os.fsync(descriptor)


def sync(*paths: Path) -> None:
    """Wait until files and folders are on disk; missing ones are skipped.

    git itself flushes packs and refs, but neither reflogs nor the folders of new files.
    """
    for path in dict.fromkeys(paths):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except (FileNotFoundError, PermissionError):
            continue
        try:
            _flush(descriptor)
        except OSError as error:
            if error.errno not in _UNSUPPORTED_ERRORS:  # some file systems cannot flush folders
                raise
        finally:
            os.close(descriptor)


def settle(*paths: Path) -> None:
    """Flush work that is done and cannot be undone.

    Raises:
        Unsettled: the disk does not confirm that it is stored.
    """
    try:
        sync(*paths)
    except OSError as error:
        raise Unsettled(error) from error


def make_folder(path: Path) -> None:
    """Make a folder and its missing parents, and flush the folders that name them."""
    new = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    sync(*(folder.parent for folder in new))


def sync_tree(top: Path) -> None:
    """Wait until a folder and everything in it are on disk: each file, then the folder that names it."""
    for parent, _, names in os.walk(top, topdown=False):
        sync(*(Path(parent, name) for name in names), Path(parent))


def replace(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file whole or not at all, and flush it; its permissions are `mode`, by default those of the umask.

    Raises:
        OSError: it cannot be written; the old file is unchanged.
    """
    with replacing(path, mode) as file:
        file.write(data)
    sync(path.parent)


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[IO[bytes]]:
    """A file that replaces `path` at the end of the block; if the block raises, the old file is unchanged."""
    draft = path.with_name(f".{os.urandom(4).hex()}.lock")  # git ignores such a name among refs and logs
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(os.open(draft, flags, 0o666 if mode is None else mode), "wb") as file:
            yield file
            file.flush()
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            flush(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        if error.filename and str(error.filename) == str(draft):  # nobody else knows of the draft
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        draft.unlink(missing_ok=True)
