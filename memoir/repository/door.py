"""Access to the store for all methods of a repository until it is closed, and what many methods share."""

from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING

from memoir.records.origins import AGENT, storable
from memoir.records.record import ABOUT
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, MARK, RAW_SUFFIX, SHORTENED, SOURCES, memory_address

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    from memoir.index.commits import CommitTable
    from memoir.memory.facets import PathRecord
    from memoir.memory.write import Follow
    from memoir.store.snapshot import Snapshot
    from memoir.store.store import Store
    from memoir.taxonomy.paths import MemoryAddress


class Door:
    """An open store with its origin."""

    def __init__(self, store: "Store", origin: str = AGENT) -> None:
        self.origin = storable(origin)
        """The origin of memories remembered and edited with this object: `user`, `agent`, …"""
        self._behind = store
        store.make_table = partial(_make_table, store)
        self._is_closed = False
        if store.is_unchecked:
            from memoir.records.sound import problem

            store.reader.check_blobs(problem)

    @property
    def store(self) -> "Store":
        """The store, for memoir's own modules.

        Raises:
            MemoirError: the repository is closed.
        """
        if self._is_closed:
            from memoir.errors import MemoirError

            raise MemoirError(f"the repository of {self._behind.git_dir} is closed", "open it again: 'Repository.open'")
        return self._behind

    @cached_property
    def user(self) -> "Self | None":
        """The user's own store, which `get_many`, `summarize` and `recall` read as well; None without another one.

        Raises:
            NoStore: the user's settings name a folder without a store. UnsafeStore, DamagedStore: it cannot be opened.
        """
        from memoir.store.branch_choice import IN_USERS_STORE
        from memoir.store.locate import user_store
        from memoir.store.store import Store

        here = self.store.git_dir
        if (own := user_store()) is None or own.samefile(here):
            return None
        return type(self)(Store(own, IN_USERS_STORE), origin=self.origin)

    def address_of(self, key: str, *, namespace: str = DEFAULT_NAMESPACE, at: str | None = None) -> "MemoryAddress":
        """Return the address that a key names, in any form that memoir prints, including `~0017#p2`.

        Raises:
            InvalidInput: the key is malformed, or fits several sources. NotFound: no source has it, or there is no such
                revision.
        """
        store = self.store
        if MARK not in key and not key.startswith(SHORTENED) and SOURCES not in key:
            return memory_address(key, namespace)  # the usual case loads nothing
        from memoir.memory.facets import address_of

        return address_of(lambda: store.at(at), key, namespace)

    def _address_now(self, key: str, namespace: str, branch: str | None) -> "MemoryAddress":
        """Return the address that a key names on the branch to write to."""
        from memoir.memory.facets import address_of

        return address_of(lambda: self.store.head(branch), key, namespace)


def _make_table(store: "Store") -> "CommitTable":
    from memoir.index.commits import CommitTable  # needed only for searches of a long history

    return CommitTable(store)


def with_marks(
    store: "Store", snapshot: "Snapshot", entries: "dict[MemoryAddress, PathRecord]"
) -> "dict[MemoryAddress, PathRecord]":
    """Mark the memories of records with their authors and the state of the code that they are about."""
    placed = [(entry.address, memory) for entry in entries.values() for memory in entry.record or ()]
    if not (store.has_remotes or any(ABOUT in memory.metadata for _, memory in placed)):
        return entries  # the usual case loads nothing
    from memoir.anchors.shown import marked

    memories = iter(marked(store, snapshot, placed))
    return {
        target: entry if entry.record is None else entry._replace(record=tuple(islice(memories, len(entry.record))))
        for target, entry in entries.items()
    }


def check_counts(**counts: int | None) -> None:
    """Refuse counts that are not positive integers; None means not given.

    Raises:
        InvalidInput: a count is invalid; the error names the first.
    """
    if not all(count is None or (type(count) is int and count > 0) for count in counts.values()):
        from memoir.setting import require_positive  # rarely needed, and slow to import

        require_positive(**counts)


def review_of_items(targets: "Iterable[MemoryAddress]") -> "Follow | None":
    """The consequence of writing segments of sources: items become or stop being stale. None for other targets."""
    if not any(target.namespace.endswith(RAW_SUFFIX) for target in targets):
        return None
    from memoir.layers.derivations import review_items  # few writes need it

    return review_items
