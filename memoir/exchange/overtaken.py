"""A push that a purge overtakes: the remote has what was taken out here, and git notes it after that is gone."""

from collections.abc import Iterator
from contextlib import contextmanager
from shlex import join

from memoir.errors import Conflict
from memoir.exchange.writers import WRITERS
from memoir.git.lock import LOCK_NAME, waited_for, writer_lock
from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED, REMOTES
from memoir.store.store import Store
from memoir.store.switchover import drop_unreached

MAP = "memoir-purge-map"
"""The file in the store with the ids of rewritten commits and tags: the old one and the new one, a pair a line."""


def replacement(store: Store, remote: str, target: str, old: Oid, source: str) -> str:
    """The command that puts something in the place of what a remote has, if that has not moved."""
    lease = f"--force-with-lease={target}:{old}"
    return join(["git", f"--git-dir={store.git_dir}", "push", lease, remote, f"{source}:{target}"])


@contextmanager
def noticing_purge(store: Store, remote: str, heads: str) -> Iterator[None]:
    """Let git push to a remote, whose branches begin with `heads` there, and notice a purge meanwhile.

    A purge says early that it goes on, and has listed the refs before: push while none does, and look when none does.

    Raises:
        Conflict: the remote got what was purged; what git noted of that is removed. StoreBusy: a purge goes on.
    """
    with writer_lock(store.git_dir):
        before = store.git.last_purge()
    yield
    tops = {f"{REMOTES}{remote}/": heads, f"{FETCHED}{remote}/": WRITERS}
    with waited_for(store.git_dir / LOCK_NAME):  # however long: what was sent must not stay here unseen
        if store.git.last_purge() == before:
            return
        new = dict(line.split() for line in (store.git_dir / MAP).read_text("ascii").splitlines())
        refs = [(top, name, oid) for top in tops for name, oid in store.refs.list(top).items() if str(oid) in new]
        for top, name, oid in refs:
            store.refs.update(top + name, None, oid, "push: purged meanwhile")
    if refs:
        store.reader.close()  # it would go on reading what is dropped
        drop_unreached(store.git)
        hints = [replacement(store, remote, tops[top] + name, oid, new[str(oid)]) for top, name, oid in refs]
        names = ", ".join(repr(name) for _, name, _ in refs)
        raise Conflict(f"{remote} was sent what was purged here meanwhile, in {names}", "; ".join(hints))
