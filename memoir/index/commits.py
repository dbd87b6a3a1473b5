"""The table of commits: which of them may have changed a key, so that searches skip most of a long history.

It is derived data, and its name, pages and schema are checked like those of the index. If anything is wrong with it,
the walk reads every commit instead, with the same answer. It is built in pieces, oldest commits first; after a process
was killed, the next one continues from there.

The table also keeps the order in which git lists a history. Commits are numbered, parents before children. A commit
whose only parent has the number before its own needs no entry; every other one is a *joint*. So a linear history of any
length is one block, and finding what a tip reaches costs nothing.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import DamagedStore, MemoirError, ReadOnlyStore
from memoir.git.objects import Oid
from memoir.index.location import commits_file
from memoir.store.change_table import Range, Rest, Stop, WalkLostError
from memoir.store.commit import Commit
from memoir.store.history import clear_changes
from memoir.store.store import Store
from memoir.store.walk import everything
from memoir.tree.tree import diff

if TYPE_CHECKING:
    import apsw


class TableLimits(NamedTuple):
    """The sizes of the table's notes and reads."""

    keys: int = 100
    """The most keys noted of a commit; one with more is noted as `unclear` and always read."""
    batch: int = 1000
    """Commits that one transaction adds."""
    first_read: int = 16
    """Commits that are read in the first batch; later batches grow."""
    largest_read: int = 1000
    heads: int = 100
    """The newest known heads, at which git is told to stop; other known commits are skipped one by one."""


TABLE_LIMITS = TableLimits()

_CANDIDATES = """
WITH RECURSIVE old(key) AS (
    SELECT old FROM moved WHERE new >= ?1 AND new < ?2 UNION SELECT moved.old FROM moved JOIN old ON moved.new = old.key
)
SELECT number FROM changed WHERE key >= ?1 AND key < ?2
UNION SELECT number FROM changed JOIN old USING (key)
UNION SELECT number FROM unclear
"""


class CommitTable:
    """A store's table, for walks of the history (`memoir.store.change_table.ChangeTable`)."""

    def __init__(self, store: Store, limits: TableLimits = TABLE_LIMITS) -> None:
        """Take a store; the table is opened on first use."""
        self._store = store
        self._limits = limits
        self._is_lost = False

    def exists(self) -> bool:
        """See `ChangeTable`."""
        try:
            return commits_file(self._store.git_dir).exists()
        except ReadOnlyStore:
            return False

    def rest(self, tip: Oid, ranges: Collection[Range], last: Commit) -> Rest:
        """See `ChangeTable`."""
        from memoir.index import database as files

        with self._opened() as database:
            _bring_to(database, self._store, tip, self._limits)
            newest_first = sorted(self._store.commits(last.parents), key=lambda parent: -parent.committer.time)
            tips = [_number(database, parent.id) for parent in newest_first]  # in git's order
            with files.reading(database):
                numbers = _candidates(database, ranges, self._store.distrusted)
                candidates = CommitCandidates(blocks(_joints(database), tips), numbers)
            firsts = [candidates.firsts[_number(database, parent)] for parent in last.parents]
            return firsts, self._read(candidates.stops())

    def _read(self, stops: Iterator[tuple[int, Sequence[int | None]]]) -> Iterator[list[Stop]]:
        """Read the commits with the given numbers, in growing batches."""
        size = self._limits.first_read
        while batch := list(islice(stops, size)):
            with self._opened() as database:
                ids = [_id(database, number) for number, _ in batch]
            commits = self._store.commits(ids)
            yield [Stop(number, commit, below) for (number, below), commit in zip(batch, commits, strict=True)]
            size = min(size * 4, self._limits.largest_read)

    @contextmanager
    def _opened(self) -> "Iterator[apsw.Connection]":
        """The table, opened."""
        import apsw

        try:
            if self._is_lost:
                raise WalkLostError
            with closing(_connect(self._store)) as database:
                yield database
        except (apsw.CorruptError, apsw.NotADBError, DamagedStore, TypeError, ValueError, KeyError) as error:
            self._is_lost = True
            self._discard()
            raise WalkLostError from error
        except (apsw.Error, ReadOnlyStore, OSError) as error:
            self._is_lost = True
            raise WalkLostError from error

    def _discard(self) -> None:
        from memoir.index import database as files

        try:
            files.discard_commits(self._store.git_dir)
        except (ReadOnlyStore, OSError):
            return


