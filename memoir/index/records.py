"""Adding the records of paths to the index, and removing them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import apsw

from memoir.git.objects import Oid
from memoir.index import entity, item_table, name_table, sequence, signatures, state
from memoir.index.document_text import compress, content
from memoir.index.documents import documents, moments_of, name_parts, passage_rows
from memoir.index.field_table import add_fields
from memoir.index.schema import ADD_PRIOR
from memoir.index.word_table import neighbours, write_words
from memoir.memory.passages import USER
from memoir.records.damage import readable
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import LAYERS_NAMESPACE, TAXONOMY_NAMESPACE, Address, from_key

_BATCH = 200
_NO_MEMORIES = (TAXONOMY_NAMESPACE, LAYERS_NAMESPACE)
_DERIVED_TABLES = (
    ("words", "rowid"),
    ("pending", "document"),
    ("embedding", "document"),
    ("stand_in", "document"),
)
_OWN_TABLES = (("field", "document"), ("entity", "document"), ("item", "document"), ("standing", "document"))
"""Those that depend on the document alone, and not on its neighbours."""

Entry = tuple[bytes, Oid]
"""A key, and the id of its value."""


class _Row(NamedTuple):
    """A document in the index, with its people, a line each."""

    id: int
    namespace: str
    people: str
    content: str


def replace(
    database: apsw.Connection, snapshot: Snapshot, stale: Iterable[Address], entries: Sequence[Entry], *, alone: bool
) -> None:
    """Remove some paths, add others, and write the words of all their neighbours again.

    The added paths must not be in the index. `alone` promises that they have no neighbours in it.
    """
    places = list(stale)
    for address in places:
        _remove(database, address)
    rest = iter(entries)
    fresh: set[int] = set()
    while batch := list(islice(rest, _BATCH)):
        fresh.update(_add(database, snapshot, batch))
    places += [from_key(key) for key, _ in entries]
    beside = set() if alone else neighbours(database, places, fresh)
    for table, column in _DERIVED_TABLES:
        database.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(document,) for document in beside])
    signatures.forget(database, beside)
    write_words(database, sorted(fresh | beside))
    sequence.forget_from(database, places)


def clear(database: apsw.Connection) -> None:
    """Remove everything."""
    others = (table for table, _ in (*_DERIVED_TABLES, *_OWN_TABLES) if table != "words")
    tables = ("document", "segment", "person", "name", "moment", "damaged", "insight", "signature", *others)
    database.execute("".join(f"DELETE FROM {table};" for table in tables))
    database.execute(f"INSERT INTO words(words) VALUES('delete-all'); {ADD_PRIOR}")
    sequence.clear(database)
    state.add_total(database, -state.total(database))
    state.add_paths(database, -state.paths(database))
    state.add_given_up(database, -state.count_given_up(database))


def holds(database: apsw.Connection, namespace: str) -> bool:
    """Whether any document is in a namespace."""
    return bool(database.execute("SELECT EXISTS (SELECT 1 FROM document WHERE namespace = ?)", (namespace,)).get)


def find_missing(database: apsw.Connection, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that are not in the index."""
    import json

    addresses = [from_key(key) for key, _ in entries]
    rows = database.execute(
        "SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?) j WHERE"
        " EXISTS (SELECT 1 FROM moment m WHERE m.namespace = j.value ->> 0 AND m.path = j.value ->> 1)"
        " OR EXISTS (SELECT 1 FROM damaged d WHERE d.namespace = j.value ->> 0 AND d.path = j.value ->> 1)",
        (json.dumps(addresses),),
    )
    old_addresses = {Address(namespace, path) for namespace, path in rows}
    return [entry for entry, address in zip(entries, addresses, strict=True) if address not in old_addresses]


