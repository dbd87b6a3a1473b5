"""Commits that another line also has, replayed there by an interrupted sync, or from a copy of the store.

A sync killed after its push, before it moves the branch, leaves commits here that the remote has in another form.
Treating them as new would bring back memories forgotten there since. This module also finds published commits for undo
(`memoir.store.rewind.Published`).
"""

from collections.abc import Mapping, Sequence

from memoir.errors import DamagedStore
from memoir.git.objects import Oid
from memoir.git.ref_names import FETCHED
from memoir.repair.checks import value_problems
from memoir.store import history
from memoir.store.ancestry import beyond, independent
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.store.three_way import merge_bases
from memoir.store.transaction import StoredValue


def line(store: Store, tip: Oid, rows: Mapping[Oid, list[Oid]]) -> list[Commit]:
    """The commits on the first-parent line of a tip among `rows` (commits with their parents), oldest first."""
    ids, parents = [], [tip]
    while parents and parents[0] in rows:
        ids.append(parents[0])
        parents = rows[parents[0]]
    return store.commits(ids[::-1])


def only_here(store: Store, commits: Sequence[Commit], theirs: Oid) -> list[Commit]:
    """The commits of a line that the other line has not replayed since the two parted."""
    if not commits:
        return []
    times = {each.author.time for each in commits}
    there = store.commits([*beyond(store, [theirs], [commits[-1].id])])
    known = {_deed(store, each) for each in there if each.author.time in times}
    return [each for each in commits if _deed(store, each) not in known] if known else [*commits]


def _deed(store: Store, commit: Commit) -> tuple[object, ...]:
    """What identifies a commit at any place in a history: its author, message and changes."""
    deltas = frozenset((delta.key, delta.new) for delta in history.changes(store, commit))
    return commit.author, commit.message, deltas


def common_commits(store: Store, ours: Oid, theirs: Oid) -> list[Oid]:
    """The common commits of two: their merge bases, or our last commit whose line theirs has replayed completely."""
    bases = [base.id for base in merge_bases(store, ours, theirs)]
    commits = line(store, ours, beyond(store, [ours], [theirs]))
    new = {each.id for each in only_here(store, commits, theirs)}
    done = [each for each in commits if each.id not in new]
    if done and done == commits[: len(done)]:
        bases = [done[-1].id, *(base for base in bases if base not in commits[0].parents)]
    return bases


def holder(store: Store, branch: str, tip: Oid, kept: Oid | None) -> str | None:
    """A remote that has a commit of a tip's line that `kept` (None: nothing) lacks, also in a replayed form."""
    from memoir.exchange.remotes import remotes

    commits = line(store, tip, beyond(store, [tip], [kept] if kept else []))
    names = remotes(store) if commits else {}
    return next((name for name in names if _has_any(store, name, branch, commits)), None)


def _has_any(store: Store, remote: str, branch: str, commits: Sequence[Commit]) -> bool:
    from memoir.exchange import layout
    from memoir.exchange.writers import writer_refs

    own = [f"{FETCHED}{remote}/{writer}/{branch}" for writer in writer_refs.fetched(store, remote, branch)]
    first, tips = commits[0].id, {store.commit(ref).id for ref in (*layout.refs_of(store, remote, branch), *own)}
    if first in tips or first not in independent(store, {first, *tips}):
        return True
    return any(len(only_here(store, commits, tip)) < len(commits) for tip in tips)


def refuse_brought(store: Store, edits: Mapping[bytes, bytes | StoredValue | None]) -> None:
    """Refuse edits that bring back a damaged record of the past.

    Raises:
        DamagedStore: there is such a record; the error names the first.
    """
    values = [(key, edit.oid) for key, edit in edits.items() if isinstance(edit, StoredValue)]
    if problem := next(value_problems(store, values), None):
        raise DamagedStore(f"the memory to restore is damaged: {problem.text}", "restore the other paths one by one")
