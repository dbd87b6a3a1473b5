"""Checks shared by `fsck` and by everything that takes in foreign commits: values with their keys, and commits' claims.

`memoir.memory.soundness` defines which values are sound; here they are read in batches of a bounded size. The claims of
a commit are the counts and boundaries of its tree, and the keys it changed. Readers rely on both
(`memoir.store.snapshot`, `memoir.store.history`). So a foreign commit with wrong claims goes on the list of distrusted
commits; then its memories are read from its leaves.

A clone checks every commit, every tree and every key. In a large store it leaves the values for later, so that it takes
hardly longer than git's clone, and marks the store as unchecked. Until all values have been checked, each one is
checked when it is read (`Store.reader`), and nothing is sent to another store.
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
"""A function (key, value) that returns the fault of the pair, or of only the key if the value is None; None if
sound."""

_EMPTY = frozenset(EMPTY_BLOBS)
_OWN = b"memoir:"
"""The prefix of memoir's own namespaces, whose values are always checked."""
_BATCH = 500
_MOST_WRONG = 100
"""The most wrong commits in one history."""
_WHOLE = 20
"""The most malformed trees that are read whole; commits on top of further ones are distrusted unchecked."""

_FAR_MORE = 64
AT_ONCE = 10_000
"""Up to so many values a clone checks all at once, which takes 0.1 s."""


class FewValues:
    """A check of a limited number of values; of the others it checks only the keys (see `read_the_rest`).

    It checks all values of a small store, and always those of memoir's own namespaces and empty ones, which are faults.
    """

    def __init__(self) -> None:
        self._most = AT_ONCE
        self.has_left = False
        """Whether any value was left for later."""

    def __call__(self, key: bytes, value: bytes | None) -> str | None:
        """The fault of a pair, or of only the key."""
        return fault(key, value)

    def expect(self, number: int) -> None:
        """Check none of `number` values, unless all of them fit the limit."""
        if number > self._most:
            self._most = 0

    def leaves(self, leaf: TreeNode) -> bool:
        """Whether all values of a leaf can be left for later, and its keys are sound."""
        if self._most or not are_plain(leaf.keys) or leaf.holds_any(EMPTY_BLOBS):
            return False
        self.has_left = True
        return True

    def taken(self, pairs: Iterable[tuple[bytes, Oid]], problems: "list[ValueProblem]") -> Iterator[tuple[bytes, Oid]]:
        """The pairs whose values must be read; ends at the first faulty key of the others, which joins `problems`."""
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
    """A faulty key and value; the text gives the key and the fault."""

    pair: tuple[bytes, Oid]
    text: str

    @classmethod
    def of(cls, pair: tuple[bytes, Oid], problem: str) -> "ValueProblem":
        """Make the problem of a pair, with a text that gives its key."""
        return cls(pair, f"{quote_key(pair[0])}: {problem}")


def value_problems(
    store: Store, pairs: Iterable[tuple[bytes, Oid]], check_value: CheckValue = fault
) -> Iterator[ValueProblem]:
    """The faults of values and their keys; few values are in memory at a time."""
    of_keys: list[ValueProblem] = []
    wanted = check_value.taken(pairs, of_keys) if isinstance(check_value, FewValues) else pairs
    for pair, value in many_blobs.contents(store.reader, wanted):
        if problem := value.reason if isinstance(value, Unread) else check_value(pair[0], value):
            yield ValueProblem.of(pair, problem)
    yield from of_keys


def quote_key(key: bytes) -> str:
    """A key, formatted for people."""
    return repr(key.replace(b"=", b":", 1).decode(errors="replace"))


