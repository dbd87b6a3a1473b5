"""Which documents a query may find, as a condition on the table `document`."""

from typing import NamedTuple

import apsw

from memoir.index import state
from memoir.index.field_table import field_id
from memoir.taxonomy.globs import common_prefix, matcher
from memoir.taxonomy.paths import RAW_SUFFIX


class Filter(NamedTuple):
    """Conditions on documents: in one of some namespaces, matching one of some globs, about a person, of a time.

    Empty and None mean no condition, but that layers are left out unless `namespaces`, `paths` or `under` name them.
    Times are seconds since 1970, both ends included. `paths` are exact paths, and `under` are prefixes that a path must
    be at or below, both as (namespace, path). `metadata` are fields as (name, value), all of which the metadata must
    have; see `memoir.index.field_table.fields_of`. `sources` says whether what was said in the namespaces is meant too:
    `no`, `yes`, or `only` that. With `holds_at`, a time, what has expired by then is left out.
    """

    namespaces: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    person: str | None = None
    since: float | None = None
    until: float | None = None
    paths: frozenset[tuple[str, str]] | None = None
    under: tuple[tuple[str, str], ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    sources: str = "no"
    holds_at: float | None = None

    @property
    def everything(self) -> bool:
        """Whether every document passes the filter."""
        return self._replace(holds_at=None) == Filter()


class Condition(NamedTuple):
    """SQL over a document named `d`, and the values of its parameters."""

    sql: str
    values: tuple[object, ...]


ANY = Condition("1", ())
"""The condition that every document meets."""


def condition(database: apsw.Connection, where: Filter) -> Condition:
    """Turn a filter into SQL; tests that need Python are registered on the connection as functions."""
    parts: list[str] = []
    values: list[object] = []
    sign, names = _namespaces(database, where)
    if names or sign == "IN":
        parts.append(f"d.namespace {sign} ({','.join('?' * len(names))})")
        values += names
    if where.globs:
        matches = matcher(where.globs)
        database.create_scalar_function("path_matches", lambda *path: matches(str(path[0])), 1)
        parts.append("d.path >= ? AND path_matches(d.path)")
        values.append(common_prefix(where.globs))
    if where.person is not None:
        name = where.person.casefold()
        database.create_scalar_function("is_about", lambda *people: name in str(people[0]).casefold().split("\n"), 1)
        parts.append("is_about(d.person)")
    if where.paths is not None:
        parts.append("(d.namespace, d.path) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))")
        import json

        values.append(json.dumps(sorted(where.paths)))
    if where.under:
        parts.append(f"d.id IN ({' UNION ALL '.join([_BELOW] * len(where.under))})")
        values += [part for name, path in where.under for part in (name, path, name, f"{path}.", f"{path}/")]
    parts += ["d.id IN (SELECT document FROM field WHERE id = ?)"] * len(where.metadata)
    values += [field_id(*field) for field in where.metadata]
    if where.holds_at is not None and _any_expired(database, where.holds_at):
        parts.append("d.id NOT IN (SELECT document FROM expiry WHERE instant <= ?)")
        values.append(where.holds_at)
    for bound, sign in ((where.since, ">="), (where.until, "<=")):
        if bound is not None:
            parts.append(f"d.occurred {sign} ?")
            values.append(bound)
    return Condition(" AND ".join(parts) or "1", tuple(values))


def _any_expired(database: apsw.Connection, when: float) -> bool:
    """Whether any document has expired by a time; where none has, the condition costs nothing."""
    return bool(database.execute("SELECT EXISTS (SELECT 1 FROM expiry WHERE instant <= ?)", (when,)).get)


def _namespaces(database: apsw.Connection, where: Filter) -> tuple[str, tuple[str, ...]]:
    """In which namespaces a document must be, or must not be."""
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
"""The prefix itself, and paths that begin with it and a dot; in ASCII '/' is next after '.'."""


def _are_all(database: apsw.Connection, names: tuple[str, ...]) -> bool:
    """Whether the index has no namespace but these: a few seeks save a look-up for each match."""
    name: str | None = database.execute("SELECT min(namespace) FROM document").get
    while name in names:
        name = database.execute("SELECT min(namespace) FROM document WHERE namespace > ?", (name,)).get
    return name is None
