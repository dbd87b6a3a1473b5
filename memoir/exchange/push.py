"""Pushes branches and tags to another store through git, and explains refused refs.

A ref at the remote is replaced only if it is memoir's and unchanged since the last fetch, even with force. A push of a
ref fails because another push came first, because the remote could not write it, or because the remote refuses it.
Repeating helps in the first case, and perhaps in the second. A refusal by the remote's own rules is reported at once,
in the remote's own words.
"""

import re
from collections.abc import Iterable, Sequence
from shlex import quote
from typing import NamedTuple

from memoir.errors import Conflict, GitError, MemoirError, NotFound
from memoir.exchange.changed_branches import refuse_rewritten
from memoir.exchange.layout import BESIDE, PLAIN, Layout, RemotePlace, is_memoirs, place, require_merged
from memoir.exchange.purged_during_push import noticing_purge
from memoir.exchange.transport import not_talked, push_to
from memoir.exchange.writers import writer_refs
from memoir.git.git import output_lines
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES, TAGS
from memoir.repair import checks
from memoir.settings import REMOTE_WRITERS
from memoir.store.ancestry import is_ancestor
from memoir.store.store import Store
from memoir.visible import neutralise


class Rejection(Conflict):
    """The remote's ref has moved since this store saw it: another push came first."""


class Unwritable(GitError):
    """The remote could not write the ref, for example because another push held its lock."""


class Refusal(GitError):
    """The remote refuses the ref: by a hook or a limit, for a full disk, or as a hidden ref.

    Attributes:
        is_of_any: Whether it refuses any ref now, not by a rule for this one.
    """

    is_of_any = False


class OwnRefRefused(Refusal):
    """The remote refuses a writer's own ref; `sent` is the number of commits that its branch got anyway."""

    def __init__(self, error: Refusal, remote: str, branch: str, sent: int) -> None:
        self.sent = sent
        arrived = f"; what was sent is in {branch!r} all the same (commits: {sent})" if sent else ""
        hint = f"'memoir config {REMOTE_WRITERS.key_of(remote)} shared' sends to the branch itself"
        super().__init__(error.message + arrived, error.hint if re.search(_NO_ROOM, error.message) else hint)


_RACE = re.compile(
    r"\[rejected\]|incorrect old value|': reference already exists|\bis at [0-9a-f]{40,} but expected [0-9a-f]{40,}"
)
_NOT_WRITTEN = re.compile("failed to |reference already exists")
"""The beginning of a status if a ref could not be locked, written or updated; the second is for locks since git
2.51."""
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
"""The prefix of the remote git's message about a push that it could not store."""


def said(stderr: bytes) -> str:
    """The remote's own messages, made safe to show and limited in length; empty without any."""
    lines = stderr.decode("utf-8", "replace").splitlines()
    words = [word for line in lines if line.startswith("remote: ") and (word := line[len("remote: ") :].strip())]
    words = words or [line.removeprefix(_UNPACK) for line in lines if line.startswith(_UNPACK)]
    shown = [neutralise(word)[:_LONGEST] for word in words[:_MOST_LINES]]
    return "; ".join([*shown, "…"] if len(words) > _MOST_LINES else shown)


def refusal(remote: str, name: str, status: str, stderr: bytes, *, is_tag: bool = False) -> MemoirError:
    """The error for a ref that was not accepted.

    Args:
        remote: The remote.
        name: The branch or tag, as people write it.
        status: Its status from `git push --porcelain`, such as `[rejected] (fetch first)`.
        stderr: The messages of git and the remote.
        is_tag: Whether it is a tag.
    """
    words = said(stderr)
    why = re.sub(r"^\[[\w ]+\] ", "", status)
    why = neutralise(why[1:-1] if why.startswith("(") and why.endswith(")") else why)
    if _NEVER.search(words):
        return _refusal(remote, name, why, words)
    if _RACE.search(status) or _RACE.search(words):
        return _rejection(remote, name, why, is_tag=is_tag)
    if _NOT_WRITTEN.match(why):
        return _write_error(remote, name, why, words)
    return _refusal(remote, name, why, words)


def _rejection(remote: str, name: str, why: str, *, is_tag: bool) -> Rejection:
    hint = "run 'memoir pull', then push again"
    if why == "stale info":
        why, hint = (
            "it has moved since it was last fetched",
            f"see what is new with 'memoir fetch {remote}', then decide",
        )
    elif is_tag:
        hint = f"'memoir tag -d {quote(name)}' and 'memoir fetch {remote}' take the remote's"
    return Rejection(f"{remote} rejected {name!r}: {why}", hint)


def _write_error(remote: str, name: str, why: str, words: str) -> Unwritable:
    lock = _LOCK.search(words)
    if lock:
        return Unwritable(
            f"{remote} could not write {name!r}: its lock file {lock[1]} exists",
            "if nobody is writing there, remove the lock file at the remote: a push that was killed has left it",
        )
    hint = "if nobody is writing there, remove the lock file that a killed program left at the remote"
    return Unwritable(f"{remote} could not write {name!r}: {why}{_quoted(words)}", hint)


