"""What a commit of memoir's says of itself: the counts and cuts of its tree, and the keys it changed.

Readers rely on both (`memoir.store.foreign`, `memoir.store.history`). So a commit from elsewhere that says so, and is
wrong, goes on the list of those that are believed no longer; what it holds is then read from its leaves.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from memoir.errors import DamagedStore
from memoir.store.commit import BULK, ChangeList, Commit
from memoir.store.diff import Delta, diff
from memoir.store.oid import Oid
from memoir.store.shape import shape_problems
from memoir.store.store import Store
from memoir.store.tree import Tree

_MOST = 100
"""So many wrong commits may be in one past: each is read as a whole, again and again."""
_BATCH = 500


def distrust_wrong(store: Store, commits: Iterable[Oid]) -> None:
    """Put those of some commits, parents before children, on the list that misstate their trees or what they changed.

    Each is compared with its first parent, so it costs O(changes * log n).

    Raises:
        DamagedStore: there are too many of them, or a commit's tree cannot be read.
    """
    found = islice(_wrong(store, iter(commits)), _MOST + 1)
    for number, commit in enumerate(found):
        if number == _MOST:
            raise DamagedStore(f"more than {_MOST} commits before it misstate what they hold or changed")
        store.distrust(commit.id)


def _wrong(store: Store, commits: Iterator[Oid]) -> Iterator[Commit]:
    """The commits that are on the list, or should be; each is to be put there before the next is asked for."""
    sound: set[Oid] = set()
    while batch := store.commits(list(islice(commits, _BATCH))):
        known = {commit.id: commit for commit in batch}
        others = {parent for commit in batch for parent in commit.parents[:1]} - known.keys()
        known |= {commit.id: commit for commit in store.commits(list(others))}
        for commit in batch:
            parent = known[commit.parents[0]] if commit.parents else None
            if commit.id in store.distrusted:
                yield commit
            if not _is_believed(store, commit, parent):
                continue
            before = store.tree(parent.tree) if parent and parent.id in sound else store.of(parent and parent.id).tree
            if _is_right(store, commit, before, parent and parent.tree):
                sound.add(commit.id)
            else:
                yield commit


def _is_believed(store: Store, commit: Commit, parent: Commit | None) -> bool:
    base = parent.tree if parent else None
    return commit.changes is not None and commit.changes.base == base and commit.id not in store.distrusted


def _is_right(store: Store, commit: Commit, before: Tree, base: Oid | None) -> bool:
    """Whether a commit's tree is in shape, and its trailers name what it changed; `before` is its parent's tree."""
    tree = store.tree(commit.tree)
    if next(shape_problems(tree, before if before.root == base else store.tree(None)), None):
        return False
    return next(change_list_problems(commit.changes, base, list(diff(before, tree))), None) is None


def change_list_problems(changes: ChangeList | None, base: Oid | None, deltas: list[Delta]) -> Iterator[str]:
    """How a commit's trailers misstate what it changed.

    A commit without a list, or with another base, is a foreign one: allowed, and never believed.
    """
    if changes is None or changes.base != base:
        return
    put = tuple(d.key for d in deltas if d.new is not None)
    forget = tuple(d.key for d in deltas if d.new is None)
    if changes.bulk is not None:
        if changes.bulk != len(deltas) or (0 < len(deltas) <= BULK):
            yield f"its trailers count {changes.bulk} changes and it made {len(deltas)}"
    elif (changes.put, changes.forget) != (put, forget):
        yield "its trailers do not name the keys it changed"
