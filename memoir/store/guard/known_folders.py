"""Which large folders of a store were looked through before, so that ten thousand branches cost no more than one.

A folder is known again by its place, device, inode and times: whatever adds, removes or renames an entry
changes them, and nobody can set the time of the last change (`ctime`) to what it was. The note lies in the
user's cache, where nothing that comes with a store can write. A folder that changed a moment ago is not
noted, since a second change within the same tick of the clock would not show.
"""

import os
import time
from pathlib import Path

from memoir import user_cache

_FORM = 1
"""Raised when `memoir.store.guard.files` comes to refuse more, so that older notes count no longer."""
_LARGE = 64
_MOMENT = 2_000_000_000


class KnownFolders:
    """The notes on one store's folders."""

    def __init__(self, git_dir: Path) -> None:
        about = os.stat(git_dir)
        self._name = f"folders-{_FORM}-{about.st_dev}-{about.st_ino}.json"
        self._before = _read(self._name)
        self._now: dict[str, list[str]] = {}

    def folders(self, below: str, about: os.stat_result) -> list[str] | None:
        """The folders in a folder that was found in order and has not changed since, or None."""
        stamp = _stamp(below, about)
        if stamp in self._before:
            self._now[stamp] = self._before[stamp]
        return self._before.get(stamp)

    def add(self, below: str, about: os.stat_result, folders: list[str], size: int) -> None:
        """Note a folder that is in order; `about` is how it was before it was looked through."""
        quiet = time.time_ns() - max(about.st_mtime_ns, about.st_ctime_ns) > _MOMENT
        if size >= _LARGE and quiet:
            self._now[_stamp(below, about)] = folders

    def save(self) -> None:
        """Keep what is known now."""
        if self._now != self._before:
            import json

            user_cache.write(self._name, json.dumps(self._now).encode())


def _stamp(below: str, about: os.stat_result) -> str:
    return f"{about.st_dev} {about.st_ino} {about.st_mtime_ns} {about.st_ctime_ns} {below}"


def _read(name: str) -> dict[str, list[str]]:
    """The notes that were kept; none if they are not such as `save` writes."""
    data = user_cache.read(name)
    if data is None:
        return {}
    import json

    try:
        notes = json.loads(data)
        sound = all(_is_name(folder) for folders in notes.values() for folder in folders)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return {}
    return notes if sound and all(isinstance(folders, list) for folders in notes.values()) else {}


def _is_name(folder: object) -> bool:
    return isinstance(folder, str) and folder not in ("", ".", "..") and "/" not in folder
