"""The changes of a write other than `remember`."""

from memoir.named_tuple import NamedTuple
from memoir.store.commit import Commit
from memoir.taxonomy.paths import Address


class MoveResult(NamedTuple):
    """The commit (None if nothing changed) and the old and new address of each record."""

    commit: Commit | None
    pairs: list[tuple[Address, Address]]


class WriteResult(NamedTuple):
    """The addresses that were written, and the commit (None if nothing changed)."""

    addresses: list[Address]
    commit: Commit | None
