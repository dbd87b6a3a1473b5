"""Making commits again on top of another commit, as git's rebase does."""

from collections.abc import Callable, Iterable

from memoir.git.lock import writer_lock
from memoir.git.objects import Oid
from memoir.git.odb import PackWriter
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, identity, make_commit


def replay(store: Store, onto: Oid, changes: Iterable[Callable[[Snapshot], Change | None]]) -> Oid:
    """Commit changes on top of a commit, each made from the commit before it; the last commit, `onto` if none is new.

    No ref moves. Until a ref points at them, the new commits live as long as git keeps what nothing refers to.

    Raises:
        Whatever a change raises; then nothing is left of the others.
    """
    store.git.identity = identity(store)
    with writer_lock(store.git_dir):
        pack, whole = PackWriter(store.git, store.hash), False
        try:
            for change in changes:
                head = store.of(onto)
                plan = change(head)
                if plan and (commit := make_commit(store, head, plan, pack)):
                    pack.flush()  # the next change reads from the store
                    onto = commit.id
            whole = True
            return onto
        finally:
            pack.release() if whole else pack.discard()
