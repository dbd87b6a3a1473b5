"""Detects branches that were renamed or rewritten at a remote, and refuses to sync them as if they were not.

Nothing is sent to a branch's old name, which nobody reads any more. Commits that a rewritten branch has lost, as after
`memoir purge`, are not merged with the new ones, nor sent there again by any branch. A store that did not purge has no
tombstones, so the logs of fetched refs are used.
"""

from collections.abc import Collection, Iterable, Mapping
from shlex import quote

from memoir.errors import Conflict
from memoir.exchange.layout import PLAIN, RemotePlace
from memoir.exchange.writers.writer_refs import is_commit
from memoir.git import reflog
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, FETCHED, REMOTES
from memoir.store.ancestry import is_ancestor
from memoir.store.store import Store
from memoir.store.three_way import merge_bases

_FORCED = b": forced-update"
"""The end of git's log line for a fetch that did not move a ref forward."""


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


def rename_hint(remote: str, branch: str, name: str) -> str:
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
        raise Conflict(message, rename_hint(there.remote, branch, name))


def refuse_rewritten(
    store: Store, remote: str, ours: Collection[Oid], *, joined: str | None = None, sent: bool = True
) -> None:
    """Refuse to send or merge commits that a ref of a remote had and has lost.

    A commit that another ref still has is not lost, except for the joined branch itself.

    Args:
        store: The store.
        remote: The remote.
        ours: The local commits to check.
        joined: The remote's branch to merge with, if any; writers' refs of it count as well.
        sent: Whether all other refs count, too.

    Raises:
        Conflict: there are such commits.
    """
    own, writers = joined and f"{REMOTES}{remote}/{joined}", f"{FETCHED}{remote}/"
    tips = {top + name: oid for top in (f"{REMOTES}{remote}/", writers) for name, oid in store.refs.list(top).items()}
    of_branch = [ref for ref in tips if ref == own or ref.removeprefix(writers).partition("/")[2] == joined]
    for ref in dict.fromkeys([*of_branch, *(tips if sent else ())]):
        _refuse_lost(store, remote, ref, tips, ours, [ref] if ref == own else tips)


def _refuse_lost(
    store: Store, remote: str, ref: str, tips: Mapping[str, Oid], ours: Iterable[Oid], keepers: Iterable[str]
) -> None:
    """Refuse commits that a ref has lost and no keeper has, unless ours contains the ref's new commit."""
    lines = reflog.lines(store.git_dir, ref)
    lost = [move.old for line in lines if line.endswith(_FORCED) and (move := reflog.parse(line)) and move.old]
    for each in ours if lost else ():
        if not is_commit(store, each) or is_ancestor(store, tips[ref], each):
            continue
        shared = (base.id for old in dict.fromkeys(reversed(lost)) for base in merge_bases(store, each, old))
        gone = next((base for base in shared if not any(is_ancestor(store, base, tips[at]) for at in keepers)), None)
        if gone:
            name = ref.removeprefix(REMOTES)
            raise Conflict(
                f"{name} was rewritten: it had commit {gone:.12}, which is here, and has it no longer",
                "if something was purged there, purge it here as well ('memoir purge KEY', or --whole as there), then "
                f"sync; if {remote} is back from an older backup, 'memoir merge {quote(name)}' joins both as they are",
            )
