"""Pushing branches and tags to another store, through git.

What is at the remote is replaced only if it is memoir's and as it was last fetched, whatever is forced.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memoir.errors import Conflict, MemoirError, NotFound
from memoir.exchange import writers
from memoir.exchange.layout import BESIDE, PLAIN, Layout, RemotePlace, place
from memoir.exchange.refusals import refusal
from memoir.exchange.strays import is_memoirs, require_merged
from memoir.exchange.transport import not_talked, push_to
from memoir.git.git import output_lines
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES, TAGS
from memoir.store.store import Store

_RESULTS = {"*": "new", " ": "updated", "+": "updated", "=": "up to date", "-": "deleted"}


def push(
    store: Store,
    name: str,
    branches: Sequence[str],
    *,
    tags: bool = False,
    force: bool = False,
    commit: Oid | None = None,
    at: RemotePlace | None = None,
) -> list[tuple[str, str]]:
    """Push branches (none named: all) and tags; return each of the remote's refs with what became of it.

    With `force`, a remote branch is replaced if it holds memory and is as it was last fetched.

    Args:
        store: The store to push from.
        name: The remote.
        branches: Their names; with none, every branch is pushed.
        tags: Whether every tag is pushed too.
        force: Whether commits that only the remote has may leave its branch.
        commit: What to send as the branches, if not what they are at.
        at: What `place` has found, if the caller knows.
    """
    there = at or place(store, name)
    where = there.layout
    _refuse_ambiguous(there, branches)
    specs = [f"{commit or BRANCHES + branch}:{where.heads}{branch}" for branch in branches or ["*"]]
    targets = branches or [ref.name for ref in store.refs.list(BRANCHES)]
    if where == BESIDE and not force:
        _refuse_first(store, there, targets)
    leases = _leases(store, there, targets if force else [])
    return _push(store, name, where, specs + [f"{TAGS}*:{where.tags}*"] * tags, leases)


def check_target(store: Store, there: RemotePlace, branch: str) -> None:
    """Refuse to push to a branch by a name that means another, or that would hide memory.

    Raises:
        Conflict: the reason is told.
    """
    _refuse_ambiguous(there, [branch])
    if there.layout == BESIDE:
        _refuse_first(store, there, [branch])


def _refuse_ambiguous(there: RemotePlace, branches: Iterable[str]) -> None:
    """Refuse to push to branches whose full names are short names of others, such as `refs/heads/refs/heads/main`.

    git takes either for what is meant, and has no other way to name one ref of a remote.

    Raises:
        Conflict: there is such another branch.
    """
    for branch in branches:
        full = there.layout.heads + branch
        if BRANCHES + full in there.refs:
            raise Conflict(
                f"{there.remote} also has a branch named {full!r}, which git cannot tell from {branch!r}",
                f"'memoir fetch {there.remote}', then 'memoir push {there.remote} {full} --delete' deletes it"
                if there.layout == PLAIN
                else f"'git push URL :{BRANCHES}{full}' deletes it",
            )


def _refuse_first(store: Store, there: RemotePlace, branches: Iterable[str]) -> None:
    """Refuse to begin a branch beside code while its plain namesake has memory that nobody would find again."""
    for branch in branches:
        if BESIDE.heads + branch not in there.refs:
            stray = there.refs[BRANCHES + branch] if branch in there.strays else None
            require_merged(store, there.remote, branch, stray)


def delete(store: Store, name: str, branch: str, *, at: RemotePlace | None = None) -> list[tuple[str, str]]:
    """Delete a branch that holds memory at a remote, if it is as it was last fetched.

    Raises:
        NotFound: no such remote, or it had no such branch when it was last fetched. Conflict, GitError: as for `push`.
    """
    there = at or place(store, name)
    _refuse_ambiguous(there, [branch])
    if store.refs.read(f"{REMOTES}{name}/{branch}") is None:
        raise NotFound(f"no branch {branch!r} was fetched from {name}", f"'memoir fetch {name}' first", revision=branch)
    return _push(store, name, there.layout, [f":{there.layout.heads}{branch}"], _leases(store, there, [branch]))


def _leases(store: Store, there: RemotePlace, branches: Sequence[str]) -> list[str]:
    """The options that let git replace branches: each only while it is as fetched, and only if it is memoir's."""
    tips = {ref.name: ref.commit for ref in store.refs.list(f"{REMOTES}{there.remote}/")} if branches else {}
    leases = []
    for branch in branches:
        ref = there.layout.heads + branch
        tip = tips.get(branch) if ref in there.refs else None
        if tip and not is_memoirs(store, tip):
            raise Conflict(
                f"{ref!r} of {there.remote} is not memoir's, and memoir does not replace it",
                f"'memoir branch NAME' and 'memoir push {there.remote} NAME' push yours under another name",
            )
        leases.append(f"--force-with-lease={ref}:{tip or ''}")
    return leases


class SentRef(NamedTuple):
    """One of the remote's refs after a push: what became of it, or why it was not taken."""

    name: str
    result: str
    error: MemoirError | None = None


def _push(store: Store, name: str, where: Layout, specs: list[str], leases: list[str]) -> list[tuple[str, str]]:
    refs = send(store, name, where, specs, leases)
    if error := next((ref.error for ref in refs if ref.error), None):
        raise error
    return [(ref.name, ref.result) for ref in refs]


def send(store: Store, name: str, where: Layout, specs: Sequence[str], leases: Sequence[str] = ()) -> list[SentRef]:
    """Push some refs, each for itself: one that is not taken has its error, and keeps no other from being taken.

    Raises:
        GitError: the remote could not be talked to.
    """
    done = push_to(
        store, name, list(specs), *leases, refspecs=[f"+{where.heads}*:{REMOTES}{name}/*", writers.refspec(name)]
    )
    rows = [row for row in map(_fields, output_lines(done.stdout)) if row.ref]
    if done.returncode and not any(row.flag == "!" for row in rows):
        raise not_talked(store, name, done.stderr)
    return [_sent(name, where, row, done.stderr) for row in rows]


class _Row(NamedTuple):
    """A line of `git push --porcelain`: flag, ref of the remote, what became of it; empty if it is another line."""

    flag: str
    ref: str
    status: str


def _fields(line: str) -> _Row:
    flag, to, status, *_ = line.split("\t") if line.count("\t") >= 2 else ["", "", ""]
    return _Row(flag, to.rpartition(":")[2], status)


def _sent(remote: str, where: Layout, row: _Row, stderr: bytes) -> SentRef:
    if row.flag != "!":
        return SentRef(row.ref, _RESULTS.get(row.flag, row.status))
    short = row.ref.removeprefix(where.heads).removeprefix(where.tags)
    error = refusal(remote, short, row.status, stderr, is_tag=row.ref.startswith(where.tags))
    return SentRef(row.ref, "refused", error)
