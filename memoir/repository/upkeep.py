"""`repository.upkeep`: checks, repairs and packs a store, and completes its index."""

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
"""The seconds after which a background process for indexing is ended; the next recalls continue."""
_NICE = 10


class CheckResult(NamedTuple):
    """The result of a check."""

    report: FsckReport
    """The findings."""
    branches: list[str]
    """The branches that were corrected before the check."""
    repair: Repair
    """The other repairs."""
    confusables: list[Confusable]
    """Paths that look like others; they are not damage."""


class PackResult(NamedTuple):
    """The result of packing."""

    bytes_before: int
    """The bytes on disk before."""
    bytes_after: int
    """The bytes on disk after."""
    index_bytes: int
    """The part of these that the index takes, which is not packed."""


class Installation(NamedTuple):
    """The weights of an embedder on this machine."""

    name: str
    """The name of the embedder."""
    folder: Path
    """The folder that holds the weights."""
    size: int
    """Their size in bytes."""


class Versions(NamedTuple):
    """The installed versions."""

    memoir: str
    """The version of memoir."""
    python: str
    """The version of Python."""
    git: str
    """The version of git."""
    format: str
    """The name of the store format."""


class Upkeep(Part):
    """The upkeep of a store. `progress` is called with the amount done and the total, if known."""

    def fsck(
        self,
        *,
        repair: bool = False,
        accept_loss: bool = False,
        signers: str | None = None,
        progress: OpenProgress | None = None,
    ) -> CheckResult:
        """Check every object and invariant of the store.

        With `repair`, everything that can be repaired without losing a memory is repaired first; with `accept_loss`,
        the rest as well. A store without its HEAD or config cannot be opened: see `Repository.restore_files`. With
        `signers`, a file of allowed signers, a commit that none of them signed is a problem, unless it is a fold.

        Raises:
            ReadOnlyStore, StoreBusy: a repair needs to write, and the store cannot be written.
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
            from memoir.exchange.writers.fold import is_fold
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
        """Remove memories or credentials from every commit, log and file of the store, irrevocably.

        Args:
            keys: Keys to remove with everything ever stored there and every memory with the same content; or `KEY#id`.
            texts: Texts; every memory that contains one is removed.
            whole: Namespaces to remove completely, with their layers; equal memories in other namespaces stay.
            secrets: Whether to remove all text that looks like a credential from all memories.
            namespace: The default namespace for keys without one.
            sign: Whether to sign rewritten commits that were signed again, with the user's own key.
            dry_run: Only report what would be done.
            tell: Called with each step as it begins.

        Raises:
            NotFound: none of it is there. StoreBusy: another process writes for too long.
            ReadOnlyStore: the store cannot be written.
            InvalidInput: nothing is named, a key or namespace is malformed, or a text is too short.
            DamagedStore: the store is damaged.
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
        """Pack the store tightly. Nothing that a branch, tag or undo step reaches is dropped.

        Raises:
            StoreBusy: another process is packing it. GitError: git failed, and the store is unchanged.
            DamagedStore: a part of the store is missing or malformed.
        """
        from memoir.index.index_status import disk_usage
        from memoir.index.location import remove_others
        from memoir.store.maintenance import gc

        with suppress(ReadOnlyStore):  # without the key of its name there is no index
            remove_others(self._store.git_dir)
        return PackResult(*gc(self._store), disk_usage(self._store))

    def index(
        self,
        *,
        rebuild: bool = False,
        seconds: float | None = None,
        progress: Progress = tell_nobody,
    ) -> IndexState:
        """Complete the index of recall, or with `seconds` as much of it as that time allows.

        With `rebuild`, delete it first.

        Raises:
            ReadOnlyStore: the index cannot be written or deleted.
        """
        from memoir.embedders.choose_embedder import embedder_of
        from memoir.index.index_status import complete

        return complete(self._store, embedder_of(self._store), progress, rebuild=rebuild, seconds=seconds)

    def awaits_check(self) -> bool:
        """Return whether a clone still has unchecked records."""
        return self._store.is_unchecked

    def leave_indexing(self) -> bool:
        """Check a clone's unchecked records, and index a large store for the first time, in a background process.

        It outlives this process. Until it is done, recall answers from the indexed part, and says how large that is.
        Vectors that take long to compute wait for the next recalls. Only a program without threads, such as a command,
        may call this, because it forks. Return whether a process was started.
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
        with suppress(MemoirError):  # the store stays marked; the next push reports the reason
            checks.read_the_rest(self._store)
        complete_words(self._store, embedder_of(self._store))

    def disputes(self) -> StoreDisputes:
        """Return the pairs of memories that contradict each other, as far as they are indexed.

        New memories are indexed first, in a large store for about a second.
        """
        from memoir.index.index import Index
        from memoir.recall.mark_disputes import disputes_of

        with closing(Index(self._store)) as index:
            return disputes_of(index, self._store.head())

    def learns_vectors(self) -> bool:
        """Return whether vectors take long to compute, so that those of new memories are left to the next recalls."""
        from memoir.embedders.choose_embedder import embedder_of

        return embedder_of(self._store).learned

    def index_status(self) -> IndexStatus:
        """Return the store's embedder and how complete the index is, without changing it."""
        from memoir.index.index_status import describe

        return describe(self._store)
