"""Brings the index to a snapshot, reading only the difference between the two trees.

Many new paths are indexed in pieces, each its own transaction: a question that cannot wait is answered from what is
there, and the next one continues, even after a process was killed.

The newest paths come first, as far as they are known without reading every memory: the paths that the last commits
name, or some of those added since the last update. Then come all others from the last key to the first, because paths
with a date or a number mostly grow upwards. One key, `state.rest`, says how far the pieces have come.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import apsw

from memoir.errors import DamagedStore
from memoir.git.objects import Oid
from memoir.index import (
    claim_table,
    concept_table,
    entities,
    filters,
    remains,
    sequence,
    signatures,
    state,
    word_tables,
)
from memoir.index.documents import compress, content, documents, moments_of, name_parts, passage_rows
from memoir.index.request import Limits
from memoir.index.schema import ADD_PRIOR
from memoir.index.word_tables import neighbours, write_words
from memoir.memory.layer_namespaces import layers
from memoir.memory.passages import passages
from memoir.memory.read import key_range
from memoir.memory.speaker import USER
from memoir.records.damage import readable
from memoir.records.record import Record
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.walk import first_parents
from memoir.taxonomy.paths import MEMOIR_NAMESPACES, RAW_SUFFIX, Address, from_key
from memoir.tree.tree import LAST, Delta, diff

_BATCH = 200
_COMPOSED_TABLES = ("pending", "embedding", "stand_in")
"""The tables, beside `words`, that also depend on the neighbours of a document."""
_OWN_TABLES = ("field", "entity", "item", "standing", "concept", "about", "expiry", "claim")

Entry = tuple[bytes, Oid]
"""A key, and the id of its value."""


class _Row(NamedTuple):
    """A document in the index; `people` has a line for each person."""

    id: int
    namespace: str
    people: str
    content: str


def replace(
    database: apsw.Connection, snapshot: Snapshot, stale: Iterable[Address], entries: Sequence[Entry], *, alone: bool
) -> None:
    """Remove the stale paths, add the entries, and write the words of all their neighbours again.

    The added paths must not be in the index. With `alone`, they must have no neighbours there.
    """
    addresses = list(stale)
    for address in addresses:
        _remove(database, address)
    rest = iter(entries)
    fresh: set[int] = set()
    while batch := list(islice(rest, _BATCH)):
        fresh.update(_add_records(database, snapshot, batch))
    addresses += [from_key(key) for key, _ in entries]
    beside = set() if alone else neighbours(database, addresses, fresh)
    for each in ("words WHERE rowid", *(f"{table} WHERE document" for table in _COMPOSED_TABLES)):
        database.executemany(f"DELETE FROM {each} = ?", [(document,) for document in beside])
    signatures.forget(database, beside)
    write_words(database, sorted(fresh | beside))
    sequence.forget_from(database, addresses)


def clear(database: apsw.Connection) -> None:
    """Remove everything."""
    others = ("document", "segment", "person", "name", "moment", "damaged", "insight", "signature")
    tables = (*others, *_COMPOSED_TABLES, *_OWN_TABLES)
    database.execute("".join(f"DELETE FROM {table};" for table in tables))
    database.execute(f"INSERT INTO words(words) VALUES('delete-all'); {ADD_PRIOR}")
    sequence.clear(database)
    for count in (state.total, state.paths, state.given_up):
        count.put(database, 0)


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


def _add_records(database: apsw.Connection, snapshot: Snapshot, batch: Sequence[Entry]) -> Iterator[int]:
    """Insert the documents of the paths, and yield their ids."""
    addresses = [(from_key(key), oid) for key, oid in batch]
    memories_at = [(address, oid) for address, oid in addresses if address.namespace not in MEMOIR_NAMESPACES]
    values = snapshot.blobs(oid for _, oid in memories_at)
    read = [(address, readable(snapshot, address.key, values[oid])) for address, oid in memories_at]
    records = [(address, record) for address, record in read if record is not None]
    damage_rows = [(*address, snapshot.damage[address.full_key]) for address, record in read if record is None]
    database.executemany("INSERT INTO damaged VALUES(?,?,?)", damage_rows)
    sources = set(state.sources(database))
    moments = [each for at, record in records for each in moments_of(at, record, is_source=at.namespace in sources)]
    database.executemany("INSERT INTO moment VALUES(?,?,?,?,?,?)", moments)
    memories = [each for each in records if each[0].namespace not in sources]
    rows = _insert(database, [document for address, record in memories for document in documents(address, record)])
    active = [memory.metadata for _, record in memories for memory in record if memory.active]
    filters.add(database, [(row.id, its) for row, its in zip(rows, active, strict=True)])
    entities.add(database, ((row.id, row.content, its) for row, its in zip(rows, active, strict=True)))
    claim_table.add(database, ((row.id, row.namespace, row.content) for row in rows))
    rows += _add_passages(database, [each for each in records if each[0].namespace in sources])
    concept_table.add(database, ((row.id, row.content) for row in rows))
    if insights := [each for each in records if each[0].may_be_insight]:
        from memoir.index import insight_state  # most records are no insights

        insight_state.add(database, insights)
    state.total.add(database, len(rows))
    state.paths.add(database, len(read))
    _count_persons(database, rows, 1)
    word_tables.add(database, (row.content for row in rows), 1)
    return (row.id for row in rows)


def _add_passages(database: apsw.Connection, segments: Sequence[tuple[Address, Record]]) -> "list[_Row]":
    """Insert the passages of the segments."""
    if not segments:
        return []
    from memoir.index import standing_table  # most stores have no sources

    cut = [(address, record, its) for address, record in segments if (its := passages(record))]
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
        " code, learnt, occurred) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id, namespace, person, content",
        rows,
    )
    return [_Row(*row) for row in inserted]


def _remove(database: apsw.Connection, address: Address) -> None:
    clause = "FROM document WHERE namespace = ? AND path = ?"
    sql = f"SELECT id, namespace, person, {content('document')} {clause}"
    rows = [_Row(*row) for row in database.execute(sql, address)]
    _count_persons(database, rows, -1)
    word_tables.add(database, [row.content for row in rows], -1)
    signatures.forget(database, (row.id for row in rows))
    database.execute(f"DELETE FROM segment WHERE id IN (SELECT content {clause} AND role <> '')", address)
    for each in ("words WHERE rowid", *(f"{table} WHERE document" for table in (*_COMPOSED_TABLES, *_OWN_TABLES))):
        database.execute(f"DELETE FROM {each} IN (SELECT id {clause})", address)
    if address.may_be_insight:
        database.execute("DELETE FROM insight WHERE namespace = ? AND path = ?", address)
    removals = 0
    for table in ("moment", "damaged"):
        database.execute(f"DELETE FROM {table} WHERE namespace = ? AND path = ?", address)
        removals += database.changes()
    state.paths.add(database, -int(removals > 0))
    database.execute(f"DELETE {clause}", address)
    state.total.add(database, -database.changes())


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


_AT_ONCE = 25
"""Records that are read at once to measure their size."""
_COMMITS = 200
"""The number of last commits that are read to find the newest paths."""


def bring_to(database: apsw.Connection, store: Store, snapshot: Snapshot, limits: Limits) -> None:
    """Remove the paths that a snapshot lacks, and add its newest ones. Call it in a write transaction."""
    layer_names = layers(snapshot)
    is_other = _reads_otherwise(database, layer_names)
    sequence.keep_apart(database, layer_names)
    state.set_layers(database, layer_names)
    reread = concept_table.follow(database, snapshot)
    deltas = None if is_other else _deltas(database, store, snapshot)
    if deltas is not None:
        deltas += _deltas_to_reread(snapshot, reread, deltas)
    stale = [delta for delta in deltas or () if delta.old is not None]
    if deltas is None or len(stale) > max(limits.removed_singly, state.paths(database) // 4):
        _begin_anew(database, store, snapshot, limits)
    else:
        _apply_changes(database, snapshot, deltas, stale, limits)
    state.kept_apart.put(database, sum(snapshot.tree.count(*key_range(name)) for name in MEMOIR_NAMESPACES))
    state.root.put(database, snapshot.tree.root or b"")


def _begin_anew(database: apsw.Connection, store: Store, snapshot: Snapshot, limits: Limits) -> None:
    """Clear the index and add the newest paths of a snapshot."""
    if state.paths(database):
        state.remains.put(database, 1)
    clear(database)
    state.set_rest(database, LAST if snapshot.tree.root else None)
    newest_keys = _newest_keys(store, snapshot, limits.paths)
    new = fit(snapshot, list(snapshot.tree.get(newest_keys).items()), limits.most_bytes)
    replace(database, snapshot, (), new, alone=True)


def _apply_changes(
    database: apsw.Connection, snapshot: Snapshot, deltas: Sequence[Delta], stale: Sequence[Delta], limits: Limits
) -> None:
    """Apply changes: remove all `stale` paths, and add new ones within the limits."""
    new = [(delta.key, delta.new) for delta in deltas if delta.new is not None]
    newest = fit(snapshot, new[: limits.paths], limits.most_bytes)
    if len(new) > len(newest):
        state.set_rest(database, LAST)
    if len(stale) > limits.given_up:
        state.given_up.add(database, len(stale))
    replace(database, snapshot, (from_key(delta.key) for delta in stale), newest, alone=False)
    if remains.lose_words(snapshot, stale):
        state.remains.put(database, 1)


def add_piece(database: apsw.Connection, snapshot: Snapshot, limits: Limits) -> bool:
    """Index a further piece of the current snapshot; return False if a record was too large for the limits.

    Call it in a write transaction.
    """
    rest = state.rest(database)
    if rest is None:
        return True
    rank = snapshot.tree.rank(rest)
    low = snapshot.tree.key_at(rank - limits.paths) if rank > limits.paths else b""
    if low >= rest:
        low = b""  # the counts in the tree are wrong, so read all of it
    entries = find_missing(database, list(snapshot.tree.scan(low, rest)))
    last = fit(snapshot, entries[::-1], limits.most_bytes)
    replace(database, snapshot, (), last[::-1], alone=False)
    if len(last) < len(entries):
        low = last[-1][0] if last else rest
    state.set_rest(database, low or None)
    return bool(last) or not entries


def fit(snapshot: Snapshot, entries: Sequence[Entry], most: int | None) -> Sequence[Entry]:
    """The first entries whose records together take at most `most` bytes."""
    if most is None:
        return entries
    size = 0
    for start in range(0, len(entries), _AT_ONCE):
        for number, (_, data) in enumerate(snapshot.values(entries[start : start + _AT_ONCE]), start):
            size += len(data)
            if size > most:
                return entries[:number]
    return entries


def _deltas(database: apsw.Connection, store: Store, snapshot: Snapshot) -> list[Delta] | None:
    """The difference from the index's snapshot; None if that is unknown or has been deleted."""
    old = state.root(database)
    try:
        return list(diff(store.tree(old), snapshot.tree)) if old else None
    except DamagedStore:  # `git gc` has deleted it
        return None


def _deltas_to_reread(snapshot: Snapshot, addresses: Iterable[Address], deltas: Sequence[Delta]) -> list[Delta]:
    """Deltas for unchanged paths that must be indexed again."""
    changed = {delta.key for delta in deltas}
    keys = sorted({address.key for address in addresses} - changed)
    return [Delta(key, oid, oid) for key, oid in snapshot.tree.get(keys).items()] if keys else []


def _reads_otherwise(database: apsw.Connection, layers: Collection[str]) -> bool:
    """Whether an indexed namespace changed from memories to segments of sources, or back."""
    changes = set(state.layers(database)).symmetric_difference(layers)
    sql = "SELECT 1 FROM document WHERE namespace = ? LIMIT 1"
    return any(name.endswith(RAW_SUFFIX) and database.execute(sql, (name,)).get for name in changes)


def _newest_keys(store: Store, snapshot: Snapshot, most: int) -> list[bytes]:
    """The paths that the last commits have written, newest first."""
    keys: dict[bytes, None] = {}
    for commit in islice(first_parents(store, snapshot.commit), _COMMITS):
        keys.update(dict.fromkeys(commit.changes.put if commit.changes else ()))
        if len(keys) >= most:
            break
    return list(keys)[:most]
