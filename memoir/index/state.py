"""The state of the index: which snapshot's memories it holds, how many of them, and whose vectors.

Every transaction keeps this invariant: whatever is in the index is equal to what the snapshot of `root` has. All keys
of the snapshot from `rest` on are indexed, and perhaps some before it; without a `rest`, all keys are.
"""

from collections.abc import Iterable

import apsw

from memoir.taxonomy.paths import RAW_SUFFIX


def root(database: apsw.Connection) -> bytes:
    """The root of the snapshot that the index holds; empty bytes for an empty snapshot."""
    value = _get(database, "root")
    return value if isinstance(value, bytes) else b""


def set_root(database: apsw.Connection, at: bytes) -> None:
    """Set the root of the snapshot that the documents belong to."""
    _put(database, "root", at)


def rest(database: apsw.Connection) -> bytes | None:
    """The key before which not everything is indexed yet; None if the index is complete."""
    value = _get(database, "rest")
    return value if isinstance(value, bytes) else None


def set_rest(database: apsw.Connection, before: bytes | None) -> None:
    """Set the key before which more is to be indexed; None if the index is complete."""
    _put(database, "rest", before if before is not None else "")


def paths(database: apsw.Connection) -> int:
    """How many paths are indexed, those whose memories are all superseded as well."""
    return _count(database, "paths")


def add_paths(database: apsw.Connection, by: int) -> None:
    """Add to the number of indexed paths; a negative number removes some."""
    _put(database, "paths", paths(database) + by)


def count_given_up(database: apsw.Connection) -> int:
    """How many paths the index gave up at once for other snapshots since it was built; see `memoir.index.location`."""
    return _count(database, "given up")


def add_given_up(database: apsw.Connection, by: int) -> None:
    """Add to the number of paths that were given up; a negative number removes some."""
    _put(database, "given up", count_given_up(database) + by)


def total(database: apsw.Connection) -> int:
    """How many documents there are."""
    return _count(database, "total")


def add_total(database: apsw.Connection, by: int) -> None:
    """Add to the number of documents; a negative number removes some."""
    _put(database, "total", total(database) + by)


def count_grouped(database: apsw.Connection, namespace: str) -> int:
    """How many memories of a namespace are grouped into threads."""
    return _count(database, f"grouped {namespace}")


def add_grouped(database: apsw.Connection, namespace: str, by: int) -> None:
    """Add to the number of grouped memories of a namespace; a negative number removes some."""
    _put(database, f"grouped {namespace}", count_grouped(database, namespace) + by)


def forget_grouped(database: apsw.Connection) -> None:
    """Forget how many memories are grouped."""
    database.execute("DELETE FROM state WHERE name GLOB 'grouped *'")


def kept_apart(database: apsw.Connection) -> int:
    """How many paths are in namespaces that memoir keeps for itself; they are not documents."""
    return _count(database, "kept apart")


def set_kept_apart(database: apsw.Connection, number: int) -> None:
    """Set how many paths are in namespaces that memoir keeps for itself."""
    _put(database, "kept apart", number)


def own_lines(database: apsw.Connection) -> str:
    """The store's own words, a line each, by which documents were read."""
    return str(_get(database, "own words") or "")


def set_own_lines(database: apsw.Connection, lines: str) -> None:
    """Set the store's own words."""
    _put(database, "own words", lines)


def layers(database: apsw.Connection) -> list[str]:
    """The namespaces that are layers; who searches all namespaces does not mean these."""
    return str(_get(database, "layers") or "").split()


def sources(database: apsw.Connection) -> list[str]:
    """The layers that hold what was said, in segments."""
    return [name for name in layers(database) if name.endswith(RAW_SUFFIX)]


def set_layers(database: apsw.Connection, names: Iterable[str]) -> None:
    """Set which namespaces are layers; no name has a blank in it."""
    _put(database, "layers", " ".join(sorted(names)))


def embedder(database: apsw.Connection) -> str:
    """The name of the embedder whose vectors the index holds."""
    return str(_get(database, "embedder") or "")


def set_embedder(database: apsw.Connection, name: str) -> None:
    """Set the embedder; vectors of another one are deleted, because they do not compare."""
    if embedder(database) != name:
        database.execute("DELETE FROM embedding; DELETE FROM signature")
        database.execute("INSERT OR IGNORE INTO pending SELECT id FROM document")
        set_baseline(database, 0.0, 0)
        _put(database, "embedder", name)


def baseline(database: apsw.Connection) -> float:
    """The median cosine of the index's vectors, when it was measured; see `memoir.index.vectors`."""
    value: object = database.execute("SELECT value FROM state WHERE name = 'baseline'").get
    return value if isinstance(value, float) else 0.0


def baseline_bits(database: apsw.Connection) -> int:
    """The number of bits of how many vectors there were when the median was measured; 0 if it has not been."""
    return _count(database, "measured")


def set_baseline(database: apsw.Connection, median: float, bits: int) -> None:
    """Set the median cosine, and how many vectors it was measured on."""
    _put(database, "baseline", median)
    _put(database, "measured", bits)


def stand_in(database: apsw.Connection) -> str:
    """The name of the embedder whose vectors stand in for missing ones; see `memoir.index.building`."""
    return str(_get(database, "stand_in") or "")


def set_stand_in(database: apsw.Connection, name: str) -> None:
    """Set the embedder of the stand-ins."""
    _put(database, "stand_in", name)


def is_embedded(database: apsw.Connection, name: str) -> bool:
    """Whether every document has its vector by this embedder."""
    return embedder(database) == name and not has_waiting(database)


def count_waiting(database: apsw.Connection) -> int:
    """How many documents have no vector yet."""
    number: int = database.execute("SELECT count(*) FROM pending").get
    return number


def has_waiting(database: apsw.Connection) -> bool:
    """Whether any document has no vector yet."""
    return bool(database.execute("SELECT EXISTS (SELECT 1 FROM pending)").get)


def has_remains(database: apsw.Connection) -> bool:
    """Whether the file may still hold words of memories that have been removed."""
    return bool(_get(database, "remains"))


def set_remains(database: apsw.Connection, held: bool) -> None:
    """Set whether the file may still hold words of removed memories."""
    _put(database, "remains", int(held))


def _get(database: apsw.Connection, name: str) -> bytes | str | int | None:
    value: bytes | str | int | None = database.execute("SELECT value FROM state WHERE name = ?", (name,)).get
    return value


def _count(database: apsw.Connection, name: str) -> int:
    value = _get(database, name) or 0
    if not isinstance(value, int):
        raise apsw.CorruptError(f"{name!r} is not a number")
    return value


def _put(database: apsw.Connection, name: str, value: bytes | str | float) -> None:
    database.execute("INSERT OR REPLACE INTO state VALUES(?, ?)", (name, value))
