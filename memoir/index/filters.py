"""Filters of the documents that a query may find, and the tables for metadata: `field`, `expiry`, `item`, `about`.

A field is stored as a hash of its name and value, so rows are short and forgotten values leave no words behind.
`expiry` has the time at which a memory expires, `item` the segments from which it was taken, and `about` the files of
the project that it is about.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from memoir.git.objects import sha1
from memoir.memory.speaker import ASSISTANT, USER
from memoir.records.metadata import EXPIRES, LINKS, expiry_of
from memoir.records.record import ABOUT
from memoir.taxonomy.paths import RAW_SUFFIX

NAMELESS = (USER, ASSISTANT)
"""The speakers in a chat without names, whose passages have only the role."""


class Filter(NamedTuple):
    """Conditions on documents: namespaces, globs, a person, a time and others.

    Empty and None mean no condition, except that layers are left out unless `namespaces`, `paths` or `under` name them.
    Times are seconds since 1970, both ends included. `paths` are exact paths, and `under` are prefixes that a path must
    be at or below, both as (namespace, path). `metadata` are fields as (name, value), all of which the metadata must
    have; see `memoir.index.filters.fields_of`. `sources` says whether sources of the namespaces are included: `no`,
    `yes`, or `only`. `holds_at` leaves out memories that have expired at that time. `origins` are words of
    `memoir.records.origins`; the memory must have one of them.
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
    origins: tuple[str, ...] = ()

    @property
    def everything(self) -> bool:
        """Whether every document passes the filter."""
        return self._replace(holds_at=None) == Filter()


class Condition:
    """SQL over a document named `d`, and the values of its parameters."""

    def __init__(self, sql: str, values: tuple[object, ...]) -> None:
        self.sql, self.values = sql, values

    @property
    def is_met_by_all(self) -> bool:
        """Whether every document meets it."""
        return self.sql == ANY.sql


ANY = Condition("1", ())
"""The condition that every document meets."""


_BYTES = 10
"""The bytes of a hash: among a billion fields, two share one with a probability of 1 in 2 million."""


def field_id(name: str, value: str) -> bytes:
    """The hash of a field's name and value."""
    return sha1(f"{name}\0{value}".encode(errors="surrogatepass"))[:_BYTES]


def add(database: apsw.Connection, memories: Sequence[tuple[int, Mapping[str, Any]]]) -> None:
    """Add the metadata of memories, each an id with its metadata, to the tables.

    These are their fields, expiry, segments, and the files that they are about.
    """
    fields = ((field_id(*field), document) for document, its in memories for field in fields_of(its))
    database.executemany("INSERT OR IGNORE INTO field VALUES(?, ?)", fields)
    ends = ((document, expiry_of(its)) for document, its in memories if EXPIRES in its)
    database.executemany("INSERT INTO expiry VALUES(?, ?)", [(each, end.timestamp()) for each, end in ends if end])
    if linked := [each for each in memories if LINKS in each[1]]:
        from memoir.memory.links import targets_of  # most memories have none

        targets = ((document, its) for document, metadata in linked for its in targets_of(metadata, "derives_from"))
        rows = [(document, *segment) for document, segment in targets if segment.namespace.endswith(RAW_SUFFIX)]
        database.executemany("INSERT OR IGNORE INTO item VALUES(?, ?, ?)", rows)
    if tied := [each for each in memories if ABOUT in each[1]]:
        from memoir.records.anchor import anchors_of  # needed only here, and loads the parser of dates

        files = [(anchor.file, document) for document, its in tied for anchor in anchors_of(its)]
        database.executemany("INSERT OR IGNORE INTO about VALUES(?, ?)", files)


def fields_of(metadata: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The fields of metadata as (name, value), both as people write them.

    A list has a field for each item. Names of fields inside an object are prefixed with its name and a dot. Values
    other than strings are written as JSON.
    """
    if isinstance(metadata, Mapping):
        for key, value in metadata.items():
            yield from fields_of(value, f"{name}.{key}" if name else str(key))
    elif isinstance(metadata, list):
        for item in metadata:
            yield from fields_of(item, name)
    else:
        yield name, metadata if isinstance(metadata, str) else _to_json(metadata)


def _to_json(value: Any) -> str:
    import json

    return json.dumps(value)
