"""What `fsck` and whatever comes from elsewhere check alike: values with their keys, and the claims of a commit.

What is sound `memoir.memory.soundness` says; here values are read in batches of a bounded size. The claims of a commit
are the counts and cuts of its tree, and the keys it changed. Readers rely on both (`memoir.store.snapshot`,
`memoir.store.history`). So a commit from elsewhere whose claims are wrong goes on the list of those that are no longer
believed; what it holds is then read from its leaves.

A clone checks every commit, every tree and every key. Of a large one it leaves the values for later, so that it takes
hardly longer than git's; a mark in the store says that there are more. Until they have been read too, each one is
checked by whoever reads it (`Store.reader`), and nothing is sent to another store.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.git import many_blobs
from memoir.git.fsync import replace, sync
from memoir.git.objects import Oid, Unread
from memoir.memory.soundness import are_plain, fault
from memoir.store.commit import BULK, ChangeList, Commit
from memoir.store.history import is_believed
from memoir.store.snapshot import is_memoirs
from memoir.store.store import UNCHECKED, Store
from memoir.tree.node import EMPTY_BLOBS, TreeNode
from memoir.tree.shape import shape_problems
from memoir.tree.tree import Delta, Tree, diff

CheckValue = Callable[[bytes, bytes | None], str | None]
"""(key, value) -> what is wrong with the pair, or with the key alone if there is no value; None if nothing is."""

_EMPTY = frozenset(EMPTY_BLOBS)
_OWN = b"memoir:"
"""The namespaces of which not only memoir's records are to be checked."""
_BATCH = 500
_MOST_WRONG = 100
"""The most wrong commits that one past may have."""
_WHOLE = 20
"""How many malformed trees are read as a whole; a commit on top of a further one is not believed, without a look."""

_FAR_MORE = 64
AT_ONCE = 10_000
"""Of so many values a clone reads each itself, which takes it 0.1 s."""


class FewValues:
    """A check that takes some values, and of all others only their keys (`read_the_rest`).

    It takes those of a small store, and in any case what memoir keeps for itself, and what is empty: that is no value.
    """

    def __init__(self) -> None:
        self._most = AT_ONCE
        self.has_left = False
        """Whether it has left any."""

    def __call__(self, key: bytes, value: bytes | None) -> str | None:
        """What is wrong with a pair, or with a key alone."""
        return fault(key, value)

    def expect(self, number: int) -> None:
        """Take none of so many values, unless all of them can be taken."""
        if number > self._most:
            self._most = 0

    def leaves(self, leaf: TreeNode) -> bool:
        """Whether it leaves every value of a leaf for later, and there is nothing wrong with a key."""
        if self._most or not are_plain(leaf.keys) or leaf.holds_any(EMPTY_BLOBS):
            return False
        self.has_left = True
        return True

    def taken(self, pairs: Iterable[tuple[bytes, Oid]], problems: "list[ValueProblem]") -> Iterator[tuple[bytes, Oid]]:
        """The pairs whose values are to be read, up to one of the others that has a fault in its key."""
        rest = iter(pairs)
        for pair in islice(rest, self._most):
            self._most -= 1
            yield pair
        for pair in rest:
            key, oid = pair
            if oid in _EMPTY or key.startswith(_OWN):
                yield pair
            elif problem := fault(key, None):
                problems.append(ValueProblem.of(pair, problem))
                return
            else:
                self.has_left = True


class ValueProblem(NamedTuple):
    """A key and value that do not belong in a store, and why; the text names the key."""

    pair: tuple[bytes, Oid]
    text: str

    @classmethod
    def of(cls, pair: tuple[bytes, Oid], problem: str) -> "ValueProblem":
        """The problem of a pair, in words that name its key."""
        return cls(pair, f"{quote_key(pair[0])}: {problem}")


def value_problems(
    store: Store, pairs: Iterable[tuple[bytes, Oid]], check_value: CheckValue = fault
) -> Iterator[ValueProblem]:
    """The faults of values and of their keys; few of them are in memory at a time."""
    of_keys: list[ValueProblem] = []
    wanted = check_value.taken(pairs, of_keys) if isinstance(check_value, FewValues) else pairs
    for pair, value in many_blobs.contents(store.reader, wanted):
        if problem := value.reason if isinstance(value, Unread) else check_value(pair[0], value):
            yield ValueProblem.of(pair, problem)
    yield from of_keys


def quote_key(key: bytes) -> str:
    """A key as people are shown it."""
    return repr(key.replace(b"=", b":", 1).decode(errors="replace"))


def distrust_wrong(store: Store, commits: Iterable[Oid], known: Tree) -> None:
    """Put on the list those commits that misstate their trees or what they changed; parents come before children.

    Each is compared with its first parent, so it costs O(changes * log n), and with a `known` sound tree, such as that
    of the tip: of a commit that brought most of what is there, only what has changed since is opened.

    Raises:
        DamagedStore: there are too many of them, or a commit's tree cannot be read.
    """
    check, rest, wrong = _Check(store, known), iter(commits), 0
    while batch := store.commits(list(islice(rest, _BATCH))):
        by_id = {commit.id: commit for commit in batch}
        others = {parent for commit in batch for parent in commit.parents[:1]} - by_id.keys()
        by_id |= {commit.id: commit for commit in store.commits(list(others))}
        for commit in batch:
            wrong += check.distrust_if_wrong(commit, by_id[commit.parents[0]] if commit.parents else None)
            if wrong > _MOST_WRONG:
                raise DamagedStore(f"more than {_MOST_WRONG} commits before it misstate what they hold or changed")


