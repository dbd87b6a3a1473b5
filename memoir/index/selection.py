"""The documents that pass a filter, what can be searched for among them, and the inventory of their paths."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import apsw

from memoir.index import lexical
from memoir.index.documents import content
from memoir.index.filters import Filter, condition
from memoir.index.stand_ins import QueryVector, nearest
from memoir.index.vectors import FIRST_PASS, FirstPass
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.english.dates import Span


SAMPLE_CHARACTERS = 100
_AMONG = 8
"""How many documents go through a filter at once for each wanted one."""


Score = tuple[int, float]
"""A document's id, and how well it matches."""


class DocumentSelection:
    """The documents that pass a filter."""

    def __init__(
        self, database: apsw.Connection, where: Filter, matches: lexical.Matches, first_pass: FirstPass = FIRST_PASS
    ) -> None:
        self._first_pass = first_pass
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
        return nearest(self._database, vector, self._where, limit, first_pass=self._first_pass)

    def best_of(self, scores: Mapping[int, float], limit: int) -> list[Score]:
        """The best of some documents by their scores, best first; equal ones by their ids."""
        ranked = sorted(scores, key=lambda identity: (-scores[identity], identity))
        found = list[Score]()
        for start in range(0, len(ranked), size := _AMONG * limit):
            ids = ranked[start : start + size]
            sql = f"SELECT d.id FROM document d WHERE d.id IN ({','.join(map(str, ids))}) AND {self._where.sql}"
            passed = {identity for (identity,) in self._database.execute(sql, self._where.values)}
            found += [(identity, scores[identity]) for identity in ids if identity in passed]
            if len(found) >= limit:
                break
        return found[:limit]

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

    def inventory(self, limit: int | None = None) -> list[tuple[Address, int, str]]:
        """The paths of the documents, sorted, at most `limit`; how many memories each has, how the first begins."""
        rows = self._database.execute(
            f"SELECT d.namespace, d.path, count(*), substr({content('d')}, 1, {SAMPLE_CHARACTERS}), min(d.ordinal)"
            f" FROM document d WHERE {self._where.sql}"
            " GROUP BY d.namespace, d.path ORDER BY d.namespace, d.path LIMIT ?",
            (*self._where.values, -1 if limit is None else limit),
        )
        columns = list(zip(*rows, strict=True))
        if not columns:
            return []
        names, paths, counts, samples, _ = columns
        # It may be of the whole store: this is the tuple's own constructor, without a call in Python for each.
        addresses = map(partial(tuple.__new__, Address), zip(names, paths, strict=True))
        return list(zip(addresses, counts, samples, strict=True))


# One seek for each namespace, instead of a look at every document.
_NAMESPACES = (
    "WITH RECURSIVE each(name) AS (SELECT min(namespace) FROM document UNION ALL"
    " SELECT (SELECT min(namespace) FROM document WHERE namespace > name) FROM each WHERE name IS NOT NULL)"
    " SELECT name FROM each"
)
