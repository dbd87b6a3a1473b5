"""Mark shown memories with their authors and the state of the code that they are about."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memoir.records.record import ABOUT
from memoir.taxonomy.paths import RAW_SUFFIX

if TYPE_CHECKING:
    from typing import Protocol, Self, TypeVar

    from memoir.records.record import Memory
    from memoir.store.snapshot import Snapshot
    from memoir.store.store import Store
    from memoir.taxonomy.paths import Address

    class _Placed(Protocol):
        """A named tuple with a memory and its address."""

        @property
        def address(self) -> Address: ...
        @property
        def memory(self) -> Memory: ...
        def _replace(self, *, memory: Memory = ...) -> Self: ...

    Shown = TypeVar("Shown", bound=_Placed)


def marked(
    store: "Store",
    snapshot: "Snapshot",
    placed: "Sequence[tuple[Address, Memory]]",
    *,
    code: bool = True,
    hurried: bool = False,
) -> "list[Memory]":
    """Mark memories with their authors, if they came from a remote, and with the state of their code.

    With `code` false the code is not checked. With `hurried`, a long history is not searched for authors.
    """
    memories = [memory for _, memory in placed]
    if store.has_remotes:
        from memoir.memory.authors import mark_authors

        memories = mark_authors(store, snapshot, placed, hurried=hurried)
    if code and any(ABOUT in memory.metadata for memory in memories):
        from memoir.anchors.mark import mark

        memories = mark(store, memories)
    return memories


def signed(store: "Store", snapshot: "Snapshot", shown: "Iterable[Shown]", *, hurried: bool = False) -> "list[Shown]":
    """Mark memories from a remote with their authors; passages of sources stay unchanged."""
    kinds = [(each, each.address.namespace.endswith(RAW_SUFFIX)) for each in shown]
    placed = [(each.address, each.memory) for each, is_passage in kinds if not is_passage]
    memories = iter(marked(store, snapshot, placed, code=False, hurried=hurried))
    return [each if is_passage else each._replace(memory=next(memories)) for each, is_passage in kinds]