class _Check:
    """Looks at commits one after the other, parents before children."""

    def __init__(self, store: Store, known: Tree) -> None:
        self._store = store
        self._known = known
        self._sound: set[Oid] = set()
        self._whole = _WHOLE

    def distrust_if_wrong(self, commit: Commit, parent: Commit | None) -> bool:
        """Put a commit on the list if it is believed and should not be; whether it is known to be wrong."""
        if not is_believed(self._store, commit, parent and parent.tree):
            return commit.id in self._store.distrusted
        before = self._tree_before(parent)
        if before and self._is_right(commit, before, parent and parent.tree):
            self._sound.add(commit.id)
            return False
        self._store.distrust(commit.id)
        return before is not None

    def _tree_before(self, parent: Commit | None) -> Tree | None:
        """The sound tree of a commit's parent, or None if it is not worth finding out."""
        if parent is None or parent.id in self._sound:
            return self._store.tree(parent and parent.tree)
        (data,) = self._store.reader.read([parent.id], "commit")
        if parent.id in self._store.distrusted or not is_memoirs(self._store.reader, data):
            if not self._whole:
                return None
            self._whole -= 1
        return self._store.of(parent.id).tree

    def _is_right(self, commit: Commit, before: Tree, base: Oid | None) -> bool:
        """Whether a commit's tree is in shape, and its trailers name what it changed; `before` is its parent's tree."""
        tree = self._store.tree(commit.tree)
        trusted = [before, self._known] if before.root == base else [self._known]
        if next(shape_problems(tree, *trusted), None):
            return False
        return next(change_list_problems(commit.changes, base, Deltas(before, tree)), None) is None


class Deltas:
    """The differences of two trees, which can be counted, and gone through again and again; `after` is in shape."""

    def __init__(self, before: Tree, after: Tree) -> None:
        self._before, self._after = before, after

    def __len__(self) -> int:
        """How many there are; where hardly a leaf has a key that was there before, few are opened."""
        total = self._after.count()
        if self._before.count() * _FAR_MORE > total:
            return sum(1 for _ in self)
        before = dict(self._before.scan())
        after = self._after.get(before)
        same = sum(after.get(key) == oid for key, oid in before.items())
        return total + len(before) - len(after) - same

    def __iter__(self) -> Iterator[Delta]:
        if self._before.root:
            return diff(self._before, self._after)
        return (Delta(key, None, oid) for key, oid in self._after.scan())  # they are not held together


def change_list_problems(changes: ChangeList | None, base: Oid | None, deltas: Deltas | list[Delta]) -> Iterator[str]:
    """How a commit's trailers misstate what it changed.

    A commit without a list, or with another base, is a foreign one: allowed, and never believed.
    """
    if changes is None or changes.base != base:
        return
    if changes.bulk is not None:
        number = len(deltas)
        if changes.bulk != number or (0 < number <= BULK):
            yield f"its trailers count {changes.bulk} changes and it made {number}"
        return
    rows = [(delta.key, delta.new is not None) for delta in deltas]
    put, forget = (tuple(key for key, is_put in rows if is_put == wanted) for wanted in (True, False))
    if (changes.put, changes.forget) != (put, forget):
        yield "its trailers do not name the keys it changed"


HINT = (
    "delete this clone; 'memoir export' takes out what is new here. In the store that it is of, 'memoir fsck' names the"
    " faults, 'memoir forget KEY' removes one, and 'memoir export' and 'import' into a new store leave out those of"
    " older commits"
)


def mark_unchecked(git_dir: Path, tips: Iterable[Oid]) -> None:
    """Note that not every value that leads to some commits has been read."""
    replace(git_dir / UNCHECKED, b"".join(b"%s\n" % tip.hex().encode() for tip in tips))


def read_the_rest(store: Store, check_value: CheckValue = fault) -> None:
    """Read every value that was left, if there are any.

    Raises:
        DamagedStore: one is malformed, and the store stays as it is; or an object is missing.
    """
    if not store.is_unchecked:
        return
    with suppress(FileNotFoundError):  # another process has read them meanwhile
        tips = (store.git_dir / UNCHECKED).read_text("ascii").split()
        if problem := next(value_problems(store, _values(store, tips), check_value), None):
            raise DamagedStore(f"this clone is not sound: {problem.text}", HINT)
    mark_checked(store)


def mark_checked(store: Store) -> None:
    """Note that every value has been read."""
    if store.is_unchecked:
        (store.git_dir / UNCHECKED).unlink(missing_ok=True)
        sync(store.git_dir)
        store.is_unchecked = False
        store.reader.check_blobs(None)


def _values(store: Store, tips: Iterable[str]) -> Iterator[tuple[bytes, Oid]]:
    """Each value that leads to some commits, with a key at which it stands; the trees have been checked."""
    how = ("--objects", "--filter=object:type=blob", "--filter-provided-objects")
    with store.git.stream("rev-list", *how, *tips, "--") as lines:
        for line in lines:
            oid, _, path = line.rstrip(b"\n").partition(b" ")
            if (value := Oid.fromhex(oid.decode())) not in _EMPTY:
                yield path.rpartition(b"/")[2], value