def _connect(store: Store) -> "apsw.Connection":
    from memoir.index import database as files
    from memoir.index.schema import COMMITS

    return files.open_checked(store.git_dir, commits_file(store.git_dir), COMMITS, vectors=False)


def _candidates(database: "apsw.Connection", ranges: Collection[Range], suspects: Collection[Oid]) -> list[int]:
    """The numbers of the commits that may have changed a key in the ranges, ascending."""
    numbers = {number for keys in ranges for (number,) in database.execute(_CANDIDATES, keys)}
    numbers |= {number for commit in suspects for (number,) in database.execute(_NUMBER, (commit,))}
    return sorted(numbers)


def _joints(database: "apsw.Connection") -> dict[int, list[int]]:
    joints: dict[int, list[int]] = {}
    for number, parent in database.execute("SELECT number, parent FROM joint ORDER BY number, place"):
        joints.setdefault(number, [])
        if parent:
            joints[number].append(parent)
    return joints


_NUMBER = "SELECT number FROM known WHERE id = ?"


def _find(database: "apsw.Connection", commit: Oid) -> int | None:
    number: int | None = database.execute(_NUMBER, (commit,)).get
    return number


def _number(database: "apsw.Connection", commit: Oid) -> int:
    number = _find(database, commit)
    if number is None:
        raise KeyError(commit)
    return number


def _id(database: "apsw.Connection", number: int) -> Oid:
    value = database.execute("SELECT id FROM known WHERE number = ?", (number,)).get
    if not isinstance(value, bytes):
        raise KeyError(number)
    return Oid(value)


def _bring_to(database: "apsw.Connection", store: Store, tip: Oid, limits: TableLimits) -> None:
    """Add all commits that a tip reaches to the table."""
    from memoir.index import database as files

    if _find(database, tip) is not None:
        return
    known = [f"^{head}" for head in _heads(database, limits.heads)]
    commits = everything(store, "--reverse", "--ignore-missing", str(tip), *known)
    while batch := list(islice(commits, limits.batch)):
        with files.writing(database):
            new = [commit for commit in batch if _find(database, commit.id) is None]
            _add_commits(database, store, new, limits.keys)


def _heads(database: "apsw.Connection", most: int) -> list[Oid]:
    """The newest known commits without known children."""
    sql = """
    SELECT id FROM known WHERE number IN (
        SELECT number - 1 FROM joint UNION SELECT max(number) FROM known EXCEPT SELECT parent FROM joint
    ) ORDER BY number DESC LIMIT ?"""
    return [Oid(head) for (head,) in database.execute(sql, (most,))]


def _add_commits(database: "apsw.Connection", store: Store, commits: Sequence[Commit], most_keys: int) -> None:
    """Add commits, parents before children."""
    newest = int(database.execute("SELECT max(number) FROM known").get or 0)
    for number, (commit, keys) in enumerate(zip(commits, clear_changes(store, commits), strict=True), newest + 1):
        database.execute("INSERT INTO known VALUES(?, ?)", (number, commit.id))
        parents = [_number(database, parent) for parent in commit.parents] or [0]
        if parents != [number - 1] or number == 1:
            rows = [(number, position, parent) for position, parent in enumerate(parents)]
            database.executemany("INSERT INTO joint VALUES(?, ?, ?)", rows)
        if len(commit.parents) > 1:
            keys = _keys_of_merge(store, commit, keys or (), most_keys)
        if keys is None or len(keys) > most_keys:
            database.execute("INSERT INTO unclear VALUES(?)", (number,))
        else:
            database.executemany("INSERT OR IGNORE INTO changed VALUES(?, ?)", [(key, number) for key in keys])
        moves = commit.changes.moves if commit.changes else ()
        database.executemany("INSERT OR IGNORE INTO moved(old, new) VALUES(?, ?)", moves)


