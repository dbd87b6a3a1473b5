"""`repository.upkeep`: checking, repairing and packing a store, and completing its index; and what is installed."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import MemoirError, ReadOnlyStore
from memoir.progress import OpenProgress, Progress, tell_nobody
from memoir.store.store import Part
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memoir.index.index_status import IndexState, IndexStatus
    from memoir.memory.active import StoreDisputes
    from memoir.memory.soundness import Confusable
    from memoir.purge.purge import Purge
    from memoir.repair.fsck import FsckReport
    from memoir.repair.repair import Repair

_INDEX_SECONDS = 3600
"""After how long a process that was left to index is ended; whoever recalls goes on from there."""
_NICE = 10


class CheckResult(NamedTuple):
    """The result of a check."""

    report: FsckReport
    """The findings."""
    branches: list[str]
    """The branches that were corrected before it."""
    repair: Repair
    """The other repairs."""
    confusables: list[Confusable]
    """Paths that could be taken for others; they are not damage."""


class PackResult(NamedTuple):
    """The result of packing."""

    bytes_before: int
    """The bytes on disk before."""
    bytes_after: int
    """The bytes on disk after."""
    index_bytes: int
    """How many of those the index takes, which is not packed."""


class Installation(NamedTuple):
    """The weights of an embedder on this machine."""

    name: str
    """The name of the embedder."""
    folder: Path
    """The folder that holds the weights."""
    size: int
    """Their size in bytes."""


class Versions(NamedTuple):
    """The versions of what is installed."""

    memoir: str
    """memoir's."""
    python: str
    """Python's."""
    git: str
    """git's."""
    format: str
    """The name of the store format."""


