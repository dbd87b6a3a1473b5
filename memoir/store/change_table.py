"""Walks through history in stops, and the interface of a table of commits that shortens them."""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from memoir.store.commit import Commit

if TYPE_CHECKING:
    from typing import Protocol

    from memoir.git.objects import Oid

Range = tuple[bytes, bytes]
"""The keys with low <= key < high."""


class Stop:
    """A commit of a walk, and for each parent the name of the next stop at or below it (None: none)."""

    def __init__(self, name: Hashable, commit: Commit, below: Sequence[Hashable | None]) -> None:
        self.name = name
        self.commit = commit
        self.below = below


Rest = tuple[Sequence[Hashable | None], Iterable[list[Stop]]]
"""The rest of a walk after a commit: for each parent the first stop at or below it, and all stops."""


class WalkLostError(Exception):
    """The walk failed; another one must start from the beginning."""


if TYPE_CHECKING:

    class ChangeTable(Protocol):
        """Knows which commits may have changed a key, so that a walk need not read the others."""

        def exists(self) -> bool:
            """Whether the table was built before."""
            ...

        def rest(self, tip: Oid, ranges: Collection[Range], last: Commit) -> Rest:
            """The walk from a tip, from one of its ancestors on.

            It stops wherever a key of some ranges may have changed, or a key whose memory was moved there later.

            Raises:
                WalkLostError: there is no table, none can be built, or it cannot be read. The batches raise it too.
            """
            ...


MakeTable = Callable[[], "ChangeTable"]
