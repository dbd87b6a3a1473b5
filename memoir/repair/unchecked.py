"""The values that a large clone leaves to be read later, so that it takes hardly longer than git's.

A clone checks every commit, every tree and every key. Of the values it reads the first; a mark in the store says that
there are more. Until they have been read too, each one is checked by whoever reads it (`Store.reader`), and nothing is
sent to another store.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from memoir.errors import DamagedStore
from memoir.git.fsync import replace, sync
from memoir.git.objects import Oid
from memoir.repair.checks import CheckValue, value_problems
from memoir.store.store import UNCHECKED, Store
from memoir.tree.node import EMPTY_BLOBS

AT_ONCE = 10_000
"""How many values a clone reads itself, which takes it 0.1 s."""
HINT = (
    "delete this clone; 'memoir export' takes out what is new here. In the store that it is of, 'memoir fsck' names the"
    " faults, 'memoir forget KEY' removes one, and 'memoir export' and 'import' into a new store leave out those of"
    " older commits"
)


def mark(git_dir: Path, tips: Iterable[Oid]) -> None:
    """Note that not every value that leads to some commits has been read."""
    replace(git_dir / UNCHECKED, b"".join(b"%s\n" % tip.hex().encode() for tip in tips))


def finish(store: Store, check_value: CheckValue) -> None:
    """Read every value that was left, if there are any.

    Raises:
        DamagedStore: one is malformed, and the store stays as it is; or an object is missing.
    """
    if not store.is_unchecked:
        return
    with suppress(FileNotFoundError):  # another process has read them meanwhile
        tips = (store.git_dir / UNCHECKED).read_text("ascii").split()
        if problem := next(value_problems(store, _values(store, tips), check_value), None):
            raise DamagedStore(f"this clone is not sound: {problem.text}", HINT)
    clear(store)


def clear(store: Store) -> None:
    """Note that every value has been read."""
    if store.is_unchecked:
        (store.git_dir / UNCHECKED).unlink(missing_ok=True)
        sync(store.git_dir)
        store.is_unchecked = False
        store.reader.check_blobs(None)


def _values(store: Store, tips: Iterable[str]) -> Iterator[tuple[bytes, Oid]]:
    """Each value that leads to some commits, with a key at which it stands; the trees have been checked."""
    how = ("--objects", "--filter=object:type=blob", "--filter-provided-objects")
    with store.git.stream("rev-list", *how, *tips, "--") as lines:
        for line in lines:
            oid, _, path = line.rstrip(b"\n").partition(b" ")
            if (value := Oid.fromhex(oid.decode())) not in EMPTY_BLOBS:
                yield path.rpartition(b"/")[2], value
