"""The changes of a write other than `remember`."""

from typing import NamedTuple

from memoir.store.commit import Commit
from memoir.taxonomy.memory_address import MemoryAddress
from memoir.taxonomy.paths import Address


class MoveResult(NamedTuple):
    """The result of a move.

    Attributes:
        commit: The commit; None if nothing changed.
        pairs: The old address and the new path of each record or memory.
    """

    commit: Commit | None
    pairs: list[tuple[MemoryAddress, Address]]


class WriteResult(NamedTuple):
    """The result of a write.

    Attributes:
        addresses: The addresses that were written, with whole ids.
        commit: The commit; None if nothing changed.
    """

    addresses: list[MemoryAddress]
    commit: Commit | None
