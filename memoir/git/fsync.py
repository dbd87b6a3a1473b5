"""Writes that survive a power cut: files, and the folders that name them, brought to disk."""

import errno
import os
from pathlib import Path

_UNSUPPORTED_ERRORS = (errno.EINVAL, errno.ENOTSUP)


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
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in _UNSUPPORTED_ERRORS:  # some file systems cannot do it for a folder
                raise
        finally:
            os.close(descriptor)


def sync_tree(top: Path) -> None:
    """Wait until a folder is on disk with all that it holds: each file, then the folder that names it."""
    for parent, _, names in os.walk(top, topdown=False):
        sync(*(Path(parent, name) for name in names), Path(parent))


def replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and bring it to disk."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.lock")  # git does not take such a name for a ref or a log
    try:
        draft.write_bytes(data)
        sync(draft)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    sync(path.parent)
