"""Detects branches and writers' refs that were rewritten at a remote, as after `memoir purge`.

Lost commits must not be merged with the new ones, nor sent there again by any branch. A store that did not purge has no
tombstones, so the logs of fetched refs are used.
"""

from collections.abc import Collection, Iterable, Mapping
from shlex import quote

from memoir.errors import Conflict
from memoir.exchange.writers.writer_refs import is_commit
from memoir.git import reflog
from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED, REMOTES
from memoir.store.ancestry import is_ancestor
from memoir.store.store import Store
from memoir.store.three_way import merge_bases

_FORCED = b": forced-update"
"""The end of git's log line for a fetch that did not move a ref forward."""


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
