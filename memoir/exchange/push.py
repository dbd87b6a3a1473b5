"""Pushing branches and tags to another store, through git.

What is at the remote is replaced only if it is memoir's and as it was last fetched, whatever is forced.
"""

from collections.abc import Iterable, Sequence

from memoir.errors import Conflict, GitError, MemoirError, NotFound
from memoir.exchange.layout import BESIDE, PLAIN, Layout, RemotePlace, place
from memoir.exchange.strays import is_memoirs, require_merged
from memoir.exchange.transport import not_talked, push_to
from memoir.git.git import output_lines
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES, TAGS
from memoir.store.store import Store


class Rejection(Conflict):
    """The remote's branch is not where this store saw it, so it was not replaced."""


class Unwritable(GitError):
    """The remote could not write the branch, for instance because another push held its lock."""


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


def _leases(store: Store, there: RemotePlace, branches: Iterable[str]) -> list[str]:
    """The options that let git replace branches: each only while it is as fetched, and only if it is memoir's."""
    tips = {ref.name: ref.commit for ref in store.refs.list(f"{REMOTES}{there.remote}/")}
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


def _push(store: Store, name: str, where: Layout, specs: list[str], leases: list[str]) -> list[tuple[str, str]]:
    refspec = f"+{where.heads}*:{REMOTES}{name}/*"
    done = push_to(store, name, specs, *leases, refspec=refspec)
    rows = map(_fields, output_lines(done.stdout))
    results = [(flag, to.rpartition(":")[2], status) for flag, to, status, *_ in rows]
    if refusal := next((row for row in results if row[0] == "!"), None):
        raise _rejection(name, where, *refusal[1:])
    if done.returncode:
        raise not_talked(store, name, done.stderr)
    return [(ref, _RESULTS.get(flag, status)) for flag, ref, status in results if ref]


def _fields(line: str) -> list[str]:
    """A line of `git push --porcelain`: flag, from:to, what became of it; empty ones if it is another line."""
    return line.split("\t") if line.count("\t") >= 2 else ["", "", ""]


def _rejection(name: str, where: Layout, ref: str, status: str) -> MemoirError:
    branch = ref.removeprefix(where.heads).removeprefix(where.tags)
    why = status.removeprefix("[rejected] ").strip("()")
    if why.startswith("[remote rejected] (failed to "):  # to lock, write or update: nothing that a pull fixes
        return Unwritable(
            f"{name} could not write {branch!r}: {why.removeprefix('[remote rejected] (')}",
            "if nobody is writing there, remove the lock file that a killed program left at the remote",
        )
    hint = "run 'memoir pull', then push again"
    if why == "stale info":
        why, hint = "it has moved since it was last fetched", f"see what is new with 'memoir fetch {name}', then decide"
    elif ref.startswith(where.tags):
        hint = f"'memoir tag -d {branch}' and 'memoir fetch {name}' take the remote's"
    return Rejection(f"{name} rejected {branch!r}: {why}", hint)
