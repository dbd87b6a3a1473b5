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


def refuse_rewritten(store: Store, remote: str, branch: str, ours: Oid | None) -> None:
    """Refuse to join a branch of a remote, and writers' refs of it, with commits that one had, and has no longer.

    Args:
        store: The store.
        remote: The remote.
        branch: The branch.
        ours: The commit that has them, or not.

    Raises:
        Conflict: there are such commits.
    """
    tips, own = _tips(store, remote), f"{REMOTES}{remote}/{branch}"
    writers = f"{FETCHED}{remote}/"
    refs = [ref for ref in tips if ref == own or ref.removeprefix(writers).partition("/")[2] == branch]
    for ref in refs if ours else ():
        _refuse(store, remote, ref, tips, {ours}, [own] if ref == own else tips)


def refuse_to_send(store: Store, remote: str, ours: Collection[Oid]) -> None:
    """Refuse to send commits to a remote that one of its refs had, and that none has any longer.

    Raises:
        Conflict: some of ours have such commits.
    """
    tips = _tips(store, remote)
    for ref in tips:
        _refuse(store, remote, ref, tips, ours, tips)


def _tips(store: Store, remote: str) -> dict[str, Oid]:
    """What was fetched of a remote's branches and of writers' refs there, by the full names of the refs here."""
    tops = (f"{REMOTES}{remote}/", f"{FETCHED}{remote}/")
    return {top + name: oid for top in tops for name, oid in store.refs.list(top).items()}


def _refuse(
    store: Store, remote: str, ref: str, tips: Mapping[str, Oid], ours: Iterable[Oid | None], keepers: Iterable[str]
) -> None:
    """Refuse what a ref has lost, and some other refs have not; not if ours has what is there now, too."""
    lines = reflog.lines(store.git_dir, ref)
    lost = [move.old for line in lines if line.endswith(_FORCED) and (move := reflog.parse(line)) and move.old]
    for each in filter(None, ours) if lost else ():
        if not is_commit(store, each) or is_ancestor(store, tips[ref], each):
            continue
        shared = (base.id for old in dict.fromkeys(reversed(lost)) for base in merge_bases(store, each, old))
        gone = next((base for base in shared if not any(is_ancestor(store, base, tips[at]) for at in keepers)), None)
        if gone:
            name = ref.removeprefix(REMOTES)
            raise Conflict(
                f"{name} was rewritten: it had commit {gone:.12}, which is here, and has it no longer",
                f"if something was purged there, purge it here too ('memoir purge KEY'), then sync; "
                f"if {remote} is back from an older backup, 'memoir merge {quote(name)}' joins both as they are",
            )
