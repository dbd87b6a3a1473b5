"""Checks before memoir builds on a commit that it has not written: its tree, keys and records must be sound."""

from collections.abc import Mapping

from memoir.errors import DamagedStore
from memoir.memory.soundness import fault
from memoir.repair import foreign_commit
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.transaction import StoredValue, normalise
from memoir.store.value_check import value_problems
from memoir.tree.tree import Tree


def check(store: Store, commit: Commit, base: Tree) -> str | None:
    """The fault that memoir has to repair in the shape of a commit's tree, or None.

    Raises:
        DamagedStore: the tree, a key or a record is malformed.
    """
    return foreign_commit.check_tips(store, commit, base, fault)


def begin_branch(store: Store, name: str, start: Commit) -> Commit:
    """Create a branch at a commit; if the shape of its tree is not memoir's, a new commit on the branch repairs it.

    Raises:
        DamagedStore: the commit is not sound; no branch is created. Conflict: the branch exists.
    """
    problem = check(store, start, store.head().tree)
    store.refs.create("branch", name, start.id)
    return (normalise(store, name) if problem else None) or start


def refuse_brought(store: Store, edits: Mapping[bytes, bytes | StoredValue | None]) -> None:
    """Refuse edits that bring back a damaged record of the past.

    Raises:
        DamagedStore: the first such record is named.
    """
    values = [(key, edit.oid) for key, edit in edits.items() if isinstance(edit, StoredValue)]
    if problem := next(value_problems(store, values, fault), None):
        raise DamagedStore(f"the memory to restore is damaged: {problem.text}", "restore the other paths one by one")
