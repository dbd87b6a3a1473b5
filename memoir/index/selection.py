"""Searches among the documents that pass a filter, and the inventory of their paths."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import apsw

from memoir.index import lexical, state
from memoir.index.documents import content
from memoir.index.filters import ANY, NAMELESS, Condition, Filter, field_id
from memoir.index.stand_ins import QueryVector, nearest
from memoir.index.vectors import FIRST_PASS, FirstPass
from memoir.records.origins import ORIGIN, ORIGINS, UNKNOWN
from memoir.taxonomy.paths import RAW_SUFFIX, Address, common_prefix, matcher

if TYPE_CHECKING:
    from memoir.english.dates import Span


SAMPLE_CHARACTERS = 100
_AMONG = 8
"""The number of documents filtered at once for each wanted one."""


Score = tuple[int, float]
"""A document's id and its score."""


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
        """The ids of all selected documents."""
        sql = f"SELECT d.id FROM document d WHERE {self._where.sql}"
        return [identity for (identity,) in self._database.execute(sql, self._where.values)]

    def by_words(self, terms: Sequence[lexical.Term], limit: int, *, own: bool = False) -> list[Score]:
        """The best documents by BM25, best first; with `own`, only their own contents count."""
        return self._matches.best(terms, self._where, limit, own=own)

    def by_vector(self, vector: QueryVector, limit: int) -> list[Score]:
        """The documents nearest to a query's vector with their cosines (-1 to 1), nearest first."""
        return nearest(self._database, vector, self._where, limit, first_pass=self._first_pass)

    def best_of(self, scores: Mapping[int, float], limit: int) -> list[Score]:
        """The best documents of those with the given scores, best first; ties are sorted by id."""
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
        """The documents of the given times, for each time the first `limit` by address."""
        if not spans:
            return []
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
        """At most `limit` paths, sorted, each with its number of memories and the beginning of the first."""
        rows = self._database.execute(
            f"SELECT d.namespace, d.path, count(*), substr({content('d')}, 1, {SAMPLE_CHARACTERS}), min(d.ordinal)"
            f" FROM document d WHERE {self._where.sql}"
            " GROUP BY d.namespace, d.path ORDER BY d.namespace, d.path LIMIT ?",
            (*self._where.values, -1 if limit is None else limit),
        )
        return [(Address(namespace, path), count, sample) for namespace, path, count, sample, _ in rows]


# One seek for each namespace instead of a scan of all documents.
_NAMESPACES = (
    "WITH RECURSIVE each(name) AS (SELECT min(namespace) FROM document UNION ALL"
    " SELECT (SELECT min(namespace) FROM document WHERE namespace > name) FROM each WHERE name IS NOT NULL)"
    " SELECT name FROM each"
)


def condition(database: apsw.Connection, where: Filter) -> Condition:
    """Turn a filter into SQL; tests that need Python are registered on the connection as functions."""
    parts = list(_conditions(database, where))
    values = tuple(value for part in parts for value in part.values)
    return Condition(" AND ".join(part.sql for part in parts) or ANY.sql, values)


def _conditions(database: apsw.Connection, where: Filter) -> Iterator[Condition]:
    """The conditions that a document must meet."""
    sign, names = _namespace_condition(database, where)
    if names or sign == "IN":
        yield Condition(f"d.namespace {sign} ({','.join('?' * len(names))})", names)
    if where.globs:
        matches = matcher(where.globs)
        database.create_scalar_function("path_matches", lambda *path: matches(str(path[0])), 1)
        yield Condition("d.path >= ? AND path_matches(d.path)", (common_prefix(where.globs),))
    if where.person is not None:
        yield _person_condition(database, where.person.casefold())
    if where.paths is not None:
        import json

        addresses = json.dumps(sorted(where.paths))
        yield Condition("(d.namespace, d.path) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))", (addresses,))
    if where.under:
        bounds = (part for name, path in where.under for part in (name, path, name, f"{path}.", f"{path}/"))
        yield Condition(f"d.id IN ({' UNION ALL '.join([_BELOW] * len(where.under))})", tuple(bounds))
    yield from _metadata_conditions(where)
    if where.holds_at is not None and _any_expired(database, where.holds_at):
        yield Condition("d.id NOT IN (SELECT document FROM expiry WHERE instant <= ?)", (where.holds_at,))
    for bound, sign in ((where.since, ">="), (where.until, "<=")):
        if bound is not None:
            yield Condition(f"d.occurred {sign} ?", (bound,))


def _person_condition(database: apsw.Connection, name: str) -> Condition:
    database.create_scalar_function("is_about", lambda *people: name in str(people[0]).casefold().split("\n"), 1)
    if name in NAMELESS:
        return Condition("(d.role = ? OR is_about(d.person))", (name,))
    return Condition("is_about(d.person)", ())


def _metadata_conditions(where: Filter) -> Iterator[Condition]:
    """The conditions on metadata; of the origins one must match, `unknown` matches none. Passages have no origin."""
    having = "d.id IN (SELECT document FROM field WHERE id IN ({}))".format
    for field in where.metadata:
        yield Condition(having("?"), (field_id(*field),))
    if where.origins:
        own = [field_id(ORIGIN, each) for each in where.origins if each != UNKNOWN]
        every = [field_id(ORIGIN, each) for each in ORIGINS] if UNKNOWN in where.origins else []
        lacking = f" OR NOT {having(','.join('?' * len(every)))}" if every else ""
        yield Condition(f"d.role = '' AND ({having(','.join('?' * len(own)))}{lacking})", (*own, *every))


def _any_expired(database: apsw.Connection, when: float) -> bool:
    """Whether any document has expired by a time; if not, the condition can be left out."""
    return bool(database.execute("SELECT EXISTS (SELECT 1 FROM expiry WHERE instant <= ?)", (when,)).get)


def _namespace_condition(database: apsw.Connection, where: Filter) -> tuple[str, tuple[str, ...]]:
    """The operator, IN or NOT IN, and the namespaces for it."""
    sources = [] if where.sources == "no" else state.sources(database)
    if where.namespaces:
        own = [name for name in sources if {name, name.removesuffix(RAW_SUFFIX)}.intersection(where.namespaces)]
        names = tuple(own if where.sources == "only" else dict.fromkeys((*where.namespaces, *own)))
        return ("NOT IN", ()) if _are_all(database, names) else ("IN", names)
    if where.sources == "only":
        return "IN", tuple(sources)
    if where.paths is not None or where.under:
        return "NOT IN", ()
    return "NOT IN", tuple(name for name in state.layers(database) if name not in sources)


_BELOW = (
    "SELECT id FROM document WHERE namespace = ? AND path = ?"
    " UNION ALL SELECT id FROM document WHERE namespace = ? AND path > ? AND path < ?"
)
"""The prefix itself, and paths that begin with it and a dot; in ASCII '/' follows '.'."""


def _are_all(database: apsw.Connection, names: tuple[str, ...]) -> bool:
    """Whether the index has only these namespaces; this takes a few seeks and saves a look-up for each match."""
    name: str | None = database.execute("SELECT min(namespace) FROM document").get
    while name in names:
        name = database.execute("SELECT min(namespace) FROM document WHERE namespace > ?", (name,)).get
    return name is None
