"""The file of the index: opens it, creates it if it is missing, deletes it if it is damaged.

It is one SQLite database beside the store's objects. Readers and a writer share it through SQLite's write-ahead log.
Nothing in it is trusted: its pages have checksums, its name is derived from the user's own key
(`memoir.index.location`), its schema must be exactly memoir's, without any trigger or view, and a read that takes too
long is interrupted.

SQLite notices damage only if the structure of a page is broken; it reads a changed word, or two exchanged pages,
without an error. So the last bytes of each page, which SQLite does not use (they are *reserved*), hold a CRC-32 of the
page's number and of everything before them. It is written with the page and compared at every read. Other programs do
not write these checksums, so their changes are noticed too. The write-ahead log has SQLite's own checksums, which are
compared when the file is opened.
"""

import importlib.machinery
import os
import sys
import time
from array import array
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from zlib import crc32

import apsw

from memoir.english.lexicon.table import version as lexicon_version
from memoir.errors import MemoirError
from memoir.index import documents
from memoir.index.location import commits_file, index_file
from memoir.index.schema import OF_WORDS, SHARED_TABLES, TABLES, VERSION

PAGE = 8192
"""Bytes of a page: 15 vectors of the default embedder nearly fill two pages."""
_RESERVED_BYTES = 8
_HEADER_READS = {(100, 0), (16, 24)}
"""The reads of the first page (size, offset) that SQLite makes before it knows the size of a page."""


class _Connection(apsw.Connection):
    """A connection whose closing ignores a full disk: unwritten pages stay in the write-ahead log."""

    def close(self, force: bool = False) -> None:
        with suppress(apsw.IOError, apsw.FullError):
            super().close(force)

    def __del__(self) -> None:
        self.close()


def connect_checked(file: str) -> apsw.Connection:
    """Open a database file with checksums; it is created if it is missing."""
    database = _Connection(file, vfs=_vfs())
    try:
        reserve = array("i", [_RESERVED_BYTES])  # these two have an effect only on an empty file
        database.file_control("main", apsw.SQLITE_FCNTL_RESERVE_BYTES, reserve.buffer_info()[0])
        database.execute(f"PRAGMA page_size = {PAGE}")
    except BaseException:
        database.close()
        raise
    return database


@cache
def _vfs() -> str:
    """The name of the VFS, which the first call registers."""
    _CheckedFiles.instance = _CheckedFiles("memoir-checked", "")
    return "memoir-checked"


