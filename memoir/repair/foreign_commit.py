"""The checks of a commit from elsewhere before a branch moves to it.

Its tree is compared with one that is trusted, and only what differs is opened. Wrong counts and cuts are put right by
a commit of memoir's own; a tree, a key or a value that memoir would never have written is refused, whatever the
trailers say.
"""

from collections.abc import Sequence

from memoir.errors import DamagedStore
from memoir.repair import foreign_history
from memoir.repair.verify_commits import change_list_problems
from memoir.store.commit import Commit
from memoir.store.foreign import rebuilt
from memoir.store.store import Store
from memoir.store.value_check import CheckValue, value_problems
from memoir.tree.diff import diff
from memoir.tree.node import NotMemoirs
from memoir.tree.shape import shape_problems
from memoir.tree.tree import Tree

HINT = (
    "no branch here has moved; in the store that wrote it, 'memoir fsck' names the faults, 'memoir forget KEY' removes"
    " one, and 'memoir export' and 'import' into a new store leave out those of older commits"
)


def check_tips(
    store: Store, commit: Commit, base: Tree, check_value: CheckValue, *, past_is_sound: bool = False
) -> str | None:
    """The fault in the shape or counts of a commit's tree, which memoir corrects; None if there is none.

    What the commits before it hold is read as well, unless it is known that `past_is_sound`.

    Raises:
        DamagedStore: a tree, a key or a value of it, or of a commit before it, is malformed; the commit and the reason
            are named.
    """
    try:
        problem = _shape_problem(store, commit, base, check_value)
    except NotMemoirs:
        raise
    except DamagedStore as error:
        raise _refusal([commit], error) from error
    if not past_is_sound:
        check_past(store, [commit], check_value)
    return problem


def check_past(store: Store, tips: Sequence[Commit], check_value: CheckValue) -> None:
    """Check what leads to some commits that are sound themselves, all at once: they may share most of it.

    Raises:
        DamagedStore: a commit, a tree, a key or a value is malformed; it is named.
    """
    try:
        foreign_history.check_every_commit(store, tips, check_value)
    except DamagedStore as error:
        raise _refusal(tips, error) from error


def _refusal(tips: Sequence[Commit], error: DamagedStore) -> DamagedStore:
    what = f"commit {tips[0].id:.12}" if len(tips) == 1 else f"one of {len(tips)} branches"
    return DamagedStore(f"{what} is not adopted: {error.message}", HINT)


def _shape_problem(store: Store, commit: Commit, base: Tree, check_value: CheckValue) -> str | None:
    tree = store.tree(commit.tree)
    problem = next(shape_problems(tree, base), None)
    if problem:
        tree = rebuilt(tree)
    if commit.changes and (problem or _misstates(store, commit, tree)):
        store.distrust(commit.id)
    fresh = [(delta.key, delta.new) for delta in diff(base, tree) if delta.new is not None]
    if fault := next(value_problems(store, fresh, check_value), None):
        raise DamagedStore(fault.text)
    return problem


def _misstates(store: Store, commit: Commit, tree: Tree) -> bool:
    """Whether a commit's trailers misstate what it changed against its first parent."""
    parents = store.commits(commit.parents[:1])
    before = store.of(parents[0].id).tree if parents else store.tree(None)
    deltas = list(diff(before, tree))
    return next(change_list_problems(commit.changes, parents[0].tree if parents else None, deltas), None) is not None
