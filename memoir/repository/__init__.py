"""`Repository`: memoir as a library, the one door to a store. The command line is one client of it."""

import os
from functools import cached_property
from typing import TYPE_CHECKING

from memoir.errors import NoStore
from memoir.repository.history import History
from memoir.repository.reads import Reads
from memoir.repository.writes import Writes
from memoir.store.locate import discover, locate
from memoir.store.selection import HEAD, Selection
from memoir.store.store import Store

if TYPE_CHECKING:
    from memoir.repository.branches import Branches
    from memoir.repository.tags import Tags

Folder = str | os.PathLike[str]


class Repository(Reads, Writes, History):
    """A store of memories. Keys are paths (`preferences.coding.testing`) or `namespace:path`.

    Reads take `at`, a revision or date; writes take `options`, a `WriteOptions`. Every write is one commit. Use it as
    a context manager, or call `close`. Errors are `memoir.MemoirError` and its kinds.

    Threads may share one, an event loop may use it beside `MemoryService`, and a process that was forked may go on
    using its parent's. A read that is interrupted costs that read alone.
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    @classmethod
    def open(cls, folder: Folder | None = None, *, branch: str | None = None) -> "Repository":
        """Open the store that a folder holds; without one, the nearest above the current directory.

        With `branch` everything is read from and written to that branch, whatever branch is checked out. One that does
        not exist is begun by the first write, where the checked-out branch is; reads see that branch until then.
        """
        selection = Selection(branch, "Repository.open", begins=True) if branch else HEAD
        return cls(Store(locate(folder) if folder is not None else discover(), selection))

    @classmethod
    def init(cls, folder: Folder = ".") -> "Repository":
        """Create a store in a folder; one that is there already is opened."""
        from memoir.store.create import create

        try:
            return cls.open(folder)
        except NoStore:
            return cls(create(folder))

    @classmethod
    def clone(cls, url: str, folder: Folder) -> "Repository":
        """Clone a store from a URL into a folder."""
        from memoir.memory.soundness import fault
        from memoir.store.clone import clone

        return cls(clone(url, os.fspath(folder), fault))

    def __enter__(self) -> "Repository":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process behind the store."""
        self.store.close()

    @cached_property
    def branches(self) -> "Branches":
        """The store's branches."""
        from memoir.repository.branches import Branches

        return Branches(self.store)

    @cached_property
    def tags(self) -> "Tags":
        """The store's tags."""
        from memoir.repository.tags import Tags

        return Tags(self.store)

    @property
    def branch(self) -> str:
        """The branch that is worked on.

        Raises:
            MemoirError: no branch is checked out, which memoir itself never does.
        """
        return self.store.branch()
