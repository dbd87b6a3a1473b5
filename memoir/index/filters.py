"""Which documents a query may find; and the tables of what metadata say: `field`, by which it does, `item` and `about`.

A field is kept as a hash of its name and value. All hashes have one length, however long the value is, and what is
forgotten leaves no words behind. `item` has the segments in which a memory was found, and so its passages. `about` has
the files of the project that a memory is about.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from memoir.git.objects import sha1
from memoir.index.documents import content
from memoir.memory.origin import ASSISTANT, USER
from memoir.records.metadata import EXPIRES, LINKS, expiry_of
from memoir.records.record import ABOUT
from memoir.taxonomy.paths import RAW_SUFFIX, Address

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


class Condition(NamedTuple):
    """SQL over a document named `d`, and the values of its parameters."""

    sql: str
    values: tuple[object, ...]


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


def items_of(database: apsw.Connection, segments: Sequence[Address]) -> dict[Address, list[tuple[Address, int]]]:
    """The addresses and positions of the memories that were found in some segments, by segment, oldest first."""
    found: dict[Address, list[tuple[Address, int]]] = {segment: [] for segment in segments}
    sql = (
        "SELECT i.namespace, i.path, d.namespace, d.path, d.ordinal FROM item i JOIN document d ON d.id = i.document"
        f" WHERE (i.namespace, i.path) IN (VALUES {','.join(['(?, ?)'] * len(segments))})"
        " ORDER BY d.learnt, d.path, d.ordinal"
    )
    rows: Any = database.execute(sql, [part for segment in segments for part in segment]) if segments else ()
    for source, part, namespace, path, ordinal in rows:
        found[Address(source, part)].append((Address(namespace, path), ordinal))
    return found


def passages_of(database: apsw.Connection, ids: Sequence[int]) -> dict[int, int]:
    """The passage that holds each of some memories word for word, by the memory's id, if there is one."""
    sql = (
        f"SELECT own.id, own.content, d.id, {content('d')} FROM item i JOIN document own ON own.id = i.document"
        " JOIN document d ON d.namespace = i.namespace AND d.path = i.path AND d.role <> ''"
        f" WHERE i.document IN ({','.join(map(str, ids))})"
    )
    rows = database.execute(sql)
    return {item: passage for item, words, passage, text in rows if " ".join(words.split()) in " ".join(text.split())}


def about(database: apsw.Connection, file: str | None) -> list[tuple[Address, int]]:
    """The places of the memories about a file, or about any file below a folder, in order; None: any file."""
    where = "" if file is None else "WHERE a.file = ? OR (a.file > ? AND a.file < ?)"
    values = () if file is None else (file, f"{file}/", f"{file}0")
    sql = f"SELECT DISTINCT d.namespace, d.path, d.ordinal FROM about a JOIN document d ON d.id = a.document {where}"
    return sorted((Address(*address), int(ordinal)) for *address, ordinal in database.execute(sql, values))


def with_field(database: apsw.Connection, name: str, value: str, ids: Iterable[int]) -> set[int]:
    """Those of some documents that have a field."""
    sql = f"SELECT document FROM field WHERE id = ? AND document IN ({','.join(map(str, ids))})"
    return {document for (document,) in database.execute(sql, (field_id(name, value),))}


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
