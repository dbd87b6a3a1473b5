"""Writes: a function of the current snapshot becomes a commit, exactly once.

    lock -> read the branch's head -> change(head) -> one pack -> compare-and-swap -> release

The change is computed from the head that becomes its parent, and again if the head moved (another git may push in
between). Reusing computed values would lose what others appended. If the change has large values, the lock is released
once while they are compressed; an import compresses its own before it takes the lock.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from memoir.errors import Conflict
from memoir.git.lock import writer_lock
from memoir.git.messages import purged_meanwhile
from memoir.git.object_reader import FoundObject
from memoir.git.objects import Oid, object_id
from memoir.git.pack_writer import LARGE, PackWriter, PreparedBlobs
from memoir.git.ref_names import BRANCHES
from memoir.settings import SIGN
from memoir.store import commit as commits
from memoir.store import safeguards
from memoir.store.commit import ChangeList, Commit, Signature
from memoir.store.growth import Growth, StoreAndPack
from memoir.store.identity import identity, signature
from memoir.store.maintenance import repack_if_needed
from memoir.store.snapshot import Snapshot, tree_of
from memoir.store.store import Store
from memoir.tree.edit import apply
from memoir.tree.node import encode_leaf
from memoir.tree.tree import Tree

_TRIES = 20


class StoredValue(NamedTuple):
    """The id of a value that the store already has."""

    oid: Oid


class Change(NamedTuple):
    """A change to commit: values by key (None removes one), the reason, and the keys that moved.

    `edits` may be a generator: values are written as they come and not kept. Only merges have `further_parents`.
    """

    edits: Iterable[tuple[bytes, "bytes | StoredValue | None"]]
    message: str
    moves: tuple[tuple[bytes, bytes], ...] = ()
    further_parents: tuple[Oid, ...] = ()
    author: Signature | None = None
    committer: Signature | None = None
    """The committer and time of an unsigned commit; None for the user and now."""
    sources: tuple[Oid, ...] = ()
    """The other commits from which stored values were taken."""


def write(
    store: Store,
    change: Callable[[Snapshot], Change | None],
    *,
    branch: str | None = None,
    dry_run: bool = False,
    reason: str | Callable[[], str],
    large: Callable[[Snapshot], Iterable[bytes]] | None = None,
) -> Commit | None:
    """Commit the result of `change` for a branch's head; None if it changes nothing.

    `change` may run more than once, and abandons the write by raising. A dry run only computes the change, so it raises
    the same errors as the write. `reason` is for the reflog; if it is a function, it is called once the change is
    known. `large` returns the large values of the change, if that is a generator.

    Raises:
        Conflict: the branch kept moving under a foreign writer.
    """
    if dry_run:
        plan = change(store.head(branch))
        for _ in plan.edits if plan else ():
            pass
        return None
    target = store.branch(branch)
    store.git.identity = identity(store)
    with PreparedBlobs(store.hash) as ready:
        if large:
            ready.add(large(store.head(branch)))
        for _ in range(_TRIES):
            try:
                with writer_lock(store.git_dir):
                    return _attempt(store, change, store.head(branch), target, reason, ready)
            except BranchMoved:
                continue
            except _HasLarge as error:
                ready.add(error.values)
    raise Conflict(f"branch {target!r} kept moving while memoir was writing to it", "try again")


class BranchMoved(Exception):
    """Another program moved the branch meanwhile."""


class _HasLarge(Exception):
    """A change has large values, which must be compressed without the lock."""

    def __init__(self, values: list[bytes]) -> None:
        super().__init__()
        self.values = values


def _attempt(
    store: Store,
    change: Callable[[Snapshot], Change | None],
    head: Snapshot,
    branch: str,
    reason: str | Callable[[], str],
    ready: PreparedBlobs,
) -> Commit | None:
    """Commit the result of `change` for a head, and move the branch from there to the commit.

    Raises:
        BranchMoved: the branch is no longer at that head.
        _HasLarge: the change has large values, and none is `ready`.
    """
    plan = change(head)
    if not ready and plan and (large := _large_values(plan)):
        raise _HasLarge(large)
    with PackWriter(store.git, store.hash, ready) as pack:
        commit = make_commit(store, head, plan, pack) if plan else None
        if plan is None or commit is None:
            return None
        require_stored(store, (*plan.further_parents, *plan.sources))
        pack.flush()
        pack.is_needed = True  # from here on a ref may need it
        if not advance(store, branch, commit.id, head, reason if isinstance(reason, str) else reason()):
            raise BranchMoved
        store.wrote |= branch == store.branch()
        with suppress(OSError):  # the write is done
            safeguards.renew(store.git_dir)
        repack_if_needed(store)
        return commit


def require_stored(store: Store, commits: Collection[Oid]) -> None:
    """Refuse to build on commits that have been removed since they were read, before the lock.

    A new git process is needed: a running one could still read a removed pack.

    Raises:
        Conflict: a commit is gone, as after `memoir purge`.
    """
    asked = "".join(f"{oid}\n" for oid in commits).encode()
    if asked and b" missing\n" in store.git.run("cat-file", "--batch-check", stdin=asked):
        raise purged_meanwhile()


def _large_values(change: Change) -> list[bytes]:
    """The large values of a change; none if its edits are a generator, which can be read only once."""
    edits = change.edits if isinstance(change.edits, Collection) else ()
    return [value for _, value in edits if isinstance(value, bytes) and len(value) > LARGE]


def advance(store: Store, branch: str, new: Oid, head: Snapshot, reason: str) -> bool:
    """Move a branch from a snapshot to a commit made from it; False if the branch is no longer at that snapshot.

    A selected branch that does not exist is first created at the snapshot, as a separate step, so that `undo` takes
    back the write and leaves the branch.
    """
    old = head.id
    begins = store.selection.begins and branch == store.selection.branch
    if begins and store.resolve(BRANCHES + branch) is None:
        if old and not store.refs.update(BRANCHES + branch, old, None, "branch: created"):
            return False
        store.begun = old or new
    return store.refs.update(BRANCHES + branch, new, old, reason)


def lock_and_advance(store: Store, branch: str, new: Oid, head: Snapshot, reason: str) -> bool:
    """Take the writer lock and move a branch to an existing commit; see `advance`."""
    store.git.identity = identity(store)
    with writer_lock(store.git_dir):
        return advance(store, branch, new, head, reason)


def make_commit(store: Store, head: Snapshot, change: Change, pack: PackWriter) -> Commit | None:
    """Add the commit of a change on a head to a pack; None if the change changes nothing. No ref moves."""
    growth = Growth(head, store.reader, pack)
    root, change_list = growth.take(((key, _value_id(value, pack)) for key, value in change.edits), change.moves)
    nothing = root == growth.unchanged or (head.stored_root is None and not growth.met and root == _empty_root(store))
    if nothing and not change.further_parents:
        return None
    parents = (*([head.id] if head.id else []), *change.further_parents)
    return _write_commit(store, pack, root, parents, change, change_list)


def drafted(store: Store, commit: Oid, pack: PackWriter) -> Snapshot:
    """The snapshot of a new commit that may still wait in a pack, for making further commits."""
    if (data := pack.new_commits.get(commit)) is None:
        return store.of(commit)
    reader = StoreAndPack(store.reader, pack)
    return Snapshot(reader, Tree(reader, store.id_size, tree_of(data)), FoundObject(commit, "commit", data))


def _empty_root(store: Store) -> Oid:
    """The root of a tree without keys."""
    return object_id(store.hash, "tree", encode_leaf([], object_id(store.hash, "blob", b"")))


def _value_id(value: bytes | StoredValue | None, pack: PackWriter) -> Oid | None:
    if isinstance(value, StoredValue):
        return value.oid
    return None if value is None else pack.add("blob", value)


def _write_commit(
    store: Store, pack: PackWriter, root: Oid, parents: tuple[Oid, ...], change: Change, changes: ChangeList
) -> Commit:
    committer = change.committer or signature(store)
    author = change.author or committer
    data = commits.encode(root, parents, author, committer, change.message, changes)
    data = data if change.committer else _signed(store, data)
    return commits.parse(pack.add("commit", data), data)


def _signed(store: Store, commit: bytes) -> bytes:
    """A commit object, signed if the user has set that."""
    if SIGN.read(store.config) == "off":  # `signing_key` checks this, too; most users need not load it
        return commit
    from memoir.git.ssh_signatures import sign
    from memoir.store.signing import signing_key

    key = signing_key(store)
    return sign(commit, key, store.id_size) if key else commit


@contextmanager
def empty_commit(store: Store, message: str) -> Iterator[Oid]:
    """Write a commit without parents and memories, protected until the block ends; point a ref at it there."""
    with PackWriter(store.git, store.hash) as pack:
        root = apply(store.tree(None), {}, pack)
        commit = _write_commit(store, pack, root, (), Change((), message), ChangeList())
        pack.flush()
        pack.is_needed = True
        yield commit.id


def normalise(store: Store, branch: str) -> Commit | None:
    """Put a branch's newest tree into memoir's shape by a new commit; None if it already has that shape."""
    text = "normalise: put another git's merge into memoir's shape"
    return write(store, lambda head: Change((), text), branch=branch, reason="normalise")
