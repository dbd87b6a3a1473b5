"""Writing: a function of the current snapshot becomes a commit, exactly once.

    lock -> read the branch's head -> change(head) -> one pack -> compare-and-swap -> release

The change is made from the head that becomes its parent, and made again if the head moved (another git may push
between). Replaying finished values instead would lose what others appended. If it has large values, the lock is
released once, while they are compressed; an import compresses its own before it takes the lock.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput, NoStore
from memoir.git.git import around
from memoir.git.lock import writer_lock
from memoir.git.messages import purged_meanwhile
from memoir.git.object_reader import FoundObject, ObjectReader
from memoir.git.objects import Oid, object_id
from memoir.git.pack_writer import LARGE, PackWriter, PreparedBlobs
from memoir.git.ref_names import BRANCHES
from memoir.settings import AUTHOR, NOW, SIGN, USER_EMAIL, USER_NAME
from memoir.store import commit as commits
from memoir.store import safeguards
from memoir.store.commit import BULK, ChangeList, Commit, Signature
from memoir.store.maintenance import repack_if_needed
from memoir.store.snapshot import Snapshot, tree_of
from memoir.store.store import Store
from memoir.times import now
from memoir.tree.edit import apply, upgrade
from memoir.tree.node import FORMAT, encode_leaf
from memoir.tree.tree import Tree

PORTION = 5000
"""How many edits are applied at once."""

Moves = tuple[tuple[bytes, bytes], ...]


class Growth:
    """A snapshot's tree under a change: its root, and which of the edits really changed something.

    A change is applied in portions, so that the memory it takes does not grow with its size. A tree is a function of
    the set of its keys alone, so the root is the same whatever the portions are. Each portion is applied to the tree
    that the one before it left, whose newest nodes may still wait in the pack. The few nodes that only such a tree
    needed stay in the store until `gc`.

    A head in an older format is written anew in the newest one, so every commit of a change has that.
    """

    def __init__(self, head: Snapshot, reader: ObjectReader, pack: PackWriter) -> None:
        self._head = head
        self._reader = _StoreAndPack(reader, pack)
        self._pack = pack
        self._tree = self._before = head.tree
        self._put: set[bytes] = set()
        self._forget: set[bytes] = set()
        self._count = 0
        self.met = False
        """Whether the head holds any of the keys."""
        self.unchanged = head.stored_root
        """The root if the change turns out to change nothing."""
        if head.tree.root != head.stored_root:  # rebuilt from another git's commit: none of its nodes is stored
            self._tree = self._tree_at(None)
            self._apply(dict(head.tree.scan()))
        elif head.tree.version < FORMAT:
            self.unchanged = upgrade(head.tree, pack)
            self._tree = self._tree_at(self.unchanged)

    def take(self, edits: Iterable[tuple[bytes, Oid | None]], moves: Moves) -> tuple[Oid, ChangeList]:
        """Apply edits of different keys (None removes one); returns the root and the actual difference to the head."""
        rest = iter(edits)
        size = None if moves else PORTION  # for moves it matters what was at every key
        portion = dict(islice(rest, size))
        before = self._before.get(portion)
        root = self._step(portion, before, listed=True)
        real_moves = tuple((old, new) for old, new in moves if old in before and new in self._put)
        while portion := dict(islice(rest, size)):
            if self._head.tree.root == self._head.stored_root:
                self._before = self._tree_at(self._head.tree.root)  # the nodes of the last portion are dropped
            root = self._step(portion, self._before.get(portion), listed=self._count <= BULK)
        if self._count > BULK:
            return root, ChangeList(self._head.stored_root, moves=real_moves, bulk=self._count)
        put, forget = tuple(sorted(self._put)), tuple(sorted(self._forget))
        return root, ChangeList(self._head.stored_root, put, forget, real_moves)

    def _step(self, portion: dict[bytes, Oid | None], before: dict[bytes, Oid], *, listed: bool) -> Oid:
        put = {key for key, oid in portion.items() if oid is not None and before.get(key) != oid}
        forget = {key for key, oid in portion.items() if oid is None and key in before}
        self.met |= bool(before)
        self._count += len(put) + len(forget)
        if listed:
            self._put |= put
            self._forget |= forget
        return self._apply(portion)

    def _apply(self, portion: dict[bytes, Oid | None]) -> Oid:
        root = apply(self._tree, portion, self._pack)
        self._tree = self._tree_at(root)
        return root

    def _tree_at(self, root: Oid | None) -> Tree:
        return Tree(self._reader, self._head.tree.id_size, root)


class _StoreAndPack(ObjectReader):
    """The store's objects, and the trees that still wait in a pack; a value that waits there is stored when read."""

    def __init__(self, below: ObjectReader, pack: PackWriter) -> None:
        self._below = below
        self._pack = pack

    def read(self, ids: Sequence[Oid], kind: str) -> list[bytes]:
        """Read from the pack what is there, the rest from the store."""
        if kind == "blob" and any(map(self._pack.waits, ids)):
            self._pack.flush()
        from_pack = {oid: data for oid in ids if (data := self._pack.new_trees.get(oid)) is not None}
        rest = [oid for oid in ids if oid not in from_pack]
        from_store = dict(zip(rest, self._below.read(rest, kind), strict=True))
        return [from_pack[oid] if oid in from_pack else from_store[oid] for oid in ids]


