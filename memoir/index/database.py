"""The index's file: opened, created where it is missing, thrown away where it is damaged.

It is one SQLite database beside the store's objects. Readers and a writer share it through SQLite's
write-ahead log. It may have come with a project that someone else packed, so its schema is not
trusted: nothing in it can call a function that has effects.
"""

import importlib.machinery
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from memoir.errors import MemoirError
from memoir.index.schema import SHARED, TABLES, VERSION
from memoir.store.lock import held

FILE, SECOND = "memoir-index.db", "memoir-index-2.db"
_LOCK = "memoir-index.lock"
_PATIENCE = 60_000
"""Milliseconds to wait for another process that brings the index up to date."""
_LONG_LOG = 1_000_000
"""Bytes from which the write-ahead log is emptied by a close: whoever opens the index has to read all of it."""


def connect(git_dir: Path, *, second: bool = False) -> apsw.Connection:
    """Open an index of a store, creating an empty one if it is missing or of another version.

    The second one is for snapshots that are far from the first's; what both share lies in the first.

    Raises:
        apsw.Error: it is damaged, or cannot be written.
    """
    if not second:
        return _checked(git_dir, FILE, TABLES + SHARED)
    connect(git_dir).close()
    database = _checked(git_dir, SECOND, TABLES)
    database.execute("ATTACH ? AS shared", (str(git_dir / FILE),))
    return database


def has_second(git_dir: Path) -> bool:
    """Whether there is a second index."""
    return (git_dir / SECOND).exists()


def _checked(git_dir: Path, name: str, tables: str) -> apsw.Connection:
    database = _open(str(git_dir / name))
    try:
        if database.pragma("user_version") != VERSION:
            database.close()
            with held(git_dir / _LOCK):
                database = _open(str(git_dir / name))
                if database.pragma("user_version") != VERSION:
                    if _tables(database):
                        database.close()
                        _remove(git_dir, name)
                        database = _open(str(git_dir / name))
                    _create(database, tables)
    except BaseException:
        database.close()
        raise
    return database


def in_memory() -> apsw.Connection:
    """An index that lasts as long as its connection, for stores whose folder cannot be written to."""
    database = _open(":memory:")
    _create(database, TABLES + SHARED)
    return database


@contextmanager
def writing(database: apsw.Connection) -> Iterator[None]:
    """A write transaction, begun as one: it never has to give way to another writer half-way."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
    _spare_log(database)


def is_whole(database: apsw.Connection) -> bool:
    """Whether the tables are what they should be, so that an SQL error is a bug of memoir's and no damage."""
    try:
        borrowed = ("answer", "vector") if database.filename.endswith(SECOND) else ()
        return _tables(database) == [table for table in _tables(in_memory()) if table[0] not in borrowed]
    except apsw.Error:
        return False


def _tables(database: apsw.Connection) -> list[tuple[object, ...]]:
    return database.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()


def discard(git_dir: Path) -> None:
    """Throw the indexes away; a process that has one open goes on with the file it has."""
    with held(git_dir / _LOCK):
        _remove(git_dir, FILE)
        _remove(git_dir, SECOND)


def _remove(git_dir: Path, name: str) -> None:
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.unlink(git_dir / (name + suffix))


def _open(file: str) -> apsw.Connection:
    database = apsw.Connection(file)
    try:
        database.set_busy_timeout(_PATIENCE)
        database.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        database.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        _load_vectors(database)
        database.execute("PRAGMA cache_size=-65536; PRAGMA synchronous=normal")
        _spare_log(database)
    except BaseException:
        database.close()
        raise
    return database


def _spare_log(database: apsw.Connection) -> None:
    """Let closing leave a short log alone: emptying it each time would cost a command more than its own change does."""
    try:
        length = os.stat(f"{database.filename}-wal").st_size
    except FileNotFoundError:
        length = 0
    database.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(length < _LONG_LOG))


def _create(database: apsw.Connection, tables: str) -> None:
    database.pragma("journal_mode", "wal")  # a property of the file
    with database:
        database.execute(tables)
        database.pragma("user_version", VERSION)


def _load_vectors(database: apsw.Connection) -> None:
    """Load sqlite-vec; its Python module would import numpy only to say where the library lies."""
    database.enable_load_extension(True)
    try:
        database.load_extension(_vector_library(), "sqlite3_vec_init")
    finally:
        database.enable_load_extension(False)


def _vector_library() -> str:
    spec = importlib.machinery.PathFinder.find_spec("sqlite_vec", sys.path)
    if spec is None or spec.origin is None:
        raise MemoirError("the package sqlite-vec is missing", "install memoir again")
    return os.path.join(os.path.dirname(spec.origin), "vec0")
