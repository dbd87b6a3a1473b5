"""Reads another tool's SQLite file: the only place where memoir reads a database that it has not made.

Nothing in such a file is trusted. Only plain tables are read, no function or view of its schema runs, and no statement
changes it. A missing table or column is no error, because these tools change their tables with every version.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from memoir.errors import InvalidInput

HEADER = b"SQLite format 3\0"
"""The first bytes of such a file."""
_MOST_VALUE = 64 << 20
_WAIT_MS = 5000


class ForeignDatabase:
    """The tables of a file."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def columns(self, table: str) -> list[str]:
        """The columns of a table, in their order; none if there is no such table.

        Raises:
            InvalidInput: the file is damaged.
        """
        sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = ?"
        try:
            if not list(self._connection.execute(sql, (table,))):
                return []
            return [name for (name,) in self._connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        except (apsw.Error, UnicodeDecodeError) as error:
            raise InvalidInput(f"the table {table} cannot be read: {error}") from error

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a table by its columns, in the order in which they were added; none if there is no such table.

        Bytes that are not UTF-8 become lone surrogates, so that only their own record is affected.

        Raises:
            InvalidInput: the file is damaged; the rows before the damage were yielded.
        """
        names = self.columns(table)
        if not names:
            return
        columns = ", ".join(map(self._column, names))
        try:
            for values in self._connection.execute(f'SELECT {columns} FROM "{table}" ORDER BY rowid'):
                yield dict(zip(names, map(_as_text, values), strict=True))
        except (apsw.Error, UnicodeDecodeError) as error:
            raise InvalidInput(f"the table {table} cannot be read to its end: {error}") from error

    def _column(self, name: str) -> str:
        quoted = '"' + name.replace('"', '""') + '"'
        is_utf8 = self._connection.pragma("encoding") == "UTF-8"
        return f"CASE typeof({quoted}) WHEN 'text' THEN CAST({quoted} AS BLOB) ELSE {quoted} END" if is_utf8 else quoted


def _as_text(value: Any) -> Any:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


@contextmanager
def open_foreign(path: Path) -> Iterator[ForeignDatabase]:
    """Open another tool's file for reading, also while that tool writes to it.

    Raises:
        InvalidInput: it is not a database, or damaged.
    """
    from urllib.parse import quote

    has_log = path.with_name(path.name + "-wal").exists()
    uri = f"file:{quote(str(path.absolute()))}?mode=ro" + ("" if has_log else "&immutable=1")
    try:
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    except apsw.Error as error:
        raise InvalidInput(f"{path.name} cannot be opened: {error}") from error
    try:
        connection.set_busy_timeout(_WAIT_MS)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, _MOST_VALUE)
        connection.pragma("query_only", True)
        connection.pragma("cell_size_check", True)
        yield ForeignDatabase(connection)
    except (apsw.Error, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path.name} cannot be read: {error}") from error
    finally:
        connection.close()
