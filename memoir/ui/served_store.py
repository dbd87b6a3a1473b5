"""The store that a server serves, and the branch of it that a request means."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from memoir.errors import MemoirError
from memoir.mcp.client_store import StorePlace
from memoir.records.origins import AGENT
from memoir.repository import Repository
from memoir.store.branch_choice import Selection
from memoir.store.store import Store
from memoir.ui.background import Background

_REVISIONS = ("at", "from_", "to", "revision", "without")
"""The parameters that name commits."""


class ServedStore:
    """The store of one server, opened once for all requests, and again if it was replaced meanwhile.

    Threads may share a repository. A request for another branch than the server's opens the store for itself.
    """

    def __init__(self, place: StorePlace, *, read_only: bool = False) -> None:
        self._place = place
        self.read_only = read_only
        self.background = Background()

    @contextmanager
    def repository(self, branch: str | None = None, origin: str = AGENT) -> Iterator[Repository]:
        """Give the store, at a branch and by the door of an origin, as if this thread had just opened it.

        Raises:
            NoStore, UnsafeStore, DamagedStore: it cannot be opened.
        """
        shared = self._place.repository()
        if not branch or branch == shared.branch:
            shared.store.damage.clear()
            yield shared if origin == shared.origin else shared.by(origin)
            return
        with Repository(Store(shared.path, Selection(branch, "branch")), origin=origin) as other:
            yield other

    def close(self) -> None:
        """End the git processes that read the store, and what is done in the background."""
        self.background.close()
        self._place.close()


def entity_tag(repository: Repository, arguments: Mapping[str, Any]) -> str | None:
    """What an answer depends on that follows from commits: the branch's, the user's own store's, those that are named.

    None if one of them cannot be told: the call itself then says why. Who may sign is said outside of the store.
    """
    if arguments.get("signatures"):
        return None
    try:
        commits = [repository.store.head().commit]
        commits += [repository.user.store.head().commit] if repository.user else []
        named = [arguments[name] for name in _REVISIONS if arguments.get(name)]
        commits += [repository.store.at(revision).commit for revision in named]
    except MemoirError:
        return None
    return '"' + "-".join(str(commit.id) if commit else "0" for commit in commits) + '"'