class Upkeep(Part):
    """The upkeep of a store. A `progress` is called with how much is done and, if that is known, of how much."""

    def fsck(
        self,
        *,
        repair: bool = False,
        accept_loss: bool = False,
        signers: str | None = None,
        progress: OpenProgress | None = None,
    ) -> CheckResult:
        """Check every object and invariant of the store.

        With `repair`, everything that can be repaired without losing a memory is repaired first; with `accept_loss`
        too, the rest as well. A store without its HEAD or config cannot be opened: see `Repository.restore_files`.
        With `signers`, a file of allowed signers, it is a problem if none of them signed a commit that is not a fold.

        Raises:
            ReadOnlyStore, StoreBusy: the store is to be repaired and cannot be written.
            NotFound: there is no such file of signers. MemoirError: ssh-keygen is not installed.
        """
        from memoir.memory.soundness import confusables
        from memoir.repair import checks
        from memoir.repair.fsck import fsck, repair_shapes
        from memoir.repair.repair import Repair
        from memoir.repair.repair import repair as repair_store

        repairs = repair_store(self._store, accept_loss=accept_loss) if repair else Repair([], [])
        branches = repair_shapes(self._store) if repair and (accept_loss or not repairs.losses) else []
        report = fsck(self._store, progress=progress)
        if not report.problems:
            checks.mark_checked(self._store)
        if signers is not None:
            from memoir.exchange.fold import is_fold
            from memoir.repair.fsck import with_signers

            report = with_signers(self._store, report, signers, is_fold)
        return CheckResult(report, branches, repairs, confusables(self._store, report.keys))

    def purge(
        self,
        *keys: str,
        texts: Sequence[str] = (),
        whole: Sequence[str] = (),
        secrets: bool = False,
        namespace: str = DEFAULT_NAMESPACE,
        sign: bool = False,
        dry_run: bool = False,
        tell: Callable[[str], None] = lambda step: None,
    ) -> Purge:
        """Remove what must not exist from every commit, log and file of the store; nothing brings it back.

        Args:
            keys: Keys, of which everything goes that was ever there, with every memory that says the same; or `KEY#id`.
            texts: Texts; every memory that contains one goes.
            whole: Namespaces, of which everything goes that was ever there, and in their layers; what others say stays.
            secrets: Whether to strike what looks like a credential from all memories.
            namespace: The namespace of keys that name none.
            sign: Whether rewritten commits that were signed are signed again, with the user's own key.
            dry_run: Only find out what would be done.
            tell: Called with each step as it begins.

        Raises:
            NotFound: there is nothing of it. StoreBusy: another process writes for too long.
            ReadOnlyStore: it cannot be written.
            InvalidInput: nothing is named, a key or namespace is malformed, or a text is too short.
            DamagedStore: it is not sound.
        """
        from memoir.memory.facets import address_of
        from memoir.purge.purge import purge
        from memoir.repair import checks

        checks.read_the_rest(self._store)
        targets = [address_of(self._store.head, key, namespace) for key in keys]
        result = purge(
            self._store, targets, texts, namespaces=whole, secrets=secrets, sign=sign, dry_run=dry_run, tell=tell
        )
        self._store.tree.cache_clear()
        return result

    def gc(self) -> PackResult:
        """Pack the store as tightly as git can. Nothing that a branch, tag or undo step reaches is dropped.

        Raises:
            StoreBusy: another process packs it. GitError: git failed, and the store is as it was.
            DamagedStore: a part of the store is missing or malformed.
        """
        from memoir.index.index_status import disk_usage
        from memoir.index.location import remove_others
        from memoir.store.maintenance import gc

        with suppress(ReadOnlyStore):  # there is no index without the key of its name
            remove_others(self._store.git_dir)
        return PackResult(*gc(self._store), disk_usage(self._store))

    def index(
        self,
        *,
        rebuild: bool = False,
        seconds: float | None = None,
        progress: Progress = tell_nobody,
    ) -> IndexState:
        """Complete the index that recall ranks by, or with `seconds` as much as about so long suffices for.

        With `rebuild`, throw it away first.

        Raises:
            ReadOnlyStore: the index cannot be written, or the one to rebuild not removed.
        """
        from memoir.embedders.choose_embedder import embedder_of
        from memoir.index.index_status import complete

        return complete(self._store, embedder_of(self._store), progress, rebuild=rebuild, seconds=seconds)

    def awaits_check(self) -> bool:
        """Return whether a clone has left records that nobody has checked yet."""
        return self._store.is_unchecked

    def leave_indexing(self) -> bool:
        """Check what a clone has left, and index a large store that was never indexed, in a process of its own.

        It goes on when this one has ended. Until it is done recall answers from what is indexed, and says how much that
        is. Vectors that take long to compute wait for the next recalls. Only a program without threads may call this,
        such as a command: the other process is forked from it. Returns whether there is one.
        """
        from memoir.index.index_status import takes_long
        from memoir.left_process import leave

        if not self._store.is_unchecked and not takes_long(self._store):
            return False
        leave(self._check_and_index, _INDEX_SECONDS)
        return True

    def _check_and_index(self) -> None:
        from memoir.embedders.choose_embedder import embedder_of
        from memoir.index.index_status import complete_words
        from memoir.repair import checks

        os.nice(_NICE)
        with suppress(MemoirError):  # the store stays marked, and whoever sends it hears the reason
            checks.read_the_rest(self._store)
        complete_words(self._store, embedder_of(self._store))

    def disputes(self) -> StoreDisputes:
        """Return the pairs of memories that contradict each other, as far as the index goes.

        Memories that are not indexed yet are indexed first, in a large store for about a second.
        """
        from memoir.index.index import Index
        from memoir.recall.mark_disputes import disputes_of

        with closing(Index(self._store)) as index:
            return disputes_of(index, self._store.head())

    def learns_vectors(self) -> bool:
        """Return whether vectors take long to compute, so that what is new waits for the next recalls to do it."""
        from memoir.embedders.choose_embedder import embedder_of

        return embedder_of(self._store).learned

    def index_status(self) -> IndexStatus:
        """Return which embedder the store uses and how much of the index is complete, without changing it."""
        from memoir.index.index_status import describe

        return describe(self._store)
