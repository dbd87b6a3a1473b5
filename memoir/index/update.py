"""Bringing the index to a snapshot: what differs between its trees is read, and nothing else.

The words of a document hold some text of its neighbours, so a change touches them as well.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import apsw

from memoir.errors import DamagedStore
from memoir.index import state
from memoir.index.documents import documents, moments_of, name_parts, place_of, sequence_of
from memoir.memory.read import key_range
from memoir.memory.record import decode
from memoir.store.diff import Delta, diff
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE, Address, from_key

REACH = 2
"""How many neighbours on either side stand in a document's words."""
NEIGHBOUR_CHARACTERS = 500
"""How much of each neighbour's content does."""
_BATCH = 500
_DERIVED = (("words", "rowid"), ("pending", "document"), ("embedding", "document"), ("signature", "document"))


def bring_to(database: apsw.Connection, store: Store, snapshot: Snapshot) -> None:
    """Make the index hold a snapshot. Call it inside a write transaction."""
    old = state.root(database)
    deltas = _deltas(database, store, old, snapshot)
    rest = iter(deltas)
    fresh: set[int] = set()
    while batch := list(islice(rest, _BATCH)):
        fresh.update(_apply(database, batch, snapshot))
    beside = _neighbours(database, (from_key(delta.key) for delta in deltas)) - fresh if old else set()
    for table, column in _DERIVED:
        database.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(document,) for document in beside])
    _write_words(database, sorted(fresh | beside))
    low, high = key_range(TAXONOMY_NAMESPACE)
    if any(low <= delta.key < high for delta in deltas):
        state.has_categories(database, snapshot.tree.count(low, high))
    state.arrived(database, snapshot.tree.root or b"")


def _deltas(database: apsw.Connection, store: Store, old: bytes, snapshot: Snapshot) -> list[Delta]:
    if old:
        try:
            return list(diff(store.tree(old), snapshot.tree))
        except DamagedStore:  # the old snapshot is gone for good, as after `git gc`: begin anew
            state.grew(database, -state.total(database))
            state.has_categories(database, 0)
            tables = ("document", "person", "moment", *(table for table, _ in _DERIVED if table != "words"))
            database.execute("".join(f"DELETE FROM {table};" for table in tables))
            database.execute("DELETE FROM words WHERE rowid > 0")  # those below are no documents
    return list(diff(store.tree(None), snapshot.tree))


def _apply(database: apsw.Connection, batch: Sequence[Delta], snapshot: Snapshot) -> Iterator[int]:
    """Replace the documents of some keys; gives the ids of the new ones."""
    for delta in batch:
        if delta.old is not None:
            _remove(database, from_key(delta.key))
    values = snapshot.blobs(delta.new for delta in batch)
    places = {from_key(delta.key): delta.new for delta in batch if delta.new is not None}
    records = {place: decode(values[oid]) for place, oid in places.items() if place.namespace != TAXONOMY_NAMESPACE}
    added = [document for place, record in records.items() for document in documents(place, record)]
    moments = [moment for place, record in records.items() for moment in moments_of(place, record)]
    database.executemany("INSERT INTO moment VALUES(?,?,?,?,?)", moments)
    rows = database.executemany(
        "INSERT INTO document(namespace, path, ordinal, sequence, place, content, content_id, person, learnt, occurred)"
        " VALUES(?,?,?,?,?,?,?,?,?,?) RETURNING id, namespace, person",
        added,
    ).fetchall()
    state.grew(database, len(rows))
    _count_persons(database, [(str(namespace), str(names)) for _, namespace, names in rows if names], 1)
    return (int(str(identity)) for identity, _, _ in rows)


def _remove(database: apsw.Connection, address: Address) -> None:
    gone = "FROM document WHERE namespace = ? AND path = ?"
    people = database.execute(f"SELECT namespace, person {gone} AND person <> ''", address)
    _count_persons(database, [(str(namespace), str(names)) for namespace, names in people], -1)
    for table, column in _DERIVED:
        database.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT id {gone})", address)
    database.execute("DELETE FROM moment WHERE namespace = ? AND path = ?", address)
    database.execute(f"DELETE {gone}", address)
    state.grew(database, -database.changes())


def _count_persons(database: apsw.Connection, people: Iterable[tuple[str, str]], by: int) -> None:
    rows = [
        (part, namespace, name, by)
        for namespace, names in people
        for name in names.split("\n")
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


def _neighbours(database: apsw.Connection, changed: Iterable[Address]) -> set[int]:
    """The documents within reach of a changed path."""
    found: set[int] = set()
    for address in changed:
        for side in ("< ?2 ORDER BY place DESC", "> ?3 ORDER BY place"):
            rows = database.execute(
                f"SELECT id FROM document WHERE sequence = ?1 AND place {side} LIMIT ?4",
                (sequence_of(address), place_of(address, ""), place_of(address, "~"), REACH),
            )
            found.update(row[0] for row in rows)
    return found


def neighbour(what: str, distance: int) -> str:
    """SQL for something of the document so many places before (negative) or after the one named `own`."""
    side, order = ("<", "DESC") if distance < 0 else (">", "ASC")
    return (
        f"(SELECT {what} FROM document other WHERE other.sequence = own.sequence AND other.place {side} own.place"
        f" ORDER BY other.place {order} LIMIT 1 OFFSET {abs(distance) - 1})"
    )


def _write_words(database: apsw.Connection, ids: Sequence[int]) -> None:
    """Index the words of some documents, and let them wait for their vectors, which hold neighbours too."""
    start = f"substr(other.content, 1, {NEIGHBOUR_CHARACTERS})"
    texts = ", ".join(neighbour(start, distance) for distance in (-1, 1, -2, 2))
    for at in range(0, len(ids), _BATCH):
        batch = f"id IN ({','.join(map(str, ids[at : at + _BATCH]))})"
        database.execute(
            "INSERT INTO words(rowid, content, path, person, before, after, before2, after2)"
            " SELECT id, content, replace(replace(replace(path, '.', ' '), '_', ' '), '-', ' '), person,"
            f" {texts} FROM document own WHERE {batch}"
        )
        database.execute(f"INSERT INTO pending SELECT id FROM document WHERE {batch}")