def _refusal(remote: str, name: str, why: str, words: str) -> Refusal:
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
    """Push branches (by default all) and tags; return each of the remote's refs with its result.

    With `force`, a remote branch is replaced if it has memory and is unchanged since the last fetch.

    Args:
        store: The store to push from.
        name: The remote.
        branches: Their names; by default all.
        tags: Whether to push all tags as well.
        force: Whether to drop commits that only the remote's branch has, and to send again those it has lost.
        commit: The commit to send instead of the branches' own, checked by a sync.
        at: The result of `place`, if the caller has it.

    Raises:
        Conflict: the remote has commits that this store lacks, or lost some that this store has.
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
    """Refuse to push to a branch with an ambiguous name, or one that would hide memory.

    Raises:
        Conflict: with the reason.
    """
    _refuse_ambiguous(there, [branch])
    if there.layout == BESIDE:
        _refuse_first(store, there, [branch])


def _refuse_ambiguous(there: RemotePlace, branches: Iterable[str]) -> None:
    """Refuse to push to branches whose full names are short names of others, such as `refs/heads/refs/heads/main`.

    git accepts both meanings, and cannot name the ref of a remote in another way.

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
    """Refuse to create a branch beside code if the plain branch of the same name has memory, which would be hidden."""
    for branch in branches:
        if BESIDE.heads + branch not in there.refs:
            stray = there.refs[BRANCHES + branch] if branch in there.strays else None
            require_merged(store, there.remote, branch, stray)


def delete(store: Store, name: str, branch: str, *, at: RemotePlace | None = None) -> list[tuple[str, str]]:
    """Delete a branch of memory at a remote, if unchanged since the last fetch, and the writers' refs of it.

    Raises:
        NotFound: no such remote, or no such branch at the last fetch. Conflict: writers have sent commits that the
            branch lacks. Conflict, GitError: as for `push`.
    """
    there = at or place(store, name)
    _refuse_ambiguous(there, [branch])
    tip = store.refs.read(f"{REMOTES}{name}/{branch}")
    if tip is None:
        raise NotFound(f"no branch {branch!r} was fetched from {name}", f"'memoir fetch {name}' first", revision=branch)
    own = writer_refs.listed(there.refs, branch)
    if more := [each for each, oid in own.items() if not (store.reader.has(oid) and is_ancestor(store, oid, tip))]:
        raise Conflict(
            f"{name}'s branch {branch!r} lacks what these writers have sent: {', '.join(sorted(more))}",
            f"'memoir checkout {quote(branch)}' and 'memoir fold {name}' bring it together; then delete it",
        )
    refs = {writer_refs.ref_of(writer, branch): oid for writer, oid in own.items()}
    specs = [f":{ref}" for ref in (f"{there.layout.heads}{branch}", *refs)]
    leases = [f"--force-with-lease={ref}:{oid}" for ref, oid in refs.items()]
    done = _push(store, name, there.layout, specs, [*_leases(store, there, [branch]), *leases])
    return [row for row in done if row[0] not in refs]


def _leases(store: Store, there: RemotePlace, branches: Sequence[str]) -> list[str]:
    """The options that let git replace branches, each only if memoir's and unchanged since the fetch."""
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
    """A ref of the remote after a push: its result, or the error if it was not accepted."""

    name: str
    result: str
    error: MemoirError | None = None


def _push(store: Store, name: str, where: Layout, specs: list[str], leases: list[str]) -> list[tuple[str, str]]:
    refs = send(store, name, where, specs, leases)
    if error := next((ref.error for ref in refs if ref.error), None):
        raise error
    return [(ref.name, ref.result) for ref in refs]


def send(store: Store, name: str, where: Layout, specs: Sequence[str], leases: Sequence[str] = ()) -> list[SentRef]:
    """Push refs independently: one that is refused has an error, and does not affect the others.

    Raises:
        GitError: the remote could not be contacted. DamagedStore: this store is a clone that is not sound. Conflict:
            the remote got memories that were purged here meanwhile.
    """
    checks.read_the_rest(store)
    refspecs = [f"+{where.heads}*:{REMOTES}{name}/*", writer_refs.refspec(name)]
    with noticing_purge(store, name, where.heads):
        done = push_to(store, name, list(specs), *leases, refspecs=refspecs)
    rows = [row for row in map(_parse_row, output_lines(done.stdout)) if row.ref]
    if done.returncode and not any(row.flag == "!" for row in rows):
        raise not_talked(store, name, done.stderr)
    return [_sent_ref(name, where, row, done.stderr) for row in rows]


class _Row(NamedTuple):
    """A line of `git push --porcelain`: flag, ref of the remote, status; empty for other lines."""

    flag: str
    ref: str
    status: str


def _parse_row(line: str) -> _Row:
    flag, to, status, *_ = line.split("\t") if line.count("\t") >= 2 else ["", "", ""]
    return _Row(flag, to.rpartition(":")[2], status)


def _sent_ref(remote: str, where: Layout, row: _Row, stderr: bytes) -> SentRef:
    if row.flag != "!" and row.ref.startswith((where.heads, where.tags, writer_refs.WRITERS)):
        return SentRef(row.ref, _RESULTS.get(row.flag, row.status))
    if row.flag != "!":  # a `proc-receive` hook has stored it elsewhere
        kept = f"{remote} keeps what was sent as {row.ref!r}, and its own refs are as they were"
        hint = "it may be for a review there: ask whoever keeps it to let you push"
        return SentRef(row.ref, "refused", GitError(kept, hint))
    short = row.ref.removeprefix(where.heads).removeprefix(where.tags)
    error = refusal(remote, short, row.status, stderr, is_tag=row.ref.startswith(where.tags))
    return SentRef(row.ref, "refused", error)
