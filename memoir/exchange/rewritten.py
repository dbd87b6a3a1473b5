"""Branches, and writers' refs, that were rewritten at a remote, as by what is to be run there after `memoir purge`.

What they have lost is not to be joined with what they have, nor sent there again, by whatever branch. A store where it
was not purged has no tombstones, so the logs of what was fetched have to tell.
"""

from collections.abc import Collection
from shlex import quote

from memoir.errors import Conflict
from memoir.git import reflog
from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED, REMOTES
from memoir.store.ancestry import is_ancestor
from memoir.store.store import Store
from memoir.store.three_way import merge_bases

_FORCED = b": forced-update"
"""How git ends the line of a fetch that did not move a ref forward."""


def refuse_rewritten(store: Store, remote: str, branch: str, ours: Oid | None, *, sends: bool = False) -> None:
    """Refuse to join a branch of a remote, and writers' refs of it, with commits that one had, and has no longer.

    Args:
        store: The store.
        remote: The remote.
        branch: The branch.
        ours: The commit that has them, or not.
        sends: Whether it is to be sent there: then no ref of the remote may have lost what none of them has now.

    Raises:
        Conflict: there are such commits.
    """
    tops = (f"{REMOTES}{remote}/", f"{FETCHED}{remote}/")
    tips = {top + name: oid for top in tops for name, oid in store.refs.list(top).items()} if ours else {}
    own = f"{REMOTES}{remote}/{branch}"
    of_writers = {ref for ref in tips if ref.removeprefix(tops[1]).partition("/")[2] == branch}
    for ref in tips if sends else tips.keys() & {own, *of_writers}:
        kept = [tips[ref]] if ref == own else [*tips.values()]
        if ours and (gone := _find_lost(store, ref, tips[ref], ours, kept)):
            name = ref.removeprefix(REMOTES)
            raise Conflict(
                f"{name} was rewritten: it had commit {gone:.12}, which is here, and has it no longer",
                f"if something was purged there, purge it here too ('memoir purge KEY'), then sync; "
                f"if {remote} is back from an older backup, 'memoir merge {quote(name)}' joins both as they are",
            )


def _find_lost(store: Store, ref: str, tip: Oid, ours: Oid, kept: Collection[Oid]) -> Oid | None:
    """A commit that a ref of a remote has lost, and ours has; unless ours has what is there now, too."""
    lines = reflog.lines(store.git_dir, ref)
    lost = [move.old for line in lines if line.endswith(_FORCED) and (move := reflog.parse(line)) and move.old]
    if not lost or is_ancestor(store, tip, ours):
        return None
    shared = (base.id for old in dict.fromkeys(reversed(lost)) for base in merge_bases(store, ours, old))
    return next((each for each in shared if not any(is_ancestor(store, each, tip) for tip in kept)), None)
