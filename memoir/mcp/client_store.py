"""The store of a server: the one it was given, else the project's, else the user's own."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from memoir.errors import NoStore
from memoir.store.branch_choice import HEAD, Selection

if TYPE_CHECKING:
    from memoir.repository.repository import Repository

PROJECT = "CLAUDE_PROJECT_DIR"
"""The variable in which hosts pass the project's folder to the servers that they start."""


class StorePlace:
    """The store of one server, opened for an agent at its first use, and again if it was replaced."""

    def __init__(self, folder: str | None = None, selection: Selection = HEAD) -> None:
        self.folder = folder
        """The folder that holds the store (`--store`, `MEMOIR_STORE`)."""
        self.selection = selection
        """The branch to read and write."""
        self.roots: Sequence[str] | None = None
        """The folders that the client works in, as URIs; None before it was asked."""
        self._lock = Lock()
        self._open: tuple[Repository, tuple[int, int]] | None = None

    @property
    def asks_client(self) -> bool:
        """Whether only the client knows where the store is, and was not asked yet."""
        return not self.folder and self.roots is None and not self._find(os.environ.get(PROJECT))

    def repository(self) -> "Repository":
        """Return the store."""
        from memoir.records.origins import AGENT
        from memoir.repository.repository import Repository
        from memoir.store.store import Store

        with self._lock:
            git_dir, is_instead = self._git_dir()
            about = git_dir.stat()
            same = (about.st_dev, about.st_ino)
            if self._open is None or self._open[1] != same:
                self.close()
                self._open = Repository(Store(git_dir, self.selection, is_instead=is_instead), origin=AGENT), same
            return self._open[0]

    def close(self) -> None:
        """End the git processes that read the store."""
        if self._open:
            self._open[0].close()
            self._open = None

    def _git_dir(self) -> tuple[Path, bool]:
        """Return the git directory of the store, and whether it is the user's own because there is no project store."""
        from memoir.store.locate import locate, user_store

        if self.folder:
            return locate(self.folder), False
        places = [os.environ.get(PROJECT), *map(_folder_of_root, self.roots or ())]
        for place in places:
            if git_dir := self._find(place):
                return git_dir, False
        if own := user_store():
            return own, True
        raise _no_store([place for place in places if place])

    def _find(self, place: str | None) -> Path | None:
        from memoir.repository.repository import Repository

        return Repository.find(place) if place and os.path.isabs(place) else None


def _no_store(folders: Sequence[str]) -> NoStore:
    """The error if no store is known; it suggests the store in or above the current folder."""
    from memoir.repository.repository import Repository

    if folders:
        return NoStore(f"no memoir store in {', '.join(folders)} or above", "run 'memoir init' in the project")
    near = Repository.find(".")
    command = f"memoir mcp --store {shlex.quote(str(near.parent))}" if near else "memoir mcp --store DIR"
    return NoStore("the host names no project, so the store is unknown", f"start the server with '{command}'")


def _folder_of_root(uri: str) -> str | None:
    """The folder of a root's URI; None if it is not on this machine."""
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme == "file" and parts.netloc in ("", "localhost") else None
