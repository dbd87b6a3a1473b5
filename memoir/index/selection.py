"""The documents that pass a filter, and what can be searched for among them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw

from memoir.index import lexical
from memoir.index.filters import Filter, condition
from memoir.index.nearest import QueryVector, nearest

if TYPE_CHECKING:
    from memoir.english.dates import Span
    from memoir.index.path_inventory import InventoryEntry

Score = tuple[int, float]
"""A document's id, and how well it matches."""


class DocumentSelection:
    """The documents that pass a filter."""

    def __init__(self, database: apsw.Connection, where: Filter, matches: lexical.Matches) -> None:
        self._database = database
        self._matches = matches
        self._where = condition(database, where)

    def ids(self) -> list[int]:
        """The ids of all documents."""
        sql = f"SELECT d.id FROM document d WHERE {self._where.sql}"
        return [identity for (identity,) in self._database.execute(sql, self._where.values)]

    def by_words(self, terms: Sequence[lexical.Term], limit: int, *, own: bool = False) -> list[Score]:
        """The best documents by BM25, best first; with `own`, by that of their own contents alone."""
        return self._matches.best(terms, self._where, limit, own=own)

    def by_vector(self, vector: QueryVector, limit: int) -> list[Score]:
        """The documents nearest to a query's vector with their cosines (-1 to 1), nearest first."""
        return nearest(self._database, vector, self._where, limit)

    def by_times(self, spans: "Sequence[Span]", limit: int) -> list[int]:
        """The documents of some times, for each time the first `limit` in the order of their addresses."""
        from memoir.english.dates import REPORT_DELAY

        slack = REPORT_DELAY.total_seconds()
        sql = (
            f"SELECT d.id FROM document d WHERE d.occurred BETWEEN ? AND ? AND {self._where.sql}"
            " ORDER BY d.namespace, d.path, d.ordinal LIMIT ?"
        )
        values = ((span.start, span.end + slack, *self._where.values, limit) for span in spans)
        return [identity for each in values for (identity,) in self._database.execute(sql, each)]

    def at_path(self, path: str, namespace: str = "") -> list[int]:
        """The documents at a path, in one namespace or in all."""
        sql = f"SELECT d.id FROM document d WHERE d.path = ? AND d.namespace IN ({_NAMESPACES}) AND {self._where.sql}"
        values = (path, *self._where.values)
        if namespace:
            sql, values = f"{sql} AND d.namespace = ?", (*values, namespace)
        return [identity for (identity,) in self._database.execute(sql, values)]

    def inventory(self, limit: int | None = None) -> "list[InventoryEntry]":
        """The paths of the documents with samples of what they hold, sorted; the first `limit` of them."""
        from memoir.index.path_inventory import inventory

        return inventory(self._database, self._where, limit)


# One seek for each namespace, instead of a look at every document.
_NAMESPACES = (
    "WITH RECURSIVE each(name) AS (SELECT min(namespace) FROM document UNION ALL"
    " SELECT (SELECT min(namespace) FROM document WHERE namespace > name) FROM each WHERE name IS NOT NULL)"
    " SELECT name FROM each"
)
