"""The state of the index: its snapshot, its counts, and the embedder of its vectors.

Every transaction keeps this invariant: everything in the index equals what the snapshot of `root` has. All keys of the
snapshot from `rest` on are indexed, and perhaps some before it; without `rest`, all keys are.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

import apsw

from memoir.taxonomy.paths import RAW_SUFFIX

_T = TypeVar("_T")


class Entry(Generic[_T]):
    """A value of the table `state`; a missing or empty one means the default."""

    def __init__(self, name: str, default: _T) -> None:
        self._name = name
        self._default = default

    def __call__(self, database: apsw.Connection) -> _T:
        """The value in an index."""
        value: _T | None = database.execute("SELECT value FROM state WHERE name = ?", (self._name,)).get
        if value is None or value == "":
            return self._default
        if not isinstance(value, type(self._default)):
            raise apsw.CorruptError(f"{self._name!r} is not of the type {type(self._default).__name__}")
        return value

    def put(self, database: apsw.Connection, value: _T) -> None:
        """Set the value."""
        database.execute("INSERT OR REPLACE INTO state VALUES(?, ?)", (self._name, value))


class Count(Entry[int]):
    """A number, initially 0."""

    def __init__(self, name: str) -> None:
        super().__init__(name, 0)

    def add(self, database: apsw.Connection, by: int) -> None:
        """Add to the number; `by` may be negative."""
        self.put(database, self(database) + by)


root = Entry("root", b"")
"""The root of the snapshot that the index holds; empty bytes for an empty snapshot."""
paths = Count("paths")
"""The number of indexed paths, including those with only superseded memories."""
given_up = Count("given up")
"""The number of paths dropped in large steps for other snapshots; see `memoir.index.building.is_far`."""
total = Count("total")
"""The number of documents."""
kept_apart = Count("kept apart")
"""The number of paths in memoir's own namespaces, which are not documents."""
own_lines = Entry("own words", "")
"""The store's own words, a line each, with which the documents were indexed."""
stand_in = Entry("stand_in", "")
"""The name of the embedder of the stand-ins; see `memoir.index.stand_ins`."""
baseline = Entry("baseline", 0.0)
"""The median cosine of the vectors when last measured; see `memoir.index.vectors`."""
baseline_bits = Count("measured")
"""The bit length of the number of vectors when the median was last measured; 0 if never."""
remains = Count("remains")
"""1 if the file may still hold words of memories that have been removed."""
embedder = Entry("embedder", "")
"""The name of the embedder of the vectors; only `set_embedder` changes it."""
_layers = Entry("layers", "")
_rest = Entry[bytes | str]("rest", b"")


def rest(database: apsw.Connection) -> bytes | None:
    """The key before which not everything is indexed yet; None if the index is complete."""
    key = _rest(database)
    return key if isinstance(key, bytes) and key else None


def set_rest(database: apsw.Connection, before: bytes | None) -> None:
    """Set the key before which more is to be indexed; None if the index is complete."""
    _rest.put(database, before or "")


def grouped(namespace: str) -> Count:
    """The number of memories of a namespace that are grouped into threads."""
    return Count(f"grouped {namespace}")


def forget_grouped(database: apsw.Connection) -> None:
    """Reset the numbers of grouped memories."""
    database.execute("DELETE FROM state WHERE name GLOB 'grouped *'")


def layers(database: apsw.Connection) -> list[str]:
    """The namespaces that are layers; searches of all namespaces leave them out."""
    return _layers(database).split()


def sources(database: apsw.Connection) -> list[str]:
    """The layers that hold segments of sources."""
    return [name for name in layers(database) if name.endswith(RAW_SUFFIX)]


def set_layers(database: apsw.Connection, names: Iterable[str]) -> None:
    """Set the namespaces that are layers; names have no blanks."""
    _layers.put(database, " ".join(sorted(names)))


def set_embedder(database: apsw.Connection, name: str) -> None:
    """Set the embedder; vectors of another one are deleted, because they cannot be compared."""
    if embedder(database) != name:
        database.execute("DELETE FROM embedding; DELETE FROM signature")
        database.execute("INSERT OR IGNORE INTO pending SELECT id FROM document")
        baseline.put(database, 0.0)
        baseline_bits.put(database, 0)
        embedder.put(database, name)


def is_embedded(database: apsw.Connection, name: str) -> bool:
    """Whether every document has its vector by this embedder."""
    return embedder(database) == name and not has_waiting(database)


def count_waiting(database: apsw.Connection) -> int:
    """The number of documents without a vector."""
    number: int = database.execute("SELECT count(*) FROM pending").get
    return number


def has_waiting(database: apsw.Connection) -> bool:
    """Whether any document has no vector yet."""
    return bool(database.execute("SELECT EXISTS (SELECT 1 FROM pending)").get)
