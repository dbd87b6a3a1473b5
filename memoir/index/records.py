"""Adding the records of paths to the index, and removing them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import apsw

from memoir.index import entity, items, names, sequence, signatures, state
from memoir.index.documents import documents, moments_of, name_parts, passage_rows
from memoir.index.fields import add_fields
from memoir.index.schema import ADD_PRIOR
from memoir.index.words import neighbours, write_words
from memoir.memory.damage import readable
from memoir.memory.passages import USER
from memoir.memory.record import Record
from memoir.store.oid import Oid
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
    tables = ("document", "person", "name", "moment", "damaged", "insight", "signature", *others)
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
    moments = [moment for place, record in records for moment in moments_of(place, record)]
    database.executemany("INSERT INTO moment VALUES(?,?,?,?,?)", moments)
    sources = set(state.sources(database))
    memories = [each for each in records if each[0].namespace not in sources]
    rows = _insert(database, [document for place, record in memories for document in documents(place, record)])
    active = [memory.metadata for _, record in memories for memory in record if memory.active]
    identified = [(int(identity), its) for (identity, *_), its in zip(rows, active, strict=True)]
    add_fields(database, identified)
    items.add(database, identified)
    pairs = zip(rows, active, strict=True)
    entity.add(database, ((int(str(identity)), str(content), its) for (identity, *_, content), its in pairs))
    segments = [each for each in records if each[0].namespace in sources]
    rows += _add_passages(database, segments)
    _add_insights(database, [each for each in records if each[0].may_be_insight])
    state.add_total(database, len(rows))
    state.add_paths(database, len(read))
    _count_persons(database, [(str(namespace), str(people)) for _, namespace, people, _ in rows if people], 1)
    names.add(database, (str(content) for *_, content in rows), 1)
    return (int(str(identity)) for identity, *_ in rows)


def _add_passages(database: apsw.Connection, segments: Sequence[tuple[Address, Record]]) -> list[tuple[Any, ...]]:
    """Insert the passages of some segments."""
    if not segments:
        return []
    from memoir.index import standing  # most stores have no sources

    passages = [passage for place, record in segments for passage in passage_rows(place, record)]
    rows = _insert(database, passages)
    pairs = zip(rows, passages, strict=True)
    standing.add(database, ((int(row[0]), str(row[3])) for row, passage in pairs if USER in passage))
    return rows


def _insert(database: apsw.Connection, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Insert documents; their ids, namespaces, people and contents."""
    return database.executemany(
        "INSERT INTO document(namespace, path, ordinal, sequence, place, content, content_id, person, role, turn,"
        " learnt, occurred) VALUES(?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id, namespace, person, content_of(content)",
        rows,
    ).fetchall()


def _add_insights(database: apsw.Connection, records: Sequence[tuple[Address, Record]]) -> None:
    if records:
        from memoir.index import insights  # most records are none

        insights.add(database, records)


def _remove(database: apsw.Connection, address: Address) -> None:
    clause = "FROM document WHERE namespace = ? AND path = ?"
    rows = database.execute(f"SELECT id, namespace, person, content_of(content) {clause}", address).fetchall()
    _count_persons(database, [(str(namespace), str(people)) for _, namespace, people, _ in rows if people], -1)
    names.add(database, [str(content) for *_, content in rows], -1)
    signatures.forget(database, (int(str(identity)) for identity, *_ in rows))
    for table, column in (*_DERIVED_TABLES, *_OWN_TABLES):
        database.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT id {clause})", address)
    if address.may_be_insight:
        from memoir.index import insights

        insights.remove(database, address)
    removals = 0
    for table in ("moment", "damaged"):
        database.execute(f"DELETE FROM {table} WHERE namespace = ? AND path = ?", address)
        removals += database.changes()
    state.add_paths(database, -int(removals > 0))
    database.execute(f"DELETE {clause}", address)
    state.add_total(database, -database.changes())


def _count_persons(database: apsw.Connection, people: Iterable[tuple[str, str]], by: int) -> None:
    rows = [
        (part, namespace, name, by)
        for namespace, text in people
        for name in text.split("\n")
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
