"""Where the index of a store is: beside its objects, under a name that only this user's memoir can know.

A store may come with a project that somebody else has packed, and an index in it could hide memories. Its content
cannot be checked against the store at a bearable cost, so it is known by its name instead: part of it comes from a key
that is in the user's cache folder and nowhere else. A file with any other name is never opened. So a user, a
container or a machine that shares a store with others has an index of its own, and a copied or moved store is indexed
anew.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

from memoir.errors import ReadOnlyStore
from memoir.store import cache
from memoir.store.digest import blake2b

PREFIX, SUFFIX = "memoir-index", ".db"
_KEY = "index-key"
_KEY_BYTES = 32
_FORSAKEN = 14 * 24 * 3600.0
"""Seconds after which an index that nobody has written to is taken for a stranger's, or for one of a moved store."""


def index_file(git_dir: Path, *, second: bool = False) -> Path:
    """The file of a store's index.

    Raises:
        ReadOnlyStore: this user has no cache folder to keep a key in.
    """
    return _file(git_dir, "-2" if second else "")


def commits_file(git_dir: Path) -> Path:
    """The file of a store's table of commits, named and kept as its index is.

    Raises:
        ReadOnlyStore: this user has no cache folder to keep a key in.
    """
    return _file(git_dir, "-commits")


def _file(git_dir: Path, which: str) -> Path:
    name = blake2b(os.fsencode(os.path.realpath(git_dir)), key=_key(), size=6).hex()
    return git_dir / f"{PREFIX}-{name}{which}{SUFFIX}"


def remove_others(git_dir: Path) -> None:
    """Remove what looks like an index and has not been used for a fortnight under any name but this user's own."""
    own = index_file(git_dir).stem
    for path in git_dir.glob(f"{PREFIX}*{SUFFIX}*"):
        if not path.name.startswith(own):
            with suppress(FileNotFoundError):
                if time.time() - path.lstat().st_mtime > _FORSAKEN:
                    path.unlink()


def _key() -> bytes:
    """The user's key, made at the first call. Where two processes make one at once, the later stays."""
    key = cache.read(_KEY)
    if key is None or len(key) != _KEY_BYTES:
        cache.write(_KEY, os.urandom(_KEY_BYTES))
        key = cache.read(_KEY)
    if key is None or len(key) != _KEY_BYTES:
        raise ReadOnlyStore(
            "there is no cache folder to keep its key in", "set XDG_CACHE_HOME to a folder that you may write to"
        )
    return key
