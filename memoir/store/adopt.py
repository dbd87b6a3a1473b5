"""What must hold of a commit from elsewhere before a branch stands on it.

Its tree is compared with one that is trusted, and only what differs is opened. Wrong counts and cuts are put right by
a commit of memoir's own; a tree, a key or a value that memoir would never have written is refused, whatever the
trailers say.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memoir.errors import DamagedStore
from memoir.store import past
from memoir.store.commit import BULK, ChangeList, Commit
from memoir.store.diff import Delta, diff
from memoir.store.foreign import rebuilt
from memoir.store.node import NotMemoirs
from memoir.store.oid import Oid
from memoir.store.oversize import MAX_VALUE_BYTES, Oversize
from memoir.store.shape import shape_problems
from memoir.store.store import Store
from memoir.store.tree import Tree

CheckValue = Callable[[bytes, bytes], str | None]
"""(key, value) -> what is wrong with the pair, or None. The store does not know; its caller does."""

HINT = "no branch here has moved; where it was written, 'memoir fsck' names the faults and 'memoir forget KEY' ends one"
_BATCH_VALUES, _BATCH_BYTES = 500, 64 << 20


def check(
    store: Store, commit: Commit, trusted: Tree, check_value: CheckValue, *, past_is_sound: bool = False
) -> str | None:
    """What is wrong with the shape or counts of a commit's tree, which memoir puts right; None if nothing is.

    The trees of the commits before it are read as well, unless it is known that `past_is_sound`.

    Raises:
        DamagedStore: the tree, a key or a value is malformed, or a tree before it; the commit and the reason are named.
    """
    try:
        problem = _shape_problem(store, commit, trusted, check_value)
        if not past_is_sound:
            past.check(store, [commit.id])
        return problem
    except NotMemoirs:
        raise
    except DamagedStore as error:
        raise DamagedStore(f"commit {commit.id:.12} is not adopted: {error.message}", HINT) from error


def _shape_problem(store: Store, commit: Commit, trusted: Tree, check_value: CheckValue) -> str | None:
    tree = store.tree(commit.tree)
    problem = next(shape_problems(tree, trusted), None)
    if problem:
        tree = rebuilt(tree)
    if commit.changes and (problem or _misstates(store, commit, tree)):
        store.distrust(commit.id)
    fresh = [(delta.key, delta.new) for delta in diff(trusted, tree) if delta.new is not None]
    if fault := next(value_problems(store, fresh, check_value), None):
        raise DamagedStore(fault.text)
    return problem


def _misstates(store: Store, commit: Commit, tree: Tree) -> bool:
    """Whether a commit's trailers misstate what it changed against its first parent."""
    parents = store.commits(commit.parents[:1])
    before = store.of(parents[0].id).tree if parents else store.tree(None)
    deltas = list(diff(before, tree))
    return next(change_list_problems(commit.changes, parents[0].tree if parents else None, deltas), None) is not None


class ValueProblem(NamedTuple):
    """A key and value that do not belong into a store, and why, the key named."""

    pair: tuple[bytes, Oid]
    text: str


def value_problems(store: Store, pairs: Sequence[tuple[bytes, Oid]], check_value: CheckValue) -> Iterator[ValueProblem]:
    """What is wrong with values and with the keys they stand at."""
    sizes = _sizes(store, [oid for _, oid in pairs])
    batch: list[tuple[bytes, Oid]] = []
    waiting = 0
    for (key, oid), size in zip(pairs, sizes, strict=True):
        if size > MAX_VALUE_BYTES:
            yield ValueProblem((key, oid), f"{_shown(key)}: {Oversize.of(size).reason}")
            continue
        if batch and (len(batch) == _BATCH_VALUES or waiting + size > _BATCH_BYTES):
            yield from _problems(store, batch, check_value)
            batch, waiting = [], 0
        batch.append((key, oid))
        waiting += size
    yield from _problems(store, batch, check_value)


def _sizes(store: Store, ids: Sequence[Oid]) -> list[int]:
    """How many bytes each value takes, without reading one.

    Raises:
        DamagedStore: one is missing, or is not a value.
    """
    if not ids:
        return []
    names = b"".join(oid.hex().encode() + b"\n" for oid in ids)
    answer = store.git.run("cat-file", "--batch-check=%(objecttype) %(objectsize)", stdin=names)
    rows = [line.split() for line in answer.splitlines()]
    for oid, row in zip(ids, rows, strict=True):
        if row[0] != b"blob":
            raise DamagedStore(f"object {oid} is missing, or is not a value")
    return [int(size) for _, size in rows]


def _problems(store: Store, batch: list[tuple[bytes, Oid]], check_value: CheckValue) -> Iterator[ValueProblem]:
    for pair, (key, value) in zip(batch, store.snapshot(None).values(batch), strict=True):
        if problem := check_value(key, value):
            yield ValueProblem(pair, f"{_shown(key)}: {problem}")


def _shown(key: bytes) -> str:
    return repr(key.replace(b"=", b":", 1).decode(errors="replace"))


def change_list_problems(listed: ChangeList | None, base: Oid | None, deltas: list[Delta]) -> Iterator[str]:
    """How a commit's trailers misstate what it changed.

    A commit without a list, or with another base, is a foreign one: allowed, and never believed.
    """
    if listed is None or listed.base != base:
        return
    put = tuple(d.key for d in deltas if d.new is not None)
    forget = tuple(d.key for d in deltas if d.new is None)
    if listed.bulk is not None:
        if listed.bulk != len(deltas) or (0 < len(deltas) <= BULK):
            yield f"its trailers count {listed.bulk} changes and it made {len(deltas)}"
    elif (listed.put, listed.forget) != (put, forget):
        yield "its trailers do not name the keys it changed"
