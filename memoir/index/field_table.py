"""The tables of what metadata say: `field`, by which a filter finds documents, `item` and `about`.

A field is kept as a hash of its name and value. All hashes have one length, however long the value is, and what is
forgotten leaves no words behind. `item` has the segments in which a memory was found, and so its passages. `about` has
the files of the project that a memory is about.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import apsw

from memoir.git.digest import sha1
from memoir.index.documents import content
from memoir.records.anchor import anchors_of
from memoir.records.expiry import expiry_of
from memoir.records.metadata import EXPIRES, LINKS
from memoir.records.record import ABOUT
from memoir.taxonomy.paths import RAW_SUFFIX


def add_items(database: apsw.Connection, documents: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Note in which segments some memories were found, each an id with its metadata."""
    linked = [each for each in documents if LINKS in each[1]]
    if not linked:
        return
    from memoir.memory.links import targets_of  # most memories have none

    targets = ((document, its) for document, metadata in linked for its in targets_of(metadata, "derives_from"))
    rows = [(document, *segment) for document, segment in targets if segment.namespace.endswith(RAW_SUFFIX)]
    database.executemany("INSERT OR IGNORE INTO item VALUES(?, ?, ?)", rows)


def passages_of(database: apsw.Connection, ids: Sequence[int]) -> dict[int, int]:
    """The passage that holds each of some memories word for word, by the memory's id, if there is one."""
    sql = (
        f"SELECT own.id, own.content, d.id, {content('d')} FROM item i JOIN document own ON own.id = i.document"
        " JOIN document d ON d.namespace = i.namespace AND d.path = i.path AND d.role <> ''"
        f" WHERE i.document IN ({','.join(map(str, ids))})"
    )
    return {item: passage for item, words, passage, text in database.execute(sql) if _flat(words) in _flat(text)}


def _flat(text: str) -> str:
    return " ".join(text.split())


def add_files(database: apsw.Connection, documents: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Note the files that some memories are about, each an id with its metadata."""
    rows = [(anchor.file, document) for document, its in documents if ABOUT in its for anchor in anchors_of(its)]
    database.executemany("INSERT OR IGNORE INTO about VALUES(?, ?)", rows)


def add_expiries(database: apsw.Connection, documents: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Note when some memories expire, each an id with its metadata."""
    ends = ((document, expiry_of(its)) for document, its in documents if EXPIRES in its)
    database.executemany("INSERT INTO expiry VALUES(?, ?)", [(each, end.timestamp()) for each, end in ends if end])


def about(database: apsw.Connection, file: str | None) -> list[tuple[str, str, int]]:
    """The namespaces, paths and ordinals of the memories about a file, or about any below a folder; None: any file."""
    where = "" if file is None else "WHERE a.file = ? OR (a.file > ? AND a.file < ?)"
    values = () if file is None else (file, f"{file}/", f"{file}0")
    sql = f"SELECT DISTINCT d.namespace, d.path, d.ordinal FROM about a JOIN document d ON d.id = a.document {where}"
    return sorted(
        (str(namespace), str(path), int(ordinal)) for namespace, path, ordinal in database.execute(sql, values)
    )


_BYTES = 10
"""The length of a hash: among a thousand million fields, two share one with a probability of 1 in 2 million."""


def field_id(name: str, value: str) -> bytes:
    """The hash of a field's name and value."""
    return sha1(f"{name}\0{value}".encode(errors="surrogatepass"))[:_BYTES]


def add_fields(database: apsw.Connection, documents: Iterable[tuple[int, Mapping[str, Any]]]) -> None:
    """Add the fields of some documents, each an id with the metadata."""
    rows = ((field_id(*field), document) for document, metadata in documents for field in fields_of(metadata))
    database.executemany("INSERT OR IGNORE INTO field VALUES(?, ?)", rows)


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
