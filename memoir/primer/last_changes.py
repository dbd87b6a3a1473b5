"""The last changes of a branch, by its commits and never by the clock."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memoir.memory import read
from memoir.memory.active import Facet, facets
from memoir.records.record import Record
from memoir.store.commit import BULK
from memoir.store.history import clear_changes
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, from_key
from memoir.tree.diff import diff

if TYPE_CHECKING:
    from memoir.store.commit import Commit

_MOST_COMMITS = 50
"""The commits that are looked at: what changed before them is not news."""


class PathChange(NamedTuple):
    """A path that a commit changed; or, without a place, a commit that changed very many."""

    place: Address | None
    commit: "Commit"
    paths: int = 1

    @property
    def subject(self) -> str:
        """The first line of the commit's message."""
        return self.commit.message.partition("\n")[0]


def last_changes(store: Store, snapshot: Snapshot) -> Iterator[PathChange]:
    """The changes of a snapshot's last commits, newest first, each path once; merges count as what they brought."""
    past_keys: set[bytes] = set()
    for commit in islice(_line(store, snapshot), _MOST_COMMITS):
        if commit.changes and commit.changes.bulk:
            yield PathChange(None, commit, commit.changes.bulk)
            continue
        for key in _keys(store, commit):
            if key not in past_keys:
                past_keys.add(key)
                yield PathChange(from_key(key), commit)


def news(store: Store, snapshot: Snapshot, changes: Iterable[PathChange]) -> dict[Address, Facet]:
    """What some of the last changes wrote: of several memories at a path, the last that the commit added or changed.

    A path that only lost memories has none.
    """
    commits = {change.place: change.commit for change in changes if change.place}
    written = {}
    for address, record in read.records(snapshot, commits, listed=True).items():
        active = list(facets(address, record))
        old = _before(store, commits[address], address) if len(active) > 1 else ()
        if fresh := [each for each in active if each.memory not in old]:
            written[address] = fresh[-1]
    return written


def _before(store: Store, commit: "Commit", address: Address) -> Record:
    """The record at an address before a commit; empty if there was none."""
    parent = store.of(next(iter(commit.parents), None))
    return read.records(parent, [address], listed=True).get(address, ())


def _line(store: Store, snapshot: Snapshot) -> "Iterator[Commit]":
    commit = snapshot.commit
    while commit:
        yield commit
        commit = store.commits(commit.parents[:1])[0] if commit.parents else None


def _keys(store: Store, commit: "Commit") -> list[bytes]:
    """The keys that a commit changed; a commit that does not say so reliably is compared with its parent."""
    (keys,) = clear_changes(store, [commit])
    if keys is not None:
        return list(keys)
    before = store.of(commit.parents[0]).tree if commit.parents else store.tree(None)
    return [delta.key for delta in islice(diff(before, store.of(commit.id).tree), BULK)]