_TRIES = 20


class StoredValue(NamedTuple):
    """A value that the store has already, by its id."""

    oid: Oid


class Change(NamedTuple):
    """A change to commit: values by key (None removes one), the reason, and the keys that moved.

    `edits` may be a generator: values are written as they come and not kept. Only a merge has `further_parents`.
    """

    edits: Iterable[tuple[bytes, "bytes | StoredValue | None"]]
    message: str
    moves: tuple[tuple[bytes, bytes], ...] = ()
    further_parents: tuple[Oid, ...] = ()
    author: Signature | None = None
    committer: Signature | None = None
    """Who commits, and when, and signs nothing; None for whoever it is, now."""
    sources: tuple[Oid, ...] = ()
    """The other commits that stored values were taken from."""


def write(
    store: Store,
    change: Callable[[Snapshot], Change | None],
    *,
    branch: str | None = None,
    dry_run: bool = False,
    reason: str | Callable[[], str],
    large: Callable[[Snapshot], Iterable[bytes]] | None = None,
) -> Commit | None:
    """Commit what `change` makes of a branch's head; None if that changes nothing.

    `change` may run more than once, and abandons the write by raising. A dry run only makes the change, so that it
    refuses what the write would refuse. `reason` is what the reflog says; a function is called once the change is
    known. `large` are the large values among those that the change makes of a head, if it makes them one by one.

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
    """A change has large values, which other writers need not wait for."""

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
    """Commit what `change` makes of a head, and move the branch from there to the commit.

    Raises:
        BranchMoved: the branch is no longer at that head.
        _HasLarge: the change has large values, and none is `ready`.
    """
    plan = change(head)
    if not ready and plan and (large := _large(plan)):
        raise _HasLarge(large)
    with PackWriter(store.git, store.hash, ready) as pack:
        commit = make_commit(store, head, plan, pack) if plan else None
        if plan is None or commit is None:
            return None
        require_stored(store, (*plan.further_parents, *plan.sources))
        pack.flush()
        pack.is_needed = True  # from here on a ref may need it, however this ends
        if not advance(store, branch, commit.id, head, reason if isinstance(reason, str) else reason()):
            raise BranchMoved
        store.wrote |= branch == store.branch()
        with suppress(OSError):  # the write has been made
            safeguards.renew(store.git_dir)
        repack_if_needed(store)
        return commit


def require_stored(store: Store, commits: Collection[Oid]) -> None:
    """Refuse to build on commits that were found before the lock was taken, and are gone since.

    A new process has to say it: one that has read them goes on reading their pack, removed or not.

    Raises:
        Conflict: one is gone, as after `memoir purge`.
    """
    asked = "".join(f"{oid}\n" for oid in commits).encode()
    if asked and b" missing\n" in store.git.run("cat-file", "--batch-check", stdin=asked):
        raise purged_meanwhile()


def _large(change: Change) -> list[bytes]:
    """The large values of a change, unless it comes from a generator, which makes each value once."""
    edits = change.edits if isinstance(change.edits, Collection) else ()
    return [value for _, value in edits if isinstance(value, bytes) and len(value) > LARGE]


def advance(store: Store, branch: str, new: Oid, head: Snapshot, reason: str) -> bool:
    """Move a branch from a snapshot to a commit made from it; False if the branch is no longer at that snapshot.

    A selected branch that does not exist begins at the snapshot first, in a step of its own, so that `undo` takes back
    the write and leaves the branch.
    """
    old = head.id
    begins = store.selection.begins and branch == store.selection.branch
    if begins and store.resolve(BRANCHES + branch) is None:
        if old and not store.refs.update(BRANCHES + branch, old, None, "branch: created"):
            return False
        store.begun = old or new
    return store.refs.update(BRANCHES + branch, new, old, reason)


def lock_and_advance(store: Store, branch: str, new: Oid, head: Snapshot, reason: str) -> bool:
    """Take the writer lock and move a branch to a commit that is there already; see `advance`."""
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
    """The snapshot of a commit that was made just now, and may still wait in a pack: a commit can be made from it."""
    if (data := pack.new_commits.get(commit)) is None:
        return store.of(commit)
    reader = _StoreAndPack(store.reader, pack)
    return Snapshot(reader, Tree(reader, store.id_size, tree_of(data)), FoundObject(commit, "commit", data))


def _empty_root(store: Store) -> Oid:
    """The root of a tree without keys: a branch without commits that gets nothing stays without commits."""
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
    """A commit object, with the signature of its committer if the user wants that."""
    if SIGN.read(store.config) == "off":  # as `signing_key` says, too; but nearly nobody needs to load these
        return commit
    from memoir.git.ssh_signatures import sign
    from memoir.store.signing import signing_key

    key = signing_key(store)
    return sign(commit, key, store.id_size) if key else commit


@contextmanager
def empty_commit(store: Store, message: str) -> Iterator[Oid]:
    """Write a parentless commit without memories; it is protected until the block ends, so point a ref at it there."""
    with PackWriter(store.git, store.hash) as pack:
        root = apply(store.tree(None), {}, pack)
        commit = _write_commit(store, pack, root, (), Change((), message), ChangeList())
        pack.flush()
        pack.is_needed = True
        yield commit.id


def normalise(store: Store, branch: str) -> Commit | None:
    """Put a branch's newest tree into memoir's shape, in a commit of its own; None if it has that shape already."""
    text = "normalise: put another git's merge into memoir's shape"
    return write(store, lambda head: Change((), text), branch=branch, reason="normalise")


def signature(store: Store) -> Signature:
    """Who commits, and now."""
    who = store.git.identity
    return Signature(who["GIT_COMMITTER_NAME"], who["GIT_COMMITTER_EMAIL"], int(now().timestamp()))


_AUTHOR = r"\s*([^<>\n\0\ud800-\udfff]*[^<>\s\0\ud800-\udfff])\s*(?:<([^<>\s\0\ud800-\udfff]*)>\s*)?"


def identity(store: Store) -> dict[str, str]:
    """Who commits: `MEMOIR_AUTHOR`, else `GIT_AUTHOR_*`, else git's `user.*`, else memoir's own.

    git's are the user's, else the store's, else those of the project that the store lies in.

    Raises:
        InvalidInput: `MEMOIR_AUTHOR` is not `Name <email>`.
        NoStore: this is the user's own store, and the write was not meant for it.
    """
    if store.is_instead:
        raise NoStore(
            "no memoir store here to write to", "--global writes to your own; in a project, 'memoir init' creates one"
        )
    name, email = name_and_email(store)
    if (seconds := int(now().timestamp())) < 0:
        raise InvalidInput(f"{NOW.key} is before 1970, and git records no such date")
    date = f"@{seconds} +0000"
    return {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": email, "GIT_COMMITTER_DATE": date}


def name_and_email(store: Store) -> tuple[str, str]:
    """The name and the address of who commits; see `identity`."""
    if author := AUTHOR.read({}):
        match = re.fullmatch(_AUTHOR, author)
        if not match:
            raise InvalidInput(f"{AUTHOR.key} is not a name and an address", "write it as 'Name <email>'")
        return match[1], match[2] or USER_EMAIL.default
    name, email = (_clean(setting.read_if_set(store.config)) for setting in (USER_NAME, USER_EMAIL))
    if not (name and email):
        project = _of_project(store)
        name = name or _clean(project.get(USER_NAME.git_key)) or USER_NAME.default
        email = email or _clean(project.get(USER_EMAIL.git_key)) or USER_EMAIL.default
    return name, email


def _of_project(store: Store) -> dict[str, str]:
    """What the project's own git config says, for those who keep another name for each project."""
    done = around(store.git_dir.parent, "config", "-z", "--get-regexp", r"^user\.(name|email)$")
    return dict(entry.partition("\n")[::2] for entry in done.stdout.decode("utf-8", "replace").split("\0"))


def _clean(text: str | None) -> str:
    return re.sub(r"[<>\x00-\x1f\x7f]", "", text or "").strip()
