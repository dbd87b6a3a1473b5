"""A store as it was at one commit: keys and the bytes of their values."""

from collections.abc import Iterable, Iterator
from itertools import islice

from memoir.store.commit import Commit
from memoir.store.odb import ObjectReader, Oid
from memoir.store.tree import LAST, Tree

_BATCH = 500


class Snapshot:
    """An immutable view. `commit` is None on a branch that has no commit yet."""

    def __init__(self, reader: ObjectReader, tree: Tree, commit: Commit | None) -> None:
        self._reader = reader
        self.tree = tree
        self.commit = commit

    def read(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that exist."""
        found = self.tree.get(keys)
        return dict(zip(found, self._reader.read(list(found.values()), "blob"), strict=True))

    def scan(self, low: bytes = b"", high: bytes = LAST) -> Iterator[tuple[bytes, bytes]]:
        """Keys and values with low <= key < high, in key order, read in batches."""
        yield from self.values(self.tree.scan(low, high))

    def values(self, pairs: Iterable[tuple[bytes, Oid]]) -> Iterator[tuple[bytes, bytes]]:
        """Replace the value ids of (key, id) pairs by the values, reading in batches."""
        rest = iter(pairs)
        while batch := list(islice(rest, _BATCH)):
            contents = self._reader.read([oid for _, oid in batch], "blob")
            yield from zip((key for key, _ in batch), contents, strict=True)

    def blobs(self, ids: Iterable[Oid | None]) -> dict[Oid, bytes]:
        """The contents of the given value ids, None left out."""
        wanted = list({oid for oid in ids if oid is not None})
        return dict(zip(wanted, self._reader.read(wanted, "blob"), strict=True))
