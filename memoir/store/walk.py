"""Walking history: commits in git's order, and reading no more of them than need be."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Protocol

from memoir.store import graph
from memoir.store.commit import Commit, CommitId
from memoir.store.store import Store

_STRAIGHT, _FIRST_BATCH, _LARGEST_BATCH = 4, 16, 1000

Range = tuple[bytes, bytes]
"""The keys with low <= key < high."""


class ChangeTable(Protocol):
    """Knows which commits may have changed a key, so that the others need not be read."""

    def touching(self, tip: CommitId, keys: Range, *, walked: int) -> Collection[CommitId] | None:
        """Every commit that a tip reaches and that may have changed a key of a range, and perhaps others.

        That is each one that names such a key, and each whose change list leaves anything open. None: there is no
        telling. `walked` commits have been read so far.
        """
        ...


Unread = str
"""A commit that was not read, because it has changed none of the keys that are wanted: its id and its parents'."""


class Sieve:
    """Decides which commits of a walk to read. What the table does not know is read, so it never changes an answer."""

    def __init__(self, store: Store, tip: CommitId, table: ChangeTable | None, wanted: Collection[Range]) -> None:
        self.wanted = set(wanted)
        self._store, self._tip, self._table = store, tip, table
        self.known: set[Range] = set()
        """Ranges in which a commit that was not read has changed nothing."""
        self._chosen: set[CommitId] = set()
        self._walked = 0

    def sift(self, commits: Sequence[Unread]) -> list[Commit | Unread]:
        """Read those commits that may have changed something that is wanted."""
        self._look_up()
        self._walked += len(commits)
        length = 2 * self._store.id_size
        ids = [commit[:length] for commit in commits]
        chosen = list(self._chosen.intersection(ids)) if self.wanted <= self.known else ids
        if not chosen:
            return list(commits)
        read = dict(zip(chosen, self._store.commits(chosen), strict=True))
        return [read.get(name, commit) for name, commit in zip(ids, commits, strict=True)]

    def _look_up(self) -> None:
        for keys in self.wanted - self.known if self._table else ():
            assert self._table
            found = self._table.touching(self._tip, keys, walked=self._walked)
            if found is not None:
                self.known.add(keys)
                self._chosen.update(found, self._store.liars)


def walk(store: Store, tip: Commit, *, since: int | None = None, until: int | None = None) -> Iterator[Commit]:
    """Commits reachable from one, children before parents; most of those outside a time may be left out."""
    after = [f"--since-as-filter=@{since} +0000"] if since else []
    before = [f"--min-age={until}"] if until and until > 0 else []
    last = tip
    for batch in _straight(store, tip):
        last = batch[-1]
        yield from batch
    for lines in _behind(store, tip, last, *after, *before):
        yield from store.commits(lines)


def sifted(store: Store, tip: Commit, sieve: Sieve) -> Iterator[list[Commit | Unread]]:
    """The same walk in batches, in which what a sieve holds back is not read."""
    last = tip
    for batch in _straight(store, tip):
        last = batch[-1]
        yield list(batch)
    for lines in _behind(store, tip, last, "--parents"):
        yield sieve.sift(lines)


def everything(store: Store, *which: str) -> Iterator[Commit]:
    """Commits that some revisions reach, by default all refs and reflogs; children before parents."""
    for lines in _listed(store, *(which or ("--all", "--reflog"))):
        yield from store.commits(lines)


def count(store: Store, commit: CommitId) -> int:
    """How many commits are reachable from one."""
    believed = graph.options(store)
    number = int(store.git.read(*believed, "rev-list", "--count", commit, "--"))
    if number > graph.LONG:
        graph.refresh(store, commit, believed)
    return number


def _straight(store: Store, tip: Commit) -> Iterator[list[Commit]]:
    """The first commits, as far as each has one parent: they need no further process."""
    batch = [tip]
    for _ in range(_STRAIGHT):
        yield batch
        batch = _line(store, batch[-1])
        if not batch:
            return
    yield batch


def _line(store: Store, commit: Commit) -> list[Commit]:
    """Up to a batch of a commit's ancestors, as far as each has one parent."""
    line = [commit]
    while len(line) <= _FIRST_BATCH and len(line[-1].parents) == 1:
        line += store.commits(line[-1].parents)
    return line[1:]


def _behind(store: Store, tip: Commit, last: Commit, *how: str) -> Iterator[list[str]]:
    """Git's list of what lies behind the straight line; in a long history git gets its graph meanwhile."""
    if not last.parents:
        return
    believed, seen = graph.options(store), 0
    for batch in _listed(store, *how, *last.parents, options=believed):
        seen += len(batch)
        if seen - len(batch) <= graph.LONG < seen:
            graph.refresh(store, tip.id, believed)
        yield batch
    if not believed and seen <= graph.LONG and any("=" in option for option in how):
        count(store, tip.id)  # commits of another time were left out, and make a history long as well


def _listed(store: Store, *arguments: str, options: Sequence[str] = ()) -> Iterator[list[str]]:
    """The lines of git's list, in batches that grow."""
    process = store.git.start(*options, "rev-list", "--topo-order", *arguments, "--")
    assert process.stdout
    try:
        size = _FIRST_BATCH
        while batch := b"".join(islice(process.stdout, size)).decode().splitlines():
            yield batch
            size = min(size * 4, _LARGEST_BATCH)
        store.git.check(process, "rev-list")
    finally:
        store.git.reap(process)
