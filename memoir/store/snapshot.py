"""A store as it was at one commit: keys and the bytes of their values."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from memoir.git.cat_file import FoundObject
from memoir.git.objects import Oid
from memoir.git.odb import ObjectReader
from memoir.store.foreign import tree_of
from memoir.tree.tree import LAST, Tree

if TYPE_CHECKING:
    from memoir.store.commit import Commit

_BATCH, _BATCH_BYTES = 500, 32 << 20
"""Values that are read at once, and their bytes, but for the last of them."""


class Snapshot:
    """An immutable view of what a commit object holds; empty without one."""

    def __init__(
        self, reader: ObjectReader, tree: Tree, answer: FoundObject | None, damage: dict[str, str] | None = None
    ) -> None:
        self._reader = reader
        self._answer = answer
        self.tree = tree
        self.damage = {} if damage is None else damage
        """The records that readers had to leave out, by name, and the reasons; shared by all snapshots of a store."""

    @property
    def stored_root(self) -> Oid | None:
        """The tree that the commit names; not the tree's own root if that had to be rebuilt."""
        return tree_of(self._answer.data) if self._answer else None

    @cached_property
    def commit(self) -> "Commit | None":
        """The commit, parsed when asked for; None on a branch that has no commit yet."""
        from memoir.store.commit import parse

        return parse(self._answer.oid, self._answer.data) if self._answer else None

    def read(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that exist."""
        ids = self.tree.get(keys)
        return dict(zip(ids, self._reader.read(list(ids.values()), "blob"), strict=True))

    def scan(self, low: bytes = b"", high: bytes = LAST) -> Iterator[tuple[bytes, bytes]]:
        """Keys and values with low <= key < high, in key order, read in batches."""
        yield from self.values(self.tree.scan(low, high))

    def values(self, pairs: Iterable[tuple[bytes, Oid]]) -> Iterator[tuple[bytes, bytes]]:
        """Replace the value ids of (key, id) pairs by the values, reading in batches."""
        rest = iter(pairs)
        while batch := list(islice(rest, _BATCH)):
            while batch:
                contents = self._reader.read_some([oid for _, oid in batch], "blob", _BATCH_BYTES)
                yield from zip((key for key, _ in batch), contents, strict=False)
                batch = batch[len(contents) :]

    def blobs(self, ids: Iterable[Oid | None]) -> dict[Oid, bytes]:
        """The contents of the given value ids, None left out."""
        distinct_ids = list({oid for oid in ids if oid is not None})
        return dict(zip(distinct_ids, self._reader.read(distinct_ids, "blob"), strict=True))
