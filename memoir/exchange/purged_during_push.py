"""Pushes overtaken by a purge: the remote has memories purged here, and git notes refs to removed commits."""

from collections.abc import Iterator
from contextlib import contextmanager
from shlex import join

from memoir.errors import Conflict
from memoir.exchange.writers.writer_refs import WRITERS
from memoir.git.lock import LOCK_NAME, waited_for, writer_lock
from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED, REMOTES
from memoir.store.store import Store
from memoir.store.switchover import drop_unreached

MAP = "memoir-purge-map"
"""The file in the store with the old and new ids of rewritten commits and tags, a pair on each line."""


def replacement(store: Store, remote: str, target: str, old: Oid, source: str) -> str:
    """The command that replaces a remote's ref, if it has not moved."""
    lease = f"--force-with-lease={target}:{old}"
    return join(["git", f"--git-dir={store.git_dir}", "push", lease, remote, f"{source}:{target}"])


@contextmanager
def noticing_purge(store: Store, remote: str, heads: str) -> Iterator[None]:
    """Around a push to a remote whose branches begin with `heads`, notice a concurrent purge.

    Purges hold the writer lock, so the state before and after the push is read under the lock.

    Raises:
        Conflict: the remote got purged memories; the refs that git noted are removed. StoreBusy: a purge is running.
    """
    with writer_lock(store.git_dir):
        before = store.git.last_purge()
    yield
    tops = {f"{REMOTES}{remote}/": heads, f"{FETCHED}{remote}/": WRITERS}
    with waited_for(store.git_dir / LOCK_NAME):  # without a limit: refs to purged commits must not stay
        if store.git.last_purge() == before:
            return
        new = dict(line.split() for line in (store.git_dir / MAP).read_text("ascii").splitlines())
        refs = [(top, name, oid) for top in tops for name, oid in store.refs.list(top).items() if str(oid) in new]
        for top, name, oid in refs:
            store.refs.update(top + name, None, oid, "push: purged meanwhile")
    if refs:
        store.reader.close()  # it could still read dropped objects
        drop_unreached(store.git)
        hints = [replacement(store, remote, tops[top] + name, oid, new[str(oid)]) for top, name, oid in refs]
        names = ", ".join(repr(name) for _, name, _ in refs)
        raise Conflict(f"{remote} was sent what was purged here meanwhile, in {names}", "; ".join(hints))
