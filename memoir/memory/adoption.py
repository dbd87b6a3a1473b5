"""Beginning to build on a commit: only on one whose tree, keys and records are sound."""

from memoir.memory.soundness import fault
from memoir.store import adopt
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.transaction import normalise
from memoir.store.tree import Tree


def check(store: Store, commit: Commit, trusted: Tree) -> str | None:
    """What memoir has to put right in the shape of a commit's tree, or None.

    Raises:
        DamagedStore: the tree, a key or a record is malformed.
    """
    return adopt.check(store, commit, trusted, fault)


def begin_branch(store: Store, name: str, start: Commit) -> Commit:
    """Create a branch at a commit; if that is out of shape, a commit of memoir's own puts it right.

    Raises:
        DamagedStore: the commit is not sound; there is no branch then. Conflict: the branch exists.
    """
    problem = check(store, start, store.head().tree)
    store.refs.create("branch", name, start.id)
    return (normalise(store, name) if problem else None) or start