class _CheckedFiles(apsw.VFS):
    instance: "_CheckedFiles | None" = None  # SQLite does not keep it alive

    def xOpen(self, name: "str | apsw.URIFilename | None", flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        if flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            return _CheckedFile(name, flags)
        return apsw.VFSFile("", name, flags)

    def xSleep(self, microseconds: int) -> int:  # noqa: N802
        # apsw's own sleep holds the interpreter's lock, which would stop the very thread that is waited for.
        time.sleep(microseconds / 1_000_000)
        return microseconds


class _CheckedFile(apsw.VFSFile):
    def __init__(self, name: "str | apsw.URIFilename | None", flags: list[int]) -> None:
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        if (amount, offset) in _HEADER_READS:
            return super().xRead(amount, offset)
        within = offset % PAGE  # SQLite may read only a part of the last page of a long value
        return self._page(offset - within)[within:][:amount]

    def _page(self, offset: int) -> bytes:
        data = super().xRead(PAGE, offset)
        if len(data) != PAGE and (offset or data):
            raise apsw.CorruptError(f"page {offset // PAGE} is cut short")
        if data and data[-_RESERVED_BYTES:] != _checksum(data, offset):
            raise apsw.CorruptError(f"page {offset // PAGE} is damaged")
        return data

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if len(data) != PAGE:
            raise apsw.IOError(f"{len(data)} bytes are not a page")
        super().xWrite(data[:-_RESERVED_BYTES] + _checksum(data, offset), offset)


def _version() -> int:
    """The version of tables and lexicon as one number."""
    return crc32(f"{VERSION} {lexicon_version()}".encode()) >> 1


def _checksum(page: bytes, offset: int) -> bytes:
    return crc32(memoryview(page)[:-_RESERVED_BYTES], offset // PAGE).to_bytes(_RESERVED_BYTES, "big")


_LOCK = "memoir-index.lock"
PATIENCE = 60.0
"""Seconds to wait for another process that updates the index."""
_LONG_LOG = 1_000_000
"""Size in bytes from which closing the index empties the write-ahead log, because opening it reads the whole log."""
_STEPS = 1_000_000
"""Steps of SQLite's virtual machine between two calls of the progress handler: a few milliseconds."""
_MAX_PROGRESS_CALLS = 5000
"""Calls of the progress handler after which a read is interrupted: about a minute, more than a sound index takes."""


def connect(git_dir: Path, *, second: bool = False, vectors: bool = True) -> apsw.Connection:
    """Open an index of a store; a missing one or one of another version is created empty.

    The second index is for snapshots far from that of the first; shared tables are in the first. With `vectors`,
    sqlite-vec is loaded.
    """
    first = index_file(git_dir)
    if not second:
        return open_checked(git_dir, first, TABLES + SHARED_TABLES, vectors=vectors)
    connect(git_dir).close()
    database = open_checked(git_dir, index_file(git_dir, second=True), TABLES)
    database.execute("ATTACH ? AS shared", (str(first),))
    return database


def exists(git_dir: Path, *, second: bool = False) -> bool:
    """Whether the first index exists, or with `second` the second one."""
    return index_file(git_dir, second=second).exists()


def open_checked(git_dir: Path, file: Path, tables: str, *, vectors: bool = True) -> apsw.Connection:
    """Open a database that has these tables and nothing else; any other database is deleted and created again.

    With `vectors`, sqlite-vec is loaded.
    """
    database = _open(str(file), vectors=vectors)
    try:
        if not _is_sound(database, tables):
            database.close()
            with _locked(git_dir):
                database = _open(str(file), vectors=vectors)
                if not _is_sound(database, tables):
                    if _schema(database):
                        database.close()
                        _remove(file)
                        database = _open(str(file), vectors=vectors)
                    _create(database, tables)
    except BaseException:
        database.close()
        raise
    return database


def _is_sound(database: apsw.Connection, tables: str) -> bool:
    """Whether a database is of this version, and its schema has exactly these tables."""
    statements = {statement.strip() for statement in tables.split(";") if statement.strip().startswith("CREATE")}
    rows = _schema(database)
    own = {sql for _, name, sql in rows if name not in OF_WORDS}
    shadows = {name for kind, name, _ in rows if name in OF_WORDS and kind == "table"}
    right_shadows = OF_WORDS if "fts5(" in tables else frozenset()
    is_ours = own == statements and shadows == right_shadows and len(rows) == len(statements) + len(right_shadows)
    return is_ours and database.pragma("user_version") == _version()


def in_memory() -> apsw.Connection:
    """Create an index in memory, for stores whose folder cannot be written to."""
    database = _prepare(apsw.Connection(":memory:"))
    _create(database, TABLES + SHARED_TABLES)
    return database


@contextmanager
def writing(database: apsw.Connection) -> Iterator[None]:
    """A write transaction that takes its lock at the start, so that no other writer makes it fail later.

    Inside another write transaction it is part of that one.
    """
    if not database.get_autocommit():
        yield
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        _roll_back(database)
        raise
    _keep_short_log(database)


def _roll_back(database: apsw.Connection) -> None:
    """Roll a transaction back, unless SQLite already has, after a disk error."""
    if not database.get_autocommit():
        database.execute("ROLLBACK")


@contextmanager
def reading(database: apsw.Connection, most_calls: int = _MAX_PROGRESS_CALLS) -> Iterator[None]:
    """A read transaction: it sees one state of the index, and a query that takes too long is interrupted."""
    steps = count(1)
    database.set_progress_handler(lambda: next(steps) > most_calls, _STEPS)
    database.execute("BEGIN")
    try:
        yield
    finally:
        _roll_back(database)
        database.set_progress_handler(None)


def empty_log(database: apsw.Connection) -> bool:
    """Copy the write-ahead log into the file and empty it, unless a reader needs it; return whether it is empty."""
    with patient(database, 0):  # do not wait for a reader: the next question tries again
        busy: int = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").get[0]
    return not busy


@contextmanager
def patient(database: apsw.Connection, seconds: float) -> Iterator[None]:
    """Within the block, wait at most `seconds` for another process that writes."""
    database.set_busy_timeout(round(seconds * 1000))
    try:
        yield
    finally:
        database.set_busy_timeout(round(PATIENCE * 1000))


def _schema(database: apsw.Connection) -> list[tuple[str, str, str]]:
    rows = database.execute("SELECT type, name, sql FROM sqlite_master")
    return [(str(kind), str(name), str(sql)) for kind, name, sql in rows]


def _locked(git_dir: Path) -> AbstractContextManager[None]:
    from memoir.git.lock import held  # rarely needed

    return held(git_dir / _LOCK)


def discard(git_dir: Path) -> None:
    """Delete the indexes; a process that has one open can still use its file."""
    with _locked(git_dir):
        for file in (index_file(git_dir), index_file(git_dir, second=True), commits_file(git_dir)):
            _remove(file)


def discard_commits(git_dir: Path) -> None:
    """Delete the table of commits."""
    with _locked(git_dir):
        _remove(commits_file(git_dir))


def _remove(file: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            os.unlink(f"{file}{suffix}")


def _open(file: str, *, vectors: bool = True) -> apsw.Connection:
    return _prepare(connect_checked(file), vectors=vectors)


def _prepare(database: apsw.Connection, *, vectors: bool = True) -> apsw.Connection:
    try:
        database.set_busy_timeout(round(PATIENCE * 1000))
        database.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        database.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        if vectors:
            _load_vectors(database)
        documents.register(database)
        database.execute(
            "PRAGMA cache_size=-65536; PRAGMA temp_store=memory; PRAGMA synchronous=normal;"
            "PRAGMA cell_size_check=1; PRAGMA secure_delete=1"
        )
        _keep_short_log(database)
    except BaseException:
        database.close()
        raise
    return database


def _keep_short_log(database: apsw.Connection) -> None:
    """Let closing keep a short log, because emptying it would take longer than most changes."""
    try:
        length = os.stat(f"{database.filename}-wal").st_size
    except FileNotFoundError:
        length = 0
    database.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(length < _LONG_LOG))


def _create(database: apsw.Connection, tables: str) -> None:
    database.pragma("journal_mode", "wal")  # this setting is stored in the file
    with writing(database):
        database.execute(tables)
        database.pragma("user_version", _version())


def _load_vectors(database: apsw.Connection) -> None:
    """Load sqlite-vec without its Python module, which would import numpy."""
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
