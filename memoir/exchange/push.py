"""Pushing branches and tags to another store, through git, and why a remote did not take one.

What is at the remote is replaced only if it is memoir's and as it was last fetched, whatever is forced. A ref is not
taken because another push came first, because the remote could not write it, or because it does not want it. Only the
first is cured by beginning again, and the second perhaps. What a remote refuses by its own rules it refuses every time,
so it is told at once, in the remote's own words.
"""

import re
from collections.abc import Iterable, Sequence
from shlex import quote
from typing import NamedTuple

from memoir.errors import Conflict, GitError, MemoirError, NotFound
from memoir.exchange import writers
from memoir.exchange.layout import BESIDE, PLAIN, Layout, RemotePlace, is_memoirs, place, require_merged
from memoir.exchange.overtaken import noticing_purge
from memoir.exchange.rewritten import refuse_rewritten
from memoir.exchange.transport import not_talked, push_to
from memoir.git.git import output_lines
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES, TAGS
from memoir.repair import checks
from memoir.settings import REMOTE_WRITERS
from memoir.store.ancestry import is_ancestor
from memoir.store.store import Store
from memoir.visible import neutralise


class Rejection(Conflict):
    """The remote's ref is not where this store saw it: another push came first."""


class Unwritable(GitError):
    """The remote could not write the ref, for instance because another push held its lock."""


class Refusal(GitError):
    """The remote does not take the ref: a hook, a limit, a full disk, a hidden ref.

    Attributes:
        is_of_any: Whether it takes no ref now, and that by no rule for this one.
    """

    is_of_any = False


class OwnRefRefused(Refusal):
    """The remote does not take the ref of a single writer; `sent` is how many commits its branch got all the same."""

    def __init__(self, error: Refusal, remote: str, branch: str, sent: int) -> None:
        self.sent = sent
        arrived = f"; what was sent is in {branch!r} all the same (commits: {sent})" if sent else ""
        hint = f"'memoir config {REMOTE_WRITERS.key_of(remote)} shared' sends to the branch itself"
        super().__init__(error.message + arrived, error.hint if re.search(_NO_ROOM, error.message) else hint)


_RACE = re.compile(
    r"\[rejected\]|incorrect old value|': reference already exists|\bis at [0-9a-f]{40,} but expected [0-9a-f]{40,}"
)
_NOT_WRITTEN = re.compile("failed to |reference already exists")
"""How a status begins if a ref could not be locked, written or updated; git 2.51 and later say the second of a lock."""
_LOCK = re.compile(r"Unable to create '([^']*\.lock)': File exists")
_NO_ROOM = "exists; cannot create|refname conflict"
_NEVER = re.compile(rf"{_NO_ROOM}|No space left|Permission denied|Read-only file system|Disk quota")
_OF_ANY = re.compile(r"unpack|migrate|exceeds|No space|quota|failed to report status")
_HINTS = (
    (r"hook declined|protected", "its own rules refuse this: change what they name, or ask whoever keeps it"),
    (r"hidden ref", "it hides this ref from pushes (transfer.hideRefs): ask whoever keeps it"),
    (
        r"Permission denied|Read-only|temporary object directory",
        "its files cannot be written by the user that git runs as there",
    ),
    (r"unpack|migrate|exceeds|No space|quota", "its disk may be full, or it limits what it takes: see there"),
    (_NO_ROOM, "a ref there leaves no room for it: 'git push URL :REF' removes it there, with what only it has"),
    (r"failed to report status", "its git was ended, or the connection: 'memoir sync {}' tries again"),
)
_MOST_LINES, _LONGEST = 8, 200
_UNPACK = "error: remote unpack failed: "
"""Before what the other git says of a push that it could not store, if it says so in no line of its own."""


def said(stderr: bytes) -> str:
    """What the remote itself said, made safe to show and of bounded length; empty if it said nothing."""
    lines = stderr.decode("utf-8", "replace").splitlines()
    words = [word for line in lines if line.startswith("remote: ") and (word := line[len("remote: ") :].strip())]
    words = words or [line.removeprefix(_UNPACK) for line in lines if line.startswith(_UNPACK)]
    shown = [neutralise(word)[:_LONGEST] for word in words[:_MOST_LINES]]
    return "; ".join([*shown, "…"] if len(words) > _MOST_LINES else shown)


def refusal(remote: str, name: str, status: str, stderr: bytes, *, is_tag: bool = False) -> MemoirError:
    """The error for a ref that was not taken.

    Args:
        remote: The remote.
        name: The branch or tag, as people write it.
        status: What `git push --porcelain` says of it, such as `[rejected] (fetch first)`.
        stderr: What git and the remote said meanwhile.
        is_tag: Whether it is a tag.
    """
    words = said(stderr)
    why = re.sub(r"^\[[\w ]+\] ", "", status)
    why = neutralise(why[1:-1] if why.startswith("(") and why.endswith(")") else why)
    if _NEVER.search(words):
        return _refused(remote, name, why, words)
    if _RACE.search(status) or _RACE.search(words):
        return _lost(remote, name, why, is_tag=is_tag)
    if _NOT_WRITTEN.match(why):
        return _unwritable(remote, name, why, words)
    return _refused(remote, name, why, words)


def _lost(remote: str, name: str, why: str, *, is_tag: bool) -> Rejection:
    hint = "run 'memoir pull', then push again"
    if why == "stale info":
        why, hint = (
            "it has moved since it was last fetched",
            f"see what is new with 'memoir fetch {remote}', then decide",
        )
    elif is_tag:
        hint = f"'memoir tag -d {quote(name)}' and 'memoir fetch {remote}' take the remote's"
    return Rejection(f"{remote} rejected {name!r}: {why}", hint)


