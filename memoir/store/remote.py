"""Fetching from other stores and pushing to them, through git.

git moves the objects; what a remote sent is checked before memoir builds on it.
"""

from typing import NamedTuple

from memoir.errors import Conflict, DamagedStore, GitError
from memoir.store.adopt import HINT, CheckValue, check
from memoir.store.commit import CommitId
from memoir.store.git import require_writable
from memoir.store.refs import BRANCHES, REMOTES
from memoir.store.remotes import require
from memoir.store.store import Store
from memoir.store.transport import fetch_from, push_to, unreachable


class Fetched(NamedTuple):
    """A remote branch that moved; `foreign` says what is wrong with its tree, `refused` that it cannot be adopted."""

    name: str
    old: CommitId | None
    new: CommitId | None
    foreign: str | None
    refused: bool


def fetch(store: Store, name: str, check_value: CheckValue) -> list[Fetched]:
    """Fetch a remote's branches and tags; what moved, sorted by name, each looked at.

    Raises:
        NotFound: no such remote. GitError: it could not be reached. DamagedStore: its history is cut off.
    """
    require(store, name)
    require_writable(store.git_dir)
    prefix = f"{REMOTES}{name}/"
    before = {ref.name: ref.commit for ref in store.refs.list(prefix)}
    fetch_from(store, name, [f"+{BRANCHES}*:{prefix}*"], "--prune")
    after = {ref.name: ref.commit for ref in store.refs.list(prefix)}
    moved = sorted(branch for branch in before.keys() | after.keys() if before.get(branch) != after.get(branch))
    return [Fetched(b, before.get(b), after.get(b), *_looked_at(store, after.get(b), check_value)) for b in moved]


def _looked_at(store: Store, commit_id: CommitId | None, check_value: CheckValue) -> tuple[str | None, bool]:
    """What is wrong with a commit from elsewhere, and whether that keeps it from being adopted."""
    if commit_id is None:
        return None, False
    try:
        return check(store, store.commits([commit_id])[0], store.head().tree, check_value), False
    except DamagedStore as error:
        return error.message, True


def refuse(found: list[Fetched]) -> None:
    """Say that what was fetched cannot be adopted.

    Raises:
        DamagedStore: there is such a branch; the first is named.
    """
    bad = [each for each in found if each.refused]
    if bad:
        more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
        raise DamagedStore(f"branch {bad[0].name!r} was fetched{more}, and {bad[0].foreign}", HINT)


def push(store: Store, name: str, refspecs: list[str], *, force: bool = False) -> list[tuple[str, str]]:
    """Push refs; each remote ref with what became of it (`new`, `updated`, `up to date`, `deleted`).

    Raises:
        Conflict: the remote has commits this store has not. NotFound, GitError: as for `fetch`.
    """
    url = require(store, name)
    done = push_to(store, name, refspecs, *(["--force-with-lease"] if force else []))
    results = [
        line.split("\t") for line in done.stdout.decode("utf-8", "replace").splitlines() if line.count("\t") >= 2
    ]
    if rejected := [(line[1], line[2]) for line in results if line[0] == "!"]:
        where, why = rejected[0][0], rejected[0][1].removeprefix("[rejected] ").strip("()")
        if why.startswith("[remote rejected] (failed to "):  # to lock, write or update: nothing that a pull mends
            branch = where.rpartition(":")[2].removeprefix(BRANCHES)
            raise GitError(
                f"{name} could not write {branch!r}: {why.removeprefix('[remote rejected] (')}",
                "if nobody writes there now, a killed program's lock file stands in the way: remove it at the remote",
            )
        raise Conflict(
            f"{name} rejected {where.rpartition(':')[2].removeprefix(BRANCHES)!r}: {why}",
            "'memoir pull' first, then push again",
        )
    if done.returncode:
        raise unreachable(name, url, done.stderr)
    said = {"*": "new", " ": "updated", "+": "updated", "=": "up to date", "-": "deleted"}
    return [(line[1].rpartition(":")[2], said.get(line[0], line[2])) for line in results]
