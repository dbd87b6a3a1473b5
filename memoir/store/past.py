"""The trees of the commits that lead to a commit from elsewhere.

`blame`, `log` and the primer open them, so one that is malformed would keep these from answering for good.
"""

from collections.abc import Sequence
from itertools import islice

from memoir.errors import DamagedStore
from memoir.store.node import decode
from memoir.store.oid import Oid
from memoir.store.store import Store

_BATCH = 500
_NEW = ("--objects", "--filter=blob:none", "--ignore-missing")


def is_sound(store: Store, tips: Sequence[Oid]) -> bool:
    """Whether `check` finds nothing wrong with the trees that lead to some tips."""
    try:
        check(store, tips)
    except DamagedStore:
        return False
    return True


def check(store: Store, tips: Sequence[Oid]) -> None:
    """Read every tree that leads to some tips and that no branch here reaches, each once.

    Raises:
        DamagedStore: one is malformed; it is named.
    """
    for start in range(0, len(tips), _BATCH):
        roots, nodes = _trees(store, tips[start : start + _BATCH])
        _read(store, roots, root=True)
        _read(store, nodes, root=False)


def _trees(store: Store, tips: Sequence[Oid]) -> tuple[list[Oid], list[Oid]]:
    """The ids of the commits' own trees, and those of the trees in them."""
    found = store.git.read("rev-list", *_NEW, *map(str, tips), "--not", "--branches", "--").splitlines()
    rows = [line.partition(b" ") for line in found]
    roots = [Oid.fromhex(oid.decode()) for oid, blank, path in rows if blank and not path]
    return roots, [Oid.fromhex(oid.decode()) for oid, _, path in rows if path]


def _read(store: Store, trees: Sequence[Oid], *, root: bool) -> None:
    rest = iter(trees)
    while batch := list(islice(rest, _BATCH)):
        for oid, data in zip(batch, store.reader.read(batch, "tree"), strict=True):
            try:
                decode(data, store.id_size, root=root)
            except DamagedStore as error:
                raise DamagedStore(f"a commit before it has the tree {oid:.12}: {error.message}") from error