def _unwritable(remote: str, name: str, why: str, words: str) -> Unwritable:
    lock = _LOCK.search(words)
    if lock:
        return Unwritable(
            f"{remote} could not write {name!r}: its lock file {lock[1]} exists",
            "if nobody is writing there, remove the lock file at the remote: a push that was killed has left it",
        )
    hint = "if nobody is writing there, remove the lock file that a killed program left at the remote"
    return Unwritable(f"{remote} could not write {name!r}: {why}{_quoted(words)}", hint)


def _refused(remote: str, name: str, why: str, words: str) -> Refusal:
    hint = next((hint.format(remote) for pattern, hint in _HINTS if re.search(pattern, f"{why} {words}")), None)
    refused = Refusal(f"{remote} refused {name!r}: {why}{_quoted(words)}", hint)
    refused.is_of_any = "declined" not in why and bool(_OF_ANY.search(f"{why} {words}"))
    return refused


def _quoted(words: str) -> str:
    return f"; it says: {words}" if words else ""


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
        force: Whether commits that only the remote has may leave its branch, and those that it has lost come back.
        commit: What to send as the branches, if not what they are at; a sync has looked at it.
        at: What `place` has found, if the caller knows.

    Raises:
        Conflict: the remote has commits that are not here, or has lost some that are.
    """
    there = at or place(store, name)
    where = there.layout
    _refuse_ambiguous(there, branches)
    if commit is None and not force:
        heads = [store.commit(BRANCHES + branch).id for branch in branches] or store.refs.list(BRANCHES).values()
        refuse_rewritten(store, name, {*heads, *(store.refs.list(TAGS).values() if tags else ())})
    specs = [f"{commit or BRANCHES + branch}:{where.heads}{branch}" for branch in branches or ["*"]]
    targets = branches or list(store.refs.list(BRANCHES))
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
                f"'memoir fetch {there.remote}', then 'memoir push {there.remote} {quote(full)} --delete' deletes it"
                if there.layout == PLAIN
                else f"'git push URL {quote(f':{BRANCHES}{full}')}' deletes it",
            )


def _refuse_first(store: Store, there: RemotePlace, branches: Iterable[str]) -> None:
    """Refuse to begin a branch beside code while its plain namesake has memory that nobody would find again."""
    for branch in branches:
        if BESIDE.heads + branch not in there.refs:
            stray = there.refs[BRANCHES + branch] if branch in there.strays else None
            require_merged(store, there.remote, branch, stray)


def delete(store: Store, name: str, branch: str, *, at: RemotePlace | None = None) -> list[tuple[str, str]]:
    """Delete a branch that holds memory at a remote, if it is as it was last fetched, and the writers' refs of it.

    Raises:
        NotFound: no such remote, or it had no such branch when it was last fetched. Conflict: writers have sent what
            the branch lacks. Conflict, GitError: as for `push`.
    """
    there = at or place(store, name)
    _refuse_ambiguous(there, [branch])
    tip = store.refs.read(f"{REMOTES}{name}/{branch}")
    if tip is None:
        raise NotFound(f"no branch {branch!r} was fetched from {name}", f"'memoir fetch {name}' first", revision=branch)
    own = writers.listed(there.refs, branch)
    if more := [each for each, oid in own.items() if not (store.reader.has(oid) and is_ancestor(store, oid, tip))]:
        raise Conflict(
            f"{name}'s branch {branch!r} lacks what these writers have sent: {', '.join(sorted(more))}",
            f"'memoir checkout {quote(branch)}' and 'memoir fold {name}' bring it together; then delete it",
        )
    refs = {writers.ref_of(writer, branch): oid for writer, oid in own.items()}
    specs = [f":{ref}" for ref in (f"{there.layout.heads}{branch}", *refs)]
    leases = [f"--force-with-lease={ref}:{oid}" for ref, oid in refs.items()]
    done = _push(store, name, there.layout, specs, [*_leases(store, there, [branch]), *leases])
    return [row for row in done if row[0] not in refs]


def _leases(store: Store, there: RemotePlace, branches: Sequence[str]) -> list[str]:
    """The options that let git replace branches: each only while it is as fetched, and only if it is memoir's."""
    tips = store.refs.list(f"{REMOTES}{there.remote}/") if branches else {}
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
        GitError: the remote could not be talked to. DamagedStore: this store is a clone, and is not sound. Conflict:
            the remote got what was purged here meanwhile.
    """
    checks.read_the_rest(store)
    refspecs = [f"+{where.heads}*:{REMOTES}{name}/*", writers.refspec(name)]
    with noticing_purge(store, name, where.heads):
        done = push_to(store, name, list(specs), *leases, refspecs=refspecs)
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
    if row.flag != "!" and row.ref.startswith((where.heads, where.tags, writers.WRITERS)):
        return SentRef(row.ref, _RESULTS.get(row.flag, row.status))
    if row.flag != "!":  # a hook, `proc-receive`, has put it elsewhere
        kept = f"{remote} keeps what was sent as {row.ref!r}, and its own refs are as they were"
        hint = "it may be for a review there: ask whoever keeps it to let you push"
        return SentRef(row.ref, "refused", GitError(kept, hint))
    short = row.ref.removeprefix(where.heads).removeprefix(where.tags)
    error = refusal(remote, short, row.status, stderr, is_tag=row.ref.startswith(where.tags))
    return SentRef(row.ref, "refused", error)
