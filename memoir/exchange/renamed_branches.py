"""Detects a branch that was renamed at a remote, so that nothing is sent to the old name, which is no longer read."""

from shlex import quote

from memoir.errors import Conflict
from memoir.exchange.layout import PLAIN, RemotePlace
from memoir.git.ref_names import BRANCHES, REMOTES
from memoir.store.store import Store
from memoir.store.three_way import merge_bases


def new_name(store: Store, there: RemotePlace, branch: str) -> str | None:
    """The new name of a branch that a remote seems to have renamed; None if the branch exists there or is new.

    It is the branch of the remote's HEAD, if no local branch has that name but both share history. Only the local
    HEAD's branch is considered: other branches are often newly named, for an agent or after a branch of the code.
    """
    name = there.head
    if there.layout != PLAIN or not name or BRANCHES + branch in there.refs or branch != store.refs.current:
        return None
    if store.refs.read(BRANCHES + name):
        return None
    ours, theirs = store.refs.read(BRANCHES + branch), store.refs.read(f"{REMOTES}{there.remote}/{name}")
    return name if ours and theirs and merge_bases(store, ours, theirs) else None


def hint(remote: str, branch: str, name: str) -> str:
    """A hint for a branch that a remote seems to have renamed to `name`."""
    rename = f"'memoir branch -m {quote(branch)} {quote(name)}'"
    return f"if it was renamed there, {rename} does so here; 'memoir push {remote} {quote(branch)}' makes it there anew"


def refuse_renamed(store: Store, there: RemotePlace, branch: str) -> None:
    """Refuse to create a branch at a remote that seems to have renamed it.

    Raises:
        Conflict: the branch seems to be renamed.
    """
    if name := new_name(store, there, branch):
        message = f"{there.remote} has no branch {branch!r}, but {name!r}, which goes back to the same memories"
        raise Conflict(message, hint(there.remote, branch, name))
