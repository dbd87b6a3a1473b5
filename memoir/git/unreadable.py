"""Tells a store that is damaged from one that this user may not read, or may not write."""

import os
from pathlib import Path

from memoir.errors import DamagedStore, MemoirError, ReadOnlyStore


def require_writable(git_dir: Path) -> None:
    """Refuse to begin what would fail half-way.

    Raises:
        ReadOnlyStore: the store's directory cannot be written to.
    """
    if not os.access(git_dir, os.W_OK):
        raise ReadOnlyStore(f"{git_dir} is read-only", "reading still works")


def read_failure(git_dir: Path, message: str, hint: str) -> MemoirError:
    """The error for something that was not found or could not be read in a store."""
    if path := _first_hidden(git_dir):
        return MemoirError(f"{path} cannot be read: permission denied", "see who owns it, and what its permissions are")
    return DamagedStore(message, hint)


def _first_hidden(git_dir: Path) -> str | None:
    """The first file or folder of a store that may not be read, or None."""
    for folder, folders, names in os.walk(git_dir):
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            if os.path.exists(path) and not os.access(path, os.R_OK | (os.X_OK if name in folders else 0)):
                return path
    return None
