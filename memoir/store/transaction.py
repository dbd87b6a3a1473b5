"""Writing: a function of the current snapshot becomes a commit, exactly once.

    lock -> read the branch's head -> change(head) -> one pack -> compare-and-swap -> release

The change is computed from the head it will stand on, and computed again if the head moved (a
foreign git may push between). Replaying finished values instead would lose what others appended.
"""

import os
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput
from memoir.store import commit as commits
from memoir.store.commit import ChangeList, Commit, CommitId, Signature
from memoir.store.edit import apply
from memoir.store.foreign import is_sound, leaves
from memoir.store.lock import writer_lock
from memoir.store.odb import Oid, PackWriter
from memoir.store.refs import BRANCHES
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.times import now

_TRIES = 20


class Change(NamedTuple):
    """What to commit: values by key (None removes one), why, and where keys moved.

    `edits` may be a generator: values are written as they come and not kept. `merged` names the
    further parents of a merge.
    """

    edits: Iterable[tuple[bytes, bytes | None]]
    message: str
    moves: tuple[tuple[bytes, bytes], ...] = ()
    merged: tuple[CommitId, ...] = ()
    author: Signature | None = None


def write(
    store: Store, change: Callable[[Snapshot], Change | None], *, branch: str | None = None, reason: str
) -> Commit | None:
    """Commit what `change` makes of a branch's head; None if that changes nothing.

    `reason` goes into the reflog. `change` may raise to abandon the write; it may run more than once.

    Raises:
        NotFound: no such branch.
        Conflict: the branch kept moving under a foreign writer.
        ReadOnlyStore, StoreBusy, GitError: the store could not be written; it is unchanged.
    """
    target = branch or store.branch()
    store.git.identity = identity(store)
    with writer_lock(store.git_dir):
        for _ in range(_TRIES):
            head = store.head(branch)
            pack = PackWriter(store.git, store.hash)
            try:
                wanted = change(head)
                made = _commit(store, head, wanted, pack) if wanted else None
                if made is None:
                    return None
                pack.flush()
                if store.refs.update(BRANCHES + target, made.id, head.commit and head.commit.id, reason):
                    return made
            finally:
                pack.release()
    raise Conflict(f"branch {target!r} kept moving while memoir was writing to it", "try again")


def _commit(store: Store, head: Snapshot, change: Change, pack: PackWriter) -> Commit | None:
    edits = {key: None if value is None else pack.add("blob", value) for key, value in change.edits}
    if is_sound(head):
        before, root = head.tree.get(edits), apply(head.tree, edits, pack)
    else:
        before = leaves(head.tree)
        root = apply(store.tree(None), {**before, **edits}, pack)
    if root == head.tree.root and not change.merged:
        return None
    listed = _change_list(head, edits, before, change)
    parents = (*([head.commit.id] if head.commit else []), *change.merged)
    return _write_commit(store, pack, root, parents, change, listed)


def _write_commit(
    store: Store, pack: PackWriter, root: Oid, parents: tuple[CommitId, ...], change: Change, listed: ChangeList
) -> Commit:
    committer = signature(store)
    author = change.author or committer
    data = commits.encode(root, parents, author, committer, change.message, listed)
    return commits.parse(pack.add("commit", data).hex(), data)


def _change_list(
    head: Snapshot, edits: dict[bytes, Oid | None], before: dict[bytes, Oid], change: Change
) -> ChangeList:
    """The actual difference to the head, whatever the edits claimed to be."""
    put = tuple(sorted(key for key, oid in edits.items() if oid is not None and before.get(key) != oid))
    forget = tuple(sorted(key for key, oid in edits.items() if oid is None and key in before))
    moves = tuple((old, new) for old, new in change.moves if old in forget and new in put)
    return ChangeList(head.tree.root, put, forget, moves)


def write_root_commit(store: Store, message: str) -> CommitId:
    """Write a parentless commit without memories and return its id; no ref points at it yet."""
    store.git.identity = identity(store)
    pack = PackWriter(store.git, store.hash)
    try:
        root = apply(store.tree(None), {}, pack)
        made = _write_commit(store, pack, root, (), Change((), message), ChangeList())
        pack.flush()
        return made.id
    finally:
        pack.release()


def normalise(store: Store, branch: str) -> Commit | None:
    """Put a branch's newest tree into memoir's shape, in a commit of memoir's own; None if it is already."""
    text = "normalise: put another git's merge into memoir's shape"
    return write(store, lambda head: None if is_sound(head) else Change((), text), branch=branch, reason="normalise")


def signature(store: Store) -> Signature:
    """Who commits, and now."""
    who = store.git.identity
    return Signature(who["GIT_COMMITTER_NAME"], who["GIT_COMMITTER_EMAIL"], int(now().timestamp()))


_AUTHOR = re.compile(r"\s*([^<>\n\0]*[^<>\s\0])\s*<([^<>\s\0]*)>\s*|\s*([^<>\n\0]*[^<>\s\0])\s*")


def identity(store: Store) -> dict[str, str]:
    """The committer for git's environment: `MEMOIR_AUTHOR`, else git's `user.*`, else memoir's own.

    Raises:
        InvalidInput: `MEMOIR_AUTHOR` is not `Name <email>`.
    """
    if wanted := os.environ.get("MEMOIR_AUTHOR"):
        match = _AUTHOR.fullmatch(wanted)
        if not match:
            raise InvalidInput("MEMOIR_AUTHOR is not a name and an address", "write it as 'Name <email>'")
        name, email = match[1] or match[3], match[2] or "memoir@localhost"
    else:
        name = _clean(store.config.get("user.name", [""])[-1]) or "memoir"
        email = _clean(store.config.get("user.email", [""])[-1]) or "memoir@localhost"
    date = f"@{int(now().timestamp())} +0000"
    return {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": email, "GIT_COMMITTER_DATE": date}


def _clean(text: str) -> str:
    return re.sub(r"[<>\x00-\x1f\x7f]", "", text).strip()