def _keys_of_merge(store: Store, commit: Commit, keys: tuple[bytes, ...], most: int) -> tuple[bytes, ...] | None:
    """The keys at which a merge differs from any parent, and those it lists; None if too many or a tree is damaged.

    A key with the same value in all parents came from each of them, so a search continues at the first parent.
    """
    try:
        tree = store.of(commit.id).tree
        deltas = chain.from_iterable(diff(store.of(parent).tree, tree) for parent in commit.parents)
        all_keys = (*keys, *(delta.key for delta in islice(deltas, most + 1)))
    except MemoirError:
        return None
    return all_keys if len(all_keys) <= most else None


Joints = Mapping[int, Sequence[int]]
"""The parents of each joint, by its number."""


class CommitBlock(NamedTuple):
    """The commits numbered `low` to `high`, each the only parent of the next; `parents` are those of the first."""

    low: int
    high: int
    parents: Sequence[int]


def blocks(joints: Joints, tips: Sequence[int]) -> list[CommitBlock]:
    """The blocks that the tips reach, in the order of `git rev-list --topo-order`. Every parent ends a block.

    Raises:
        ValueError: a parent's number is not below its child's.
    """
    if 1 not in joints or any(not 0 < parent < child for child, parents in joints.items() for parent in parents):
        raise ValueError("every commit but a first one has parents with lower numbers")
    by_end = _find_blocks(joints, tips)
    children = Counter(parent for block in by_end.values() for parent in block.parents)
    return list(_sort(by_end, children, tips))


def _find_blocks(joints: Joints, tips: Sequence[int]) -> dict[int, CommitBlock]:
    """The blocks that the tips reach, by the number of their last commit."""
    ends = {*tips, *(parent for parents in joints.values() for parent in parents), *(low - 1 for low in joints)}
    edges = sorted(end for end in ends if 0 <= end <= max(tips))
    by_end: dict[int, CommitBlock] = {}
    stack = list(tips)
    while stack:
        high = stack.pop()
        if high not in by_end:
            before = edges[bisect_right(edges, high - 1) - 1]
            by_end[high] = CommitBlock(before + 1, high, joints.get(before + 1, (before,)))
            stack += by_end[high].parents
    return by_end


def _sort(blocks: Mapping[int, CommitBlock], children: Counter[int], tips: Iterable[int]) -> Iterator[CommitBlock]:
    """The blocks, children first; among several possible next ones, the one whose last child came latest."""
    ready = [tip for tip in dict.fromkeys(tips) if not children[tip]][::-1]
    while ready:
        block = blocks[ready.pop()]
        yield block
        for parent in block.parents:
            children[parent] -= 1
            if not children[parent]:
                ready.append(parent)


class CommitCandidates:
    """Candidate commits in the blocks of a history, and the next candidates below each.

    A merge that is no candidate equals all its parents in the keys searched, so it leads to its first parent.
    """

    def __init__(self, order: Sequence[CommitBlock], numbers: Sequence[int]) -> None:
        self._order, self._numbers = order, numbers
        self.firsts: dict[int, int | None] = {}
        """The first candidate at or below the last commit of each block."""
        for block in reversed(order):
            members = self._within(block)
            self.firsts[block.high] = members[-1] if members else self._below(block)[0]

    def stops(self) -> Iterator[tuple[int, Sequence[int | None]]]:
        """The candidates in the order of the blocks, each with the next candidate below every parent."""
        for block in self._order:
            members = self._within(block)
            for number, successor in zip(members[:0:-1], members[-2::-1], strict=True):
                yield number, (successor,)
            if members:
                below = self._below(block)
                yield members[0], below[: len(block.parents)] if members[0] == block.low else below[:1]

    def _within(self, block: CommitBlock) -> list[int]:
        start, end = bisect_left(self._numbers, block.low), bisect_right(self._numbers, block.high)
        return list(self._numbers[start:end])

    def _below(self, block: CommitBlock) -> Sequence[int | None]:
        """The first candidates below a block, one for each parent; [None] for a block without parents."""
        return [self.firsts[parent] for parent in block.parents] or [None]
