"""Branches, and writers' refs, that were rewritten at a remote, as by what is to be run there after `memoir purge`.

What they have lost is not to be joined with what they have, nor sent there again, by whatever branch. A store where it
was not purged has no tombstones, so the logs of what was fetched have to tell.
"""

from collections.abc import Collection, Iterable, Mapping
from shlex import quote

from memoir.errors import Conflict
from memoir.exchange.writers import is_commit
from memoir.git import reflog
from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED, REMOTES
from memoir.store.ancestry import is_ancestor
from memoir.store.store import Store
from memoir.store.three_way import merge_bases

_FORCED = b": forced-update"
"""How git ends the line of a fetch that did not move a ref forward."""


def refuse_rewritten(
    store: Store, remote: str, ours: Collection[Oid], *, joined: str | None = None, sent: bool = True
) -> None:
    """Refuse to send commits to a remote, or to join them with a branch of it, that one of its refs had and has lost.

    What another ref still has is not lost; but what the joined branch itself has lost is, whatever others have.

    Args:
        store: The store.
        remote: The remote.
        ours: The commits that have them, or not.
        joined: The branch, if there is one; writers' refs of it count as well.
        sent: Whether every other ref counts, too.

    Raises:
        Conflict: there are such commits.
    """
    own, writers = joined and f"{REMOTES}{remote}/{joined}", f"{FETCHED}{remote}/"
    tips = {top + name: oid for top in (f"{REMOTES}{remote}/", writers) for name, oid in store.refs.list(top).items()}
    of_branch = [ref for ref in tips if ref == own or ref.removeprefix(writers).partition("/")[2] == joined]
    for ref in dict.fromkeys([*of_branch, *(tips if sent else ())]):
        _refuse(store, remote, ref, tips, ours, [ref] if ref == own else tips)


def _refuse(
    store: Store, remote: str, ref: str, tips: Mapping[str, Oid], ours: Iterable[Oid], keepers: Iterable[str]
) -> None:
    """Refuse what a ref has lost, and some other refs have not; not if ours has what is there now, too."""
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
