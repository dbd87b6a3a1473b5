"""`Repository`: memoir as a library, the one door to a store. The command line is one client of it."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memoir.errors import NoStore
from memoir.memory.record import Memory
from memoir.repository.history import History
from memoir.repository.reads import Reads
from memoir.store.locate import discover, locate
from memoir.store.selection import HEAD, Selection
from memoir.store.store import Store
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, address

if TYPE_CHECKING:
    from memoir.memory.integrate import Integrated
    from memoir.memory.transfer import Imported
    from memoir.memory.write import Remembered
    from memoir.store.commit import Commit

Folder = str | os.PathLike[str]


class Repository(Reads, History):
    """A store of memories. Keys are paths (`preferences.coding.testing`) or `namespace:path`.

    Reads take `at`, a revision or date; writes take `branch`, for this one write. Every write is one commit. Use it as
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

    @property
    def branch(self) -> str:
        """The branch that is worked on.

        Raises:
            MemoirError: no branch is checked out, which memoir itself never does.
        """
        return self.store.branch()

    def remember(
        self, new: Memory, *keys: str, namespace: str = DEFAULT_NAMESPACE, policy: str | None = None, **commit: Any
    ) -> "Remembered":
        """Store a memory (see `Memory.of`) at one or more keys; `message` and `branch` as for every write."""
        from memoir.memory.write import remember

        return remember(self.store, new, [address(key, namespace) for key in keys], policy=policy, **commit)

    def forget(self, *keys: str, namespace: str = DEFAULT_NAMESPACE, **commit: Any) -> "Commit | None":
        """Forget the records at some keys."""
        from memoir.memory.write import forget

        return forget(self.store, [address(key, namespace) for key in keys], **commit)

    def merge(self, revision: str, **options: Any) -> "Integrated":
        """Merge a revision; the options are those of `memoir.memory.integrate.merge`."""
        from memoir.memory.integrate import merge

        return merge(self.store, revision, **options)

    def import_lines(self, lines: Iterable[bytes], **options: Any) -> "Imported":
        """Import JSON lines; the options are those of `memoir.memory.transfer.import_lines`."""
        from memoir.memory.transfer import import_lines

        return import_lines(self.store, lines, **options)
