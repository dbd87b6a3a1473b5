"""The table `field`: which documents have which fields of metadata, so that a filter finds them by one seek.

A field is kept as a hash of its name and value. All hashes have one length, however long the value is, and what is
forgotten leaves no words behind.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import apsw

from memoir.git.digest import sha1

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
