"""Keeps a store small: repacks in the background as it grows, and thoroughly on demand.

Neither drops an object that a ref or a reflog reaches.
"""

import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from memoir.errors import GitError, MemoirError
from memoir.git.fsync import sync
from memoir.git.git import REPACK
from memoir.git.lock import held, open_lock, removing_half_packs, try_lock, try_past_stale_locks
from memoir.git.messages import damage, failure
from memoir.settings import REPACK_AT
from memoir.store.store import Store

REPACK_LOCK = "memoir-repack.lock"
# Unreachable objects, such as a killed writer's, are kept this long, as git keeps them.
_GRACE = "2.weeks.ago"

# The steps of 'git gc --aggressive', with two differences: its window of 250 objects takes four times as long as 50 and
# saves 0.03 % with 100,000 memories, 2 % with 1,500 commits of one memory each; and it would expire reflogs, which undo
# needs, by the user's or another git's settings, going through the reflog of every branch.
_GC = (
    ("pack-refs", "--all", "--prune"),
    (
        "-c", "pack.threads=1", *REPACK, "-d", "-l", "-f", "--quiet",
        "--depth=50", "--window=50", "--cruft", f"--cruft-expiration={_GRACE}",
    ),
    ("prune", f"--expire={_GRACE}"),
)  # fmt: skip
_TRIES = 12
_TAKEN_AWAY = (
    rb"could not find pack|unable to add cruft objects|unable to rename temporary file|failed to stat .*tmp_pack"
)
"""git's errors when another git has just removed a file; the next try succeeds."""


def repack_if_needed(store: Store) -> bool:
    """Start `git repack` in the background once there are many packs; True if it was started.

    The threshold is the store's setting `memoir.repackAt` (0: never). The child inherits the lock, so the kernel frees
    it when the child ends. The write has been acknowledged by now, so errors are ignored.
    """
    with suppress(MemoirError, OSError):
        limit = REPACK_AT.read(store.config)
        packs = sum(entry.name.endswith(".pack") for entry in os.scandir(store.git_dir / "objects" / "pack"))
        if limit and packs > limit:
            return _repack(store)
    return False


def _repack(store: Store) -> bool:
    lock = open_lock(store.git_dir / REPACK_LOCK)
    try:
        if not try_lock(lock):
            return False
        store.git.detach(*REPACK, "-d", "--geometric=2", "--quiet", keep_open=lock)
        return True
    finally:
        os.close(lock)


def gc(store: Store) -> tuple[int, int]:
    """Repack everything tightly; return the bytes on disk before and after.

    Writers can continue meanwhile: their packs are protected until a ref needs them.

    Raises:
        StoreBusy: another repack took too long.
        GitError: git failed, and the store is unchanged. DamagedStore: git could not read an object.
    """
    before = disk_usage(store.git_dir)
    with held(store.git_dir / REPACK_LOCK), removing_half_packs(store.git_dir):
        for step in _GC:
            _run(store, step)
            sync(store.git_dir, store.git_dir / "objects" / "pack")
    return before, disk_usage(store.git_dir)


def _run(store: Store, step: Sequence[str]) -> None:
    for number in range(_TRIES):
        time.sleep(0.01 * number)
        done = try_past_stale_locks(store.git_dir, partial(store.git.try_run, *step))
        if done.returncode == 0:
            return
        if not re.search(_TAKEN_AWAY, done.stderr):
            raise _failure(store, done.stderr)
    raise GitError(failure("gc", done.stderr).message, "another git packs the store: try again when it is done")


def _failure(store: Store, words: bytes) -> MemoirError:
    match = re.search(rb"corrupt|missing|unable to read|bad (packed )?object|does not match|inflate", words)
    return damage("gc", words, store.git_dir) if match else failure("gc", words)


def disk_usage(folder: Path) -> int:
    """The bytes that the files below a folder occupy on disk."""
    return sum(_blocks(os.path.join(parent, name)) for parent, _, names in os.walk(folder) for name in names) * 512


def _blocks(file: str) -> int:
    """The blocks of 512 bytes that a file occupies; 0 if it was removed meanwhile."""
    try:
        return os.lstat(file).st_blocks
    except FileNotFoundError:
        return 0
