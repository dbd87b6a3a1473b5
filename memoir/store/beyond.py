"""What some commits contain and others do not, whatever time their writers' clocks showed.

git lists commits by their dates and stops soon after the last new one. Where some are dated before all others, as by a
machine that takes 1970 for today, it stops too early: it lists old commits for new ones, and whoever made these again
would bring back what was forgotten meanwhile. So a list is checked, and made without the short cut if it is wrong.
"""

from collections.abc import Collection

from memoir.git.objects import Oid
from memoir.store.store import Store


def beyond(store: Store, tips: Collection[Oid], bases: Collection[Oid]) -> dict[Oid, list[Oid]]:
    """The commits that some tips contain and no base does, each with its parents."""
    rows = _walk(store, tips, bases)
    # If any is contained in a base, one is none of whose parents is listed: those below it are contained there as well.
    ends = {commit: {*parents} for commit, parents in rows.items() if not rows.keys() & parents}
    doubtful = [commit for commit, parents in ends.items() if parents.isdisjoint(bases) or len(bases) > 1]
    if bases and doubtful and not _independent(store, [*doubtful, *bases]).issuperset(doubtful):
        known = _walk(store, bases, [])
        return {commit: parents for commit, parents in _walk(store, tips, []).items() if commit not in known}
    return rows


def _walk(store: Store, tips: Collection[Oid], bases: Collection[Oid]) -> dict[Oid, list[Oid]]:
    from memoir.store.commit_graph import graph_options

    if not tips:
        return {}
    command = ("rev-list", "--parents", *map(str, tips), *(f"^{base}" for base in bases), "--")
    lines = store.git.read(*graph_options(store), *command).decode().splitlines()
    rows = (list(map(Oid.fromhex, line.split())) for line in lines)
    return {commit: parents for commit, *parents in rows}


def _independent(store: Store, commits: Collection[Oid]) -> set[Oid]:
    """Those of some commits that no other of them contains; for this git asks no dates."""
    from memoir.store.commit_graph import graph_options

    command = ("merge-base", "--independent", *map(str, commits))
    return set(map(Oid.fromhex, store.git.read(*graph_options(store), *command).decode().split()))