def _add(database: apsw.Connection, snapshot: Snapshot, batch: Sequence[Entry]) -> Iterator[int]:
    """Insert the documents of some paths, and yield the ids of the documents."""
    places = [(from_key(key), oid) for key, oid in batch]
    memory_places = [(place, oid) for place, oid in places if place.namespace not in _NO_MEMORIES]
    values = snapshot.blobs(oid for _, oid in memory_places)
    read = [(place, readable(snapshot, place.key, values[oid])) for place, oid in memory_places]
    records = [(place, record) for place, record in read if record is not None]
    damage_rows = [(*place, snapshot.damage[place.full_key]) for place, record in read if record is None]
    database.executemany("INSERT INTO damaged VALUES(?,?,?)", damage_rows)
    sources = set(state.sources(database))
    moments = [each for at, record in records for each in moments_of(at, record, is_source=at.namespace in sources)]
    database.executemany("INSERT INTO moment VALUES(?,?,?,?,?,?)", moments)
    memories = [each for each in records if each[0].namespace not in sources]
    rows = _insert(database, [document for place, record in memories for document in documents(place, record)])
    active = [memory.metadata for _, record in memories for memory in record if memory.active]
    identified = [(row.id, its) for row, its in zip(rows, active, strict=True)]
    add_fields(database, identified)
    item_table.add(database, identified)
    entity.add(database, ((row.id, row.content, its) for row, its in zip(rows, active, strict=True)))
    rows += _add_passages(database, [each for each in records if each[0].namespace in sources])
    _add_insights(database, [each for each in records if each[0].may_be_insight])
    state.add_total(database, len(rows))
    state.add_paths(database, len(read))
    _count_persons(database, rows, 1)
    name_table.add(database, (row.content for row in rows), 1)
    return (row.id for row in rows)


def _add_passages(database: apsw.Connection, segments: Sequence[tuple[Address, Record]]) -> "list[_Row]":
    """Insert the passages of some segments."""
    if not segments:
        return []
    from memoir.index import standing_table  # most stores have no sources
    from memoir.memory.passages import passages

    cut = [(place, record, its) for place, record in segments if (its := passages(record))]
    packed = [(compress([each.searched for each in its]),) for *_, its in cut]
    ids = database.executemany("INSERT INTO segment(texts) VALUES(?) RETURNING id", packed).fetchall()
    documents = [
        row for each, (segment,) in zip(cut, ids, strict=True) for row in passage_rows(*each, int(str(segment)))
    ]
    texts = [each for *_, its in cut for each in its]
    rows = [row._replace(content=its.searched) for row, its in zip(_insert(database, documents), texts, strict=True)]
    standing_table.add(
        database, ((row.id, row.content) for row, its in zip(rows, texts, strict=True) if its.role == USER)
    )
    return rows


def _insert(database: apsw.Connection, rows: Sequence[tuple[Any, ...]]) -> "list[_Row]":
    """Insert documents."""
    inserted = database.executemany(
        "INSERT INTO document(namespace, path, ordinal, sequence, place, content, content_id, person, role, turn,"
        " learnt, occurred) VALUES(?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id, namespace, person, content",
        rows,
    )
    return [_Row(*row) for row in inserted]


def _add_insights(database: apsw.Connection, records: Sequence[tuple[Address, Record]]) -> None:
    if records:
        from memoir.index import insight_state  # most records are none

        insight_state.add(database, records)


def _remove(database: apsw.Connection, address: Address) -> None:
    clause = "FROM document WHERE namespace = ? AND path = ?"
    sql = f"SELECT id, namespace, person, {content('document')} {clause}"
    rows = [_Row(*row) for row in database.execute(sql, address)]
    _count_persons(database, rows, -1)
    name_table.add(database, [row.content for row in rows], -1)
    signatures.forget(database, (row.id for row in rows))
    database.execute(f"DELETE FROM segment WHERE id IN (SELECT content {clause} AND role <> '')", address)
    for table, column in (*_DERIVED_TABLES, *_OWN_TABLES):
        database.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT id {clause})", address)
    if address.may_be_insight:
        from memoir.index import insight_state

        insight_state.remove(database, address)
    removals = 0
    for table in ("moment", "damaged"):
        database.execute(f"DELETE FROM {table} WHERE namespace = ? AND path = ?", address)
        removals += database.changes()
    state.add_paths(database, -int(removals > 0))
    database.execute(f"DELETE {clause}", address)
    state.add_total(database, -database.changes())


def _count_persons(database: apsw.Connection, documents: "Iterable[_Row]", by: int) -> None:
    rows = [
        (part, document.namespace, name, by)
        for document in documents
        for name in document.people.split("\n")
        for part in name_parts(name)
    ]
    if rows:
        database.executemany(
            "INSERT INTO person VALUES(?1, ?2, ?3, ?4)"
            " ON CONFLICT DO UPDATE SET documents = documents + excluded.documents",
            rows,
        )
    if by < 0:
        database.execute("DELETE FROM person WHERE documents <= 0")
