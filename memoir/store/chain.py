"""Chains: several commits, each made from the one before, that a branch gets in one step and one undo takes back."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress

from memoir.errors import Conflict, MemoirError
from memoir.git.lock import try_removing_leftovers, writer_lock
from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.store.commit import Commit
from memoir.store.identity import identity
from memoir.store.maintenance import repack_if_needed
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, advance, drafted, make_commit, require_stored

_TRIES = 5

Step = Callable[[Snapshot], Change | None]
"""A function that makes a change from a snapshot; None if there is nothing to change."""


def replay(store: Store, onto: Oid | None, changes: Iterable[Change | Step], *, together: bool = False) -> Oid | None:
    """Commit changes on top of a commit, each made from the one before; return the last commit (`onto` if none is new).

    This is like git's rebase, but moves no ref. Until a ref points to the new commits, git keeps them only as long as
    other unreferenced objects.
    """
    with writer_lock(store.git_dir), _replayed(store, onto, changes, together=together) as tip:
        return tip


@contextmanager
def holding(store: Store) -> Iterator[None]:
    """Protect the commits that `replay` makes within the block from any gc until it ends."""
    try:
        with ExitStack() as store.held:
            yield
    finally:
        store.held = None
        with suppress(OSError, MemoirError):  # the next writer tries again
            try_removing_leftovers(store.git_dir)


@contextmanager
def _replayed(
    store: Store, onto: Oid | None, changes: Iterable[Change | Step], *, together: bool = False
) -> Iterator[Oid | None]:
    """The result of `replay`, protected from any gc within the block, in which the caller moves a ref to it.

    Ready changes share a pack. A step reads the commits before it from the store, so these are stored first. Steps that
    read no more than merges do share one too, with `together`.
    """
    store.git.identity = identity(store)
    with PackWriter(store.git, store.hash) as pack:
        head = store.of(onto)
        found = {onto} if onto else set()
        for change in changes:
            if not (together or isinstance(change, Change)):
                pack.flush()
                head = store.of(onto)
            plan = change if isinstance(change, Change) else change(head)
            if plan and (commit := make_commit(store, head, plan, pack)):
                found |= {*plan.further_parents, *plan.sources}.difference(pack.new_commits)
                onto = commit.id
                head = drafted(store, onto, pack)
        require_stored(store, found)
        pack.flush()
        pack.is_needed = True  # a ref may need it from here on
        if store.held:
            pack.hold(store.held)
        yield onto


def write_chain(
    store: Store, plan: Callable[[Snapshot], Iterable[Change | Step]], *, branch: str | None = None, reason: str
) -> Commit | None:
    """Commit the changes that `plan` makes from a branch's head, and move the branch once; None if none is new.

    Raises:
        Conflict: another git moved the branch during every try.
    """
    target = store.branch(branch)
    for _ in range(_TRIES):
        with writer_lock(store.git_dir):
            head = store.head(branch)
            with _replayed(store, head.id, plan(head)) as tip:
                if tip is None or tip == head.id:
                    return None
                if advance(store, target, tip, head, reason):
                    store.wrote |= target == store.branch()
                    repack_if_needed(store)
                    return store.commits([tip])[0]
    raise Conflict(f"branch {target!r} kept moving while memoir was writing to it", "try again")