def distrust_wrong(store: Store, commits: Iterable[Oid], known: Tree) -> None:
    """Distrust the commits with wrong trees or change lists; parents come before children.

    Each is compared with its first parent, which costs O(changes * log n), and with a `known` sound tree, such as the
    tip's: for a commit that added most of it, only the parts changed since are opened.

    Raises:
        DamagedStore: there are too many wrong commits, or a commit's tree cannot be read.
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
    """Checks commits in turn, parents before children."""

    def __init__(self, store: Store, known: Tree) -> None:
        self._store = store
        self._known = known
        self._sound: set[Oid] = set()
        self._whole = _WHOLE

    def distrust_if_wrong(self, commit: Commit, parent: Commit | None) -> bool:
        """Distrust a commit if its claims are wrong or unchecked; return whether they are known to be wrong."""
        if not is_believed(self._store, commit, parent and parent.tree):
            return commit.id in self._store.distrusted
        before = self._tree_before(parent)
        if before and self._is_right(commit, before, parent and parent.tree):
            self._sound.add(commit.id)
            return False
        self._store.distrust(commit.id)
        return before is not None

    def _tree_before(self, parent: Commit | None) -> Tree | None:
        """The sound tree of a commit's parent; None after too many malformed ones."""
        if parent is None or parent.id in self._sound:
            return self._store.tree(parent and parent.tree)
        (data,) = self._store.reader.read([parent.id], "commit")
        if parent.id in self._store.distrusted or not is_memoirs(self._store.reader, data):
            if not self._whole:
                return None
            self._whole -= 1
        return self._store.of(parent.id).tree

    def _is_right(self, commit: Commit, before: Tree, base: Oid | None) -> bool:
        """Whether a commit's tree is in shape and its change list is right; `before` is its parent's tree."""
        tree = self._store.tree(commit.tree)
        trusted = [before, self._known] if before.root == base else [self._known]
        if next(shape_problems(tree, *trusted), None):
            return False
        return next(change_list_problems(commit.changes, base, Deltas(before, tree)), None) is None


class Deltas:
    """The differences between two trees, which can be counted and iterated repeatedly; `after` must be in shape."""

    def __init__(self, before: Tree, after: Tree) -> None:
        self._before, self._after = before, after

    def __len__(self) -> int:
        """The number of differences; if `after` is far larger than `before`, only few leaves are opened."""
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
        return (Delta(key, None, oid) for key, oid in self._after.scan())  # a generator, to save memory


def change_list_problems(changes: ChangeList | None, base: Oid | None, deltas: Deltas | list[Delta]) -> Iterator[str]:
    """The faults of a commit's change list.

    A commit without a list, or with another base, is foreign: it is allowed, but its list is never believed.
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
    """Mark a store whose values, in the history of the tips, have not all been checked."""
    replace(git_dir / UNCHECKED, b"".join(b"%s\n" % tip.hex().encode() for tip in tips))


def read_the_rest(store: Store, check_value: CheckValue = fault) -> None:
    """Check all values that were left for later.

    Raises:
        DamagedStore: a value is malformed or an object is missing; the store stays unchecked.
    """
    if not store.is_unchecked:
        return
    with suppress(FileNotFoundError):  # another process has checked them meanwhile
        tips = (store.git_dir / UNCHECKED).read_text("ascii").split()
        if problem := next(value_problems(store, _values_in_history(store, tips), check_value), None):
            raise DamagedStore(f"this clone is not sound: {problem.text}", HINT)
    mark_checked(store)


def mark_checked(store: Store) -> None:
    """Mark a store as checked."""
    if store.is_unchecked:
        (store.git_dir / UNCHECKED).unlink(missing_ok=True)
        sync(store.git_dir)
        store.is_unchecked = False
        store.reader.check_blobs(None)


def _values_in_history(store: Store, tips: Iterable[str]) -> Iterator[tuple[bytes, Oid]]:
    """All values in the history of the tips, each with a key that has it; their trees have been checked."""
    how = ("--objects", "--filter=object:type=blob", "--filter-provided-objects")
    with store.git.stream("rev-list", *how, *tips, "--") as lines:
        for line in lines:
            oid, _, path = line.rstrip(b"\n").partition(b" ")
            if (value := Oid.fromhex(oid.decode())) not in _EMPTY:
                yield path.rpartition(b"/")[2], value
