"""The locations of a store's index files; a module of its own because `memoir.index.database` is slow to load.

A store may come with a project that someone else has packed, and an index in it could hide memories. Checking its
content against the store would take too long, so only its name is checked: part of it is derived from a key that exists
only in the user's cache folder. A file with any other name is never opened. So each user, container or machine that
shares a store has its own index, and a copied or moved store is indexed again.
"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from memoir import user_folders
from memoir.errors import ReadOnlyStore
from memoir.git.objects import blake2b

_PREFIX, _SUFFIX = "memoir-index", ".db"
_KEY = "index-key"
_KEY_BYTES = 32
_UNUSED_SECONDS = 14 * 24 * 3600.0
"""Seconds without a write after which the files of another name are removed."""
_MOST_OTHERS = 8
"""The most other names whose files are kept so long: each new container has a name of its own."""
_IN_USE_SECONDS = 3600.0
"""Seconds after a write in which files are kept all the same."""


def index_file(git_dir: Path, *, second: bool = False) -> Path:
    """The file of a store's index."""
    return _file(git_dir, "-2" if second else "")


def commits_file(git_dir: Path) -> Path:
    """The file of a store's table of commits, which is named like the index."""
    return _file(git_dir, "-commits")


def _file(git_dir: Path, which: str) -> Path:
    try:
        str(git_dir).encode()
    except UnicodeEncodeError:
        raise ReadOnlyStore(
            "the store's path is not UTF-8 text, and that of a database must be", "rename the folder"
        ) from None
    name = blake2b(os.fsencode(os.path.realpath(git_dir)), key=_key(), size=6).hex()
    return git_dir / f"{_PREFIX}-{name}{which}{_SUFFIX}"


def remove_others(git_dir: Path) -> None:
    """Remove index files with another name that were not written to for two weeks, or that are too many.

    They belong to another user or container, or to the folder where the store was before it was moved.
    """
    own = index_file(git_dir).stem
    names: dict[str, list[Path]] = {}
    for path in git_dir.glob(f"{_PREFIX}*{_SUFFIX}*"):
        names.setdefault(path.name[: len(own)], []).append(path)
    names.pop(own, None)
    with suppress(OSError):  # already gone, or another user's; a leftover costs only space
        ages = {name: time.time() - max(path.lstat().st_mtime for path in files) for name, files in names.items()}
        for rank, name in enumerate(sorted(names, key=ages.__getitem__)):
            if ages[name] > (_UNUSED_SECONDS if rank < _MOST_OTHERS else _IN_USE_SECONDS):
                _remove(names[name])


def _remove(files: Iterable[Path]) -> None:
    with suppress(OSError):
        for path in files:
            path.unlink()


def _key() -> bytes:
    """The user's key, created by the first call; if two processes create one at once, the later one wins."""
    key = user_folders.read_cached(_KEY)
    if key is None or len(key) != _KEY_BYTES:
        user_folders.write_cached(_KEY, os.urandom(_KEY_BYTES))
        key = user_folders.read_cached(_KEY)
    if key is None or len(key) != _KEY_BYTES:
        raise ReadOnlyStore(
            "there is no cache folder for the key of the index", "set XDG_CACHE_HOME to a folder that you may write to"
        )
    return key
