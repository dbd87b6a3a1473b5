"""What the index holds at the moment: the snapshot's root, how many documents and categories, whose vectors."""

import apsw


def root(database: apsw.Connection) -> bytes:
    """The root of the snapshot that the index holds; empty for the empty one."""
    found = _get(database, "root")
    return found if isinstance(found, bytes) else b""


def arrived(database: apsw.Connection, at: bytes) -> None:
    """Note which snapshot's the documents are."""
    _put(database, "root", at)


def total(database: apsw.Connection) -> int:
    """How many documents there are."""
    return _count(database, "total")


def grew(database: apsw.Connection, by: int) -> None:
    """Note that there are so many documents more, or fewer."""
    _put(database, "total", total(database) + by)


def categories(database: apsw.Connection) -> int:
    """How many paths the store's own taxonomy has; they are no documents."""
    return _count(database, "categories")


def has_categories(database: apsw.Connection, number: int) -> None:
    """Note how many paths the store's own taxonomy has."""
    _put(database, "categories", number)


def embedder(database: apsw.Connection) -> str:
    """The name of the embedder whose vectors the index holds."""
    return str(_get(database, "embedder") or "")


def adopt(database: apsw.Connection, name: str) -> None:
    """Make the index's vectors this embedder's: vectors of different embedders never mix."""
    if embedder(database) != name:
        database.execute("DELETE FROM embedding; DELETE FROM signature")
        database.execute("INSERT OR IGNORE INTO pending SELECT id FROM document")
        _put(database, "embedder", name)


def is_embedded(database: apsw.Connection, name: str) -> bool:
    """Whether every document has its vector of this embedder."""
    return embedder(database) == name and not database.execute("SELECT EXISTS (SELECT 1 FROM pending)").get


def _get(database: apsw.Connection, name: str) -> bytes | str | int | None:
    found: bytes | str | int | None = database.execute("SELECT value FROM state WHERE name = ?", (name,)).get
    return found


def _count(database: apsw.Connection, name: str) -> int:
    found = _get(database, name) or 0
    if not isinstance(found, int):
        raise apsw.CorruptError(f"the number behind {name!r} is none")
    return found


def _put(database: apsw.Connection, name: str, value: bytes | str | int) -> None:
    database.execute("INSERT OR REPLACE INTO state VALUES(?, ?)", (name, value))
