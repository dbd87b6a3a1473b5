"""Commits that another line has as well, made again there by a sync that did not come to its end, or from a copy.

A sync that is killed after its push, before it moves the branch, leaves commits here that the remote has in another
form. Whoever took them for new would bring back what was forgotten there since.
"""

from collections.abc import Mapping, Sequence

from memoir.git.objects import Oid
from memoir.store import history
from memoir.store.ancestry import beyond
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.three_way import merge_bases


def line(store: Store, tip: Oid, rows: Mapping[Oid, list[Oid]]) -> list[Commit]:
    """The commits of a tip's own line among some with their parents, the oldest first."""
    ids, parents = [], [tip]
    while parents and parents[0] in rows:
        ids.append(parents[0])
        parents = rows[parents[0]]
    return store.commits(ids[::-1])


def only_here(store: Store, commits: Sequence[Commit], theirs: Oid) -> list[Commit]:
    """Those of a line's commits that another line has not made again where it left this one."""
    if not commits:
        return []
    times = {each.author.time for each in commits}
    there = store.commits([*beyond(store, [theirs], [commits[-1].id])])
    known = {_deed(store, each) for each in there if each.author.time in times}
    return [each for each in commits if _deed(store, each) not in known] if known else [*commits]


def _deed(store: Store, commit: Commit) -> tuple[object, ...]:
    """Who did what and when, wherever in a history."""
    deltas = frozenset((delta.key, delta.new) for delta in history.changes(store, commit))
    return commit.author, commit.message, deltas


def common_commits(store: Store, ours: Oid, theirs: Oid) -> list[Oid]:
    """What two commits have in common: their merge bases, or ours up to where theirs has it all."""
    bases = [base.id for base in merge_bases(store, ours, theirs)]
    commits = line(store, ours, beyond(store, [ours], [theirs]))
    new = {each.id for each in only_here(store, commits, theirs)}
    done = [each for each in commits if each.id not in new]
    if done and done == commits[: len(done)]:
        bases = [done[-1].id, *(base for base in bases if base not in commits[0].parents)]
    return bases
