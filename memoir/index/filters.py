"""Which documents a query may find; and the tables of what metadata say: `field`, by which it does, `item` and `about`.

A field is kept as a hash of its name and value. All hashes have one length, however long the value is, and what is
forgotten leaves no words behind. `item` has the segments in which a memory was found, and so its passages. `about` has
the files of the project that a memory is about.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from memoir.git.objects import sha1
from memoir.memory.origin import ASSISTANT, USER
from memoir.records.metadata import EXPIRES, LINKS, expiry_of
from memoir.records.record import ABOUT
from memoir.taxonomy.paths import RAW_SUFFIX

NAMELESS = (USER, ASSISTANT)
"""Who speaks in a chat without a name, so that a passage has only the role."""


class Filter(NamedTuple):
    """Conditions on documents: in one of some namespaces, matching one of some globs, about a person, of a time.

    Empty and None mean no condition, but that layers are left out unless `namespaces`, `paths` or `under` name them.
    Times are seconds since 1970, both ends included. `paths` are exact paths, and `under` are prefixes that a path must
    be at or below, both as (namespace, path). `metadata` are fields as (name, value), all of which the metadata must
    have; see `memoir.index.filters.fields_of`. `sources` says whether what was said in the namespaces is meant too:
    `no`, `yes`, or `only` that. With `holds_at`, a time, what has expired by then is left out. `origins` are words of
    `memoir.records.origins`, of which the memory must have one.
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
"""The length of a hash: among a thousand million fields, two share one with a probability of 1 in 2 million."""


def field_id(name: str, value: str) -> bytes:
    """The hash of a field's name and value."""
    return sha1(f"{name}\0{value}".encode(errors="surrogatepass"))[:_BYTES]


def add(database: apsw.Connection, memories: Sequence[tuple[int, Mapping[str, Any]]]) -> None:
    """Note what the metadata of some memories say, each an id with its metadata.

    That is their fields, when they expire, the segments in which they were found, and the files that they are about.
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
        from memoir.records.anchor import anchors_of  # a query needs neither this nor the parser of dates

        files = [(anchor.file, document) for document, its in tied for anchor in anchors_of(its)]
        database.executemany("INSERT OR IGNORE INTO about VALUES(?, ?)", files)


def fields_of(metadata: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The fields of metadata as (name, value), both as people write them.

    A list has a field for each item. The fields inside an object have its name and a dot before theirs. What is not a
    string is written as JSON.
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
