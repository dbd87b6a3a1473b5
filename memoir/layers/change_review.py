"""What somebody who reviews a change of the project should know of its memory."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.anchors.working_tree import WorkingTree
from memoir.errors import InvalidInput, NotFound
from memoir.git.objects import Oid
from memoir.index.index import Index
from memoir.layers.code_memories import CodeMemory, stale
from memoir.memory.disputes import Dispute, disputes_of
from memoir.memory.revisions import Difference, compare
from memoir.store.store import Store


class ChangeReview(NamedTuple):
    """What a change does to memory.

    Attributes:
        old: The commit of the store before; None for a store before its first.
        new: The commit of the store after.
        since: The revision of the project that its working tree is compared with; None if it was not.
        differences: The paths whose memories differ.
        stale: The memories, of those after, whose code the change has left behind.
        disputes: The pairs of memories, of those after, that contradict each other and of which the change made one.
        complete: Whether all memories were compared with each other.
    """

    old: Oid | None
    new: Oid | None
    since: str | None
    differences: Sequence[Difference]
    stale: Sequence[CodeMemory]
    disputes: Sequence[Dispute]
    complete: bool


def split_range(text: str) -> tuple[str, str]:
    """The two revisions of `BASE..HEAD`; without the second it is HEAD.

    Raises:
        InvalidInput: it is not that.
    """
    base, dots, head = text.partition("..")
    if not base or not dots or head.startswith("."):
        raise InvalidInput(f"not BASE..HEAD: {text!r}", "write main..feature")
    return base, head or "HEAD"


def review(
    store: Store, index: Index, tree: WorkingTree | None, base: str, head: str, since: str | None
) -> ChangeReview:
    """Review the change from one revision of the store to another, and of the project since a revision of its own.

    Without `since` it is the project's revision of the name `base`, or of that name at `origin`, if there is one.
    """
    comparison = compare(store, base, head, (), [], [])
    differences, snapshot = list(comparison.differences), store.at(head)
    changed = {difference.address for difference in differences}
    found = disputes_of(snapshot)
    disputes = [pair for pair in found.disputes if not changed.isdisjoint((pair.newer.address, pair.older.address))]
    revision = since or _of_project(tree, base)
    left_behind = stale(index, snapshot, tree, since=revision) if revision else []
    return ChangeReview(comparison.old, comparison.new, revision, differences, left_behind, disputes, found.complete)


def _of_project(tree: WorkingTree | None, name: str) -> str | None:
    if tree is None:
        return None
    try:
        return next((each for each in (f"origin/{name}", name) if tree.changed_since(each) is not None), None)
    except (InvalidInput, NotFound):
        return None
