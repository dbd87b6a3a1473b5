"""Snapshots: the keys and values of a store at one commit, with a check whether the commit's tree can be believed.

A hosted merge button merges the trees of two commits entry by entry. It often gets the contents right but counts and
boundaries wrong, without a conflict. Such a tree must not be searched (keys could hide behind a wrong boundary) nor
built upon. So only its leaves are believed, and the right tree is built from them in memory; the next write stores it.

Trailers are believed because of the origin of commits: memoir's own are right, and a foreign one is checked before it
becomes part of a branch (`memoir.repair.foreign_commit`). Commits with false trailers are put on a list by a fetch, a
merge or `fsck --repair`; it is nearly always empty. The list is derived data: without it, the counts and boundaries of
such a commit would be believed again, and nothing else would be lost.
"""

import re
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memoir.errors import DamagedStore
from memoir.git.object_reader import FoundObject, ObjectReader
from memoir.git.objects import Oid
from memoir.tree.tree import LAST, Tree

if TYPE_CHECKING:
    from memoir.store.commit import Commit

_K = TypeVar("_K")
FIRST_COMMIT = "'memoir remember' makes the first one"
"""The hint if a commit is needed and there is none."""
_BATCH, _BATCH_BYTES = 500, 32 << 20
"""The most values, and the most bytes before the last value, that are read at once."""
_DISTRUSTED = "memoir-distrusted"
_MOST_BYTES = 1 << 20
_ID_LINE = rb"(?m)^(?:[0-9a-f]{40}|[0-9a-f]{64})$"
_BASE = b"Memoir-Base: "


class Snapshot:
    """An immutable view of a commit's keys and values; empty without a commit."""

    def __init__(
        self, reader: ObjectReader, tree: Tree, answer: FoundObject | None, damage: dict[str, str] | None = None
    ) -> None:
        self._reader = reader
        self._answer = answer
        self.tree = tree
        self.damage = {} if damage is None else damage
        """The reasons for the damaged records left out by readers, by key; shared by all snapshots of a store."""

    @property
    def stored_root(self) -> Oid | None:
        """The tree that the commit names; differs from the tree's root if that was rebuilt."""
        return tree_of(self._answer.data) if self._answer else None

    @property
    def id(self) -> Oid | None:
        """The commit's id; None on a branch without commits."""
        return self._answer.oid if self._answer else None

    @property
    def parent(self) -> Oid | None:
        """The commit's first parent; None if it has none."""
        return parent_of(self._answer.data) if self._answer else None

    @cached_property
    def commit(self) -> "Commit | None":
        """The commit, parsed on demand; None on a branch without commits."""
        from memoir.store.commit import parse

        return parse(self._answer.oid, self._answer.data) if self._answer else None

    def ids(self, keys: Iterable[bytes]) -> dict[bytes, Oid]:
        """The value ids of the keys that exist."""
        return self.tree.get(keys)

    def read(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of the keys that exist."""
        ids = self.tree.get(keys)
        return dict(zip(ids, self._reader.read(list(ids.values()), "blob"), strict=True))

    def scan(self, low: bytes = b"", high: bytes = LAST) -> Iterator[tuple[bytes, bytes]]:
        """Keys and values with low <= key < high, in key order, read in batches."""
        yield from self.values(self.tree.scan(low, high))

    def values(self, pairs: Iterable[tuple[_K, Oid]]) -> Iterator[tuple[_K, bytes]]:
        """Replace the value ids of (key, id) pairs by the values, reading in batches."""
        rest = iter(pairs)
        while batch := list(islice(rest, _BATCH)):
            while batch:
                contents = self._reader.read_some([oid for _, oid in batch], "blob", _BATCH_BYTES)
                yield from zip((key for key, _ in batch), contents, strict=False)
                batch = batch[len(contents) :]

    def blobs(self, ids: Iterable[Oid | None]) -> dict[Oid, bytes]:
        """The contents of the given value ids, except None."""
        distinct_ids = list({oid for oid in ids if oid is not None})
        return dict(zip(distinct_ids, self._reader.read(distinct_ids, "blob"), strict=True))


def tree_of(commit: bytes) -> Oid:
    """The tree a commit object names, in its first line.

    Raises:
        DamagedStore: it names no tree.
    """
    word, _, rest = commit.partition(b" ")
    if word != b"tree":
        raise _unreadable()
    return _parse_id(rest.partition(b"\n")[0])


def parent_of(commit: bytes) -> Oid | None:
    """The first parent that a commit object names in its second line; None if it has none."""
    line = commit.partition(b"\n")[2].partition(b"\n")[0]
    return _parse_id(line[7:]) if line.startswith(b"parent ") else None


def _parse_id(name: bytes) -> Oid:
    try:
        return Oid.fromhex(name.decode())
    except ValueError as error:
        raise _unreadable() from error


def _unreadable() -> DamagedStore:
    return DamagedStore("a commit of the store cannot be read", "run 'memoir fsck'")


def sound_tree(tree: Tree, commit: FoundObject, suspects: Container[Oid]) -> Tree:
    """The tree of a commit, safe to search: as stored, or rebuilt from its leaves.

    `suspects` are the ids of commits whose trailers are not believed.
    """
    if is_memoirs(tree.reader, commit.data) and commit.oid not in suspects:
        return tree
    from memoir.tree.edit import rebuilt
    from memoir.tree.shape import shape_problems

    faults = shape_problems(tree, Tree(tree.reader, tree.id_size, None))
    return tree if next(faults, None) is None else rebuilt(tree)


def is_memoirs(reader: ObjectReader, commit: bytes) -> bool:
    """Whether a commit claims to be memoir's: its trailers name its first parent's tree as the base.

    This is a fast version of the commit module's parser, because every read does it.
    """
    body = commit.partition(b"\n\n")[2]
    trailers = b"\n" + body.rstrip(b"\n").rpartition(b"\n\n")[2]  # each line after its line break
    if trailers.count(b"\nMemoir-") != trailers.count(b"\n"):
        return False
    _, found, rest = trailers.partition(b"\n" + _BASE)
    base = rest.partition(b"\n")[0] if found else None
    parent = parent_of(commit)
    if parent is None or base is None:
        return parent is base
    parent_commit = reader.resolve(parent.hex())
    return parent_commit is not None and tree_of(parent_commit.data).hex().encode() == base


def read_distrusted(git_dir: Path) -> frozenset[Oid]:
    """The ids of the commits whose trailers are not believed."""
    try:
        with open(git_dir / _DISTRUSTED, "rb") as file:
            return frozenset(Oid.fromhex(line.decode()) for line in re.findall(_ID_LINE, file.read(_MOST_BYTES)))
    except FileNotFoundError:
        return frozenset()


def add_distrusted(git_dir: Path, commit: Oid) -> None:
    """Stop believing a commit's trailers."""
    if commit in read_distrusted(git_dir):
        return
    from memoir.git.fsync import flush

    with open(git_dir / _DISTRUSTED, "ab") as file:
        file.write(commit.hex().encode() + b"\n")
        file.flush()
        flush(file.fileno())
