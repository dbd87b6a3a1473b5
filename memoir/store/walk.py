"""Walks the history: commits in git's order, only as many as needed, a long history with git's commit-graph."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from memoir.git.objects import Oid
from memoir.git.ref_names import NOTES
from memoir.store.change_table import Rest, Stop, WalkLostError
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.tree.node import NotMemoirs

_STRAIGHT, _FIRST_BATCH, _LARGEST_BATCH = 4, 16, 1000


def stops(store: Store, tip: Commit, rest: Callable[[Commit], Rest]) -> Iterator[list[Stop]]:
    """A walk that stops at every commit of the linear history from a tip, then at the stops of `rest`."""
    tail: list[Commit] = []
    for batch in _linear_part(store, tip):
        yield [Stop(commit.id, commit, commit.parents) for commit in (*tail, *batch[:-1])]
        tail = batch[-1:]
    (last,) = tail
    firsts, batches = rest(last) if last.parents else ((), ())
    yield [Stop(last.id, last, firsts)]
    yield from batches


def first_parents(store: Store, tip: Commit | None) -> Iterator[Commit]:
    """A commit, its first parent, the first parent of that, and so on; each is read on demand."""
    while tip:
        yield tip
        tip = store.commits(tip.parents[:1])[0] if tip.parents else None


def every_commit(store: Store, tip: Commit, last: Commit, *, bounded: bool) -> Rest:
    """The rest of a walk that stops at every commit. A bounded walk fails in a long history."""
    from memoir.store.ancestry import LONG

    def batches() -> Iterator[list[Stop]]:
        number = 0
        for ids in _ancestors(store, tip, last):
            number += len(ids)
            if bounded and number > LONG:
                raise WalkLostError
            yield [Stop(commit.id, commit, commit.parents) for commit in store.commits(ids)]

    return last.parents, batches()


def walk_commits(store: Store, tip: Commit, *, since: int | None = None, until: int | None = None) -> Iterator[Commit]:
    """Commits reachable from one, children before parents; most of those outside the times may be left out."""
    after = [f"--since-as-filter=@{since} +0000"] if since else []
    before = [f"--min-age={until}"] if until and until > 0 else []
    last = tip
    for batch in _linear_part(store, tip):
        last = batch[-1]
        yield from batch
    for ids in _ancestors(store, tip, last, *after, *before):
        yield from store.commits(ids)


def everything(store: Store, *which: str) -> Iterator[Commit]:
    """Commits reachable from revisions, by default from all refs and reflogs; children before parents.

    By default those of `git notes` are left out, because they have no memories.
    """
    notes = frozenset() if which else _commits_of_notes(store)
    for ids in _ids_in_batches(store, *(which or ("--all", "--reflog"))):
        yield from store.commits([each for each in ids if each not in notes])


def commits_of_memories(store: Store) -> Iterator[Commit]:
    """The commits of memories, not of pushed code, reachable from refs and reflogs; children before parents."""
    return (commit for commit in everything(store) if has_memories(store, commit))


def has_memories(store: Store, commit: Commit) -> bool:
    """Whether a commit has memories, even damaged ones; code that was pushed into the store has none."""
    try:
        _ = store.tree(commit.tree).top
    except NotMemoirs:
        return False
    return True


def _commits_of_notes(store: Store) -> frozenset[Oid]:
    """The commits reachable only from the refs of `git notes` and their logs."""
    refs = [NOTES + name for name in store.refs.list(NOTES)]
    if not refs:
        return frozenset()
    logs = store.git.read("rev-list", "--walk-reflogs", *refs, "--").decode().split()
    others = ("--not", f"--exclude={NOTES}*", "--all")
    return frozenset(each for ids in _ids_in_batches(store, *refs, *logs, *others) for each in ids)


def _linear_part(store: Store, tip: Commit) -> Iterator[list[Commit]]:
    """The first commits, as long as each has one parent; read without a further git process."""
    batch = [tip]
    for _ in range(_STRAIGHT):
        yield batch
        batch = _line(store, batch[-1])
        if not batch:
            return
    yield batch


def _line(store: Store, commit: Commit) -> list[Commit]:
    """Up to a batch of a commit's ancestors, as long as each has one parent."""
    line = [commit]
    while len(line) <= _FIRST_BATCH and len(line[-1].parents) == 1:
        line += store.commits(line[-1].parents)
    return line[1:]


def _ancestors(store: Store, tip: Commit, last: Commit, *how: str) -> Iterator[list[Oid]]:
    """Git's list of the ancestors of the linear part; in a long history, git's graph is written meanwhile."""
    if not last.parents:
        return
    from memoir.store.ancestry import LONG, count_commits, graph_options, refresh_graph

    flags, number = graph_options(store), 0
    for batch in _ids_in_batches(store, *how, *map(str, last.parents), options=flags):
        number += len(batch)
        if number - len(batch) <= LONG < number:
            refresh_graph(store, tip.id, flags)
        yield batch
    if not flags and number <= LONG and how:
        count_commits(store, tip.id)  # commits outside the times were left out, but count for the length


def _ids_in_batches(store: Store, *arguments: str, options: Sequence[str] = ()) -> Iterator[list[Oid]]:
    """The ids of git's list, in growing batches."""
    with store.git.stream(*options, "rev-list", "--topo-order", *arguments, "--") as lines:
        size = _FIRST_BATCH
        while batch := b"".join(islice(lines, size)).decode().splitlines():
            yield list(map(Oid.fromhex, batch))
            size = min(size * 4, _LARGEST_BATCH)
