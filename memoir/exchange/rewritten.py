"""A branch of a remote that lost commits which were fetched of it, as after `memoir purge` there.

Whoever joins it with a branch that still has these commits brings back what was taken out. A store where it was not
purged has no tombstones, so the log of what was fetched has to tell.
"""

from shlex import quote

from memoir.errors import Conflict
from memoir.git import reflog
from memoir.git.objects import REMOTES, Oid
from memoir.store.history import is_ancestor
from memoir.store.store import Store
from memoir.store.three_way import merge_bases

_FORCED = b": forced-update"
"""How git ends the line of a fetch that did not move a ref forward."""


def refuse_rewritten(store: Store, remote: str, branch: str, theirs: Oid) -> None:
    """Refuse what is at a remote's branch if it would be joined with commits that the branch had, and has no longer.

    Raises:
        Conflict: it would.
    """
    ours = store.head().commit
    lines = reflog.lines(store.git_dir, f"{REMOTES}{remote}/{branch}")
    lost = [move.old for line in lines if line.endswith(_FORCED) and (move := reflog.parse(line)) and move.old]
    if not ours or not lost or is_ancestor(store, theirs, ours.id):
        return
    for old in dict.fromkeys(reversed(lost)):
        shared = merge_bases(store, ours.id, old)
        if gone := next((each.id for each in shared if not is_ancestor(store, each.id, theirs)), None):
            whole = quote(f"{remote}/{branch}")
            raise Conflict(
                f"{remote}/{branch} was rewritten: it had commit {gone:.12}, which is here, and has it no longer",
                f"if something was purged there, purge it here too ('memoir purge KEY'), then sync; "
                f"if {remote} is back from an older backup, 'memoir merge {whole}' joins both as they are",
            )
