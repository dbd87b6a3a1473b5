"""The vector leg: cosine over one vector a document.

A document's vector is its own embedding with some of its neighbours' (`NEIGHBOUR_SHARE`), because a
turn of a conversation often makes sense only beside the ones around it.

Where there are many documents, a first pass compares signs alone (one bit a dimension, by Hamming
distance), and only its best are compared in full. Dimensions in which the query is zero, as a hashed one
mostly is, would only add noise: the distances to two queries are added, one with the zeros taken for positive
and one for negative, and there those cancel out.
"""

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import apsw

from memoir.index import state
from memoir.index.database import writing
from memoir.index.embedders.embedder import Embedder, Vector
from memoir.index.filters import Condition
from memoir.index.words import neighbour
from memoir.store.digest import sha1

NEIGHBOUR_SHARE = {-1: 1 / 2, 1: 1 / 4, -2: 1 / 4, 2: 1 / 8}
"""What the embedding of each neighbour counts, by its distance, beside the document's own at 1 (powers of 1/2)."""
FIRST_PASS_FROM = 4000
"""The number of documents from which the first pass saves time."""
FIRST_PASS_KEEPS = 16
"""Survivors of the first pass: at least this many per wanted document, ..."""
FIRST_PASS_SHARE = 64
"""... and at least one in this many documents, because in a large index more are nearly as near."""
_BATCH = 64

Progress = Callable[[int, int], None]
"""Is called with how many contents have been embedded, and how many there are."""


class DimensionMismatch(Exception):
    """The embedder's vectors have another size than those kept under its name, so its model has changed."""


def forget(database: apsw.Connection, embedder: Embedder) -> None:
    """Delete everything that an embedder has computed, so that it is computed again."""
    with writing(database):
        database.execute("DELETE FROM vector WHERE embedder = ?", (embedder.name,))
        state.set_embedder(database, "")
        state.set_embedder(database, embedder.name)


def fill(database: apsw.Connection, embedder: Embedder, progress: Progress) -> None:
    """Give every document the vector of a learned embedder; if that is interrupted, finished vectors are kept.

    Raises:
        EmbedderUnavailable: the embedder cannot work.
    """
    with writing(database):
        state.set_embedder(database, embedder.name)
    while not state.is_embedded(database, embedder.name):
        for done, total, rows in _embedded_contents(database, embedder):
            with writing(database):
                database.executemany("INSERT OR IGNORE INTO vector VALUES(?, ?, ?)", rows)
            progress(done, total)
        with writing(database):
            state.set_embedder(database, embedder.name)
            compose(database, embedder, 5000)


def _embedded_contents(
    database: apsw.Connection, embedder: Embedder
) -> Iterator[tuple[int, int, list[tuple[str, bytes, bytes]]]]:
    """The vectors to keep, in batches: one for the content of every waiting document."""
    wanted: list[Any] = database.execute(
        "SELECT DISTINCT content_id, content FROM document JOIN pending ON document.id = pending.document"
        " WHERE content_id NOT IN (SELECT content FROM vector WHERE embedder = ?)",
        (embedder.name,),
    ).fetchall()
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        vectors = embedder.embed([content for _, content in batch])
        rows = [(embedder.name, key, unit(v).tobytes()) for (key, _), v in zip(batch, vectors, strict=True)]
        yield start + len(batch), len(wanted), rows


def compose(database: apsw.Connection, embedder: Embedder, limit: int) -> None:
    """Compose the vectors of some waiting documents whose parts are known. Call it in a transaction."""
    ids = [document for (document,) in database.execute("SELECT document FROM pending LIMIT ?", (limit,))]
    rows = list(_composed(database, embedder, ids))
    database.executemany("INSERT OR REPLACE INTO embedding VALUES(?, ?)", rows)
    database.executemany(
        "INSERT OR REPLACE INTO signature"
        " SELECT document, vec_quantize_binary(value) FROM embedding WHERE document = ?",
        [(document,) for document, _ in rows],
    )
    database.executemany("DELETE FROM pending WHERE document = ?", [(document,) for document, _ in rows])


def _composed(database: apsw.Connection, embedder: Embedder, ids: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The vectors of some documents, packed: their own embeddings and their neighbours', weighted."""
    what = "content_id" if embedder.learned else "content"
    around = ", ".join(neighbour("other." + what, distance) for distance in NEIGHBOUR_SHARE)
    sql = f"SELECT own.{what}, {around} FROM document own WHERE own.id = ?"
    look_up = _kept(database, embedder.name) if embedder.learned else _computed(database, embedder)
    known = lru_cache(maxsize=20_000)(lambda text: packed(look_up(text)))
    for document in ids:
        (row,) = database.execute(sql, (document,))
        own, *others = (known(text) if text else None for text in row)
        if own and all(vector is None or vector for vector in others):  # an empty one is not known yet
            yield document, _weighted(database, own, others)


def _kept(database: apsw.Connection, name: str) -> Callable[[bytes], Vector]:
    sql = "SELECT value FROM vector WHERE embedder = ? AND content = ?"
    return lambda content: array("f", database.execute(sql, (name, content)).get or b"")


def kept_vectors(database: apsw.Connection, embedder: Embedder) -> Callable[[str], Vector]:
    """Looks up what a learned embedder has computed for a content; an empty vector if nothing."""
    kept = _kept(database, embedder.name)
    return lambda content: kept(sha1(content.encode()))


def _computed(database: apsw.Connection, embedder: Embedder) -> Callable[[str], Vector]:
    def computed(content: str) -> Vector:
        vector = embedder.embed([content])[0]
        return array("f", _sql(database, "vec_normalize(?)", vector)) if any(vector) else vector

    return computed


def _weighted(database: apsw.Connection, own: bytes, others: "Sequence[bytes | None]") -> bytes:
    """A vector with its neighbours', each times its share, and all of that times a power of 2 (only cosines count).

    sqlite-vec does it in a twentieth of Python's time: the largest share first, doubled on the way.
    """
    if all(vector is None for vector in others):
        return own
    if any(vector and len(vector) != len(own) for vector in others):
        raise DimensionMismatch
    before, after, before2, after2 = others
    total = own
    for level in ((before,), (after, before2), (after2,)):
        total = _sql(database, "vec_add(?1, ?1)", total)
        for vector in filter(None, level):
            total = _sql(database, "vec_add(?, ?)", total, vector)
    return total


def _sql(database: apsw.Connection, function: str, *vectors: "bytes | Vector") -> bytes:
    result: bytes = database.execute(f"SELECT {function}", vectors).get
    return result


def unit(vector: Vector) -> Vector:
    """The vector at length 1; zeros stay zeros."""
    length = math.hypot(*vector)
    return array("f", [x / length for x in vector]) if length else vector


def packed(vector: Vector) -> bytes:
    """A vector as sqlite-vec reads it, filled up with zeros to whole bytes of signs."""
    return vector.tobytes() + bytes(4 * (-len(vector) % 8))


def search(
    database: apsw.Connection, query: Vector, where: Condition, pool: int, only: Sequence[int] = ()
) -> list[tuple[int, float]]:
    """The `pool` documents nearest to a query's vector with their cosines (-1 to 1), nearest first.

    Equal ones come in the order of their addresses, as far as the first pass keeps them. With `only`, no other
    documents than those. A query of zeros is near to none.

    Raises:
        DimensionMismatch: the vectors are of another size than the query's.
    """
    if not any(query):
        return []
    size: int | None = database.execute("SELECT length(value) FROM embedding LIMIT 1").get
    if size is not None and size != len(packed(query)):
        raise DimensionMismatch
    values: tuple[object, ...] = (packed(query), *where.values)
    candidates = f"AND e.document IN ({','.join(map(str, only))})" if only else ""
    if not only and state.total(database) > FIRST_PASS_FROM:
        joined = "" if where.sql == "1" else f"JOIN document d ON d.id = s.document WHERE {where.sql}"
        candidates = f"AND e.document IN ({_NEAREST_SIGNS.format(joined=joined)})"
        survivors = max(pool * FIRST_PASS_KEEPS, state.total(database) // FIRST_PASS_SHARE)
        values = (*values, *where.values, *_signs(query), survivors)
    rows = database.execute(
        "SELECT d.id, 1 - vec_distance_cosine(e.value, ?) AS cosine"
        f" FROM embedding e CROSS JOIN document d ON d.id = e.document WHERE {where.sql} {candidates}"
        " ORDER BY cosine DESC, d.namespace, d.path, d.ordinal LIMIT ?",
        (*values, pool),
    )
    return [(document, cosine) for document, cosine in rows if cosine is not None]


_FAR = "vec_distance_hamming(vec_bit(s.value), vec_quantize_binary(?))"
_NEAREST_SIGNS = f"SELECT s.document FROM signature s {{joined}} ORDER BY {_FAR} + {_FAR}, s.value LIMIT ?"


def _signs(query: Vector) -> tuple[bytes, bytes]:
    """A query's signs twice: zeros as positive, and as negative."""
    positive = array("f", [1.0 if x >= 0 else -1.0 for x in query])
    negative = array("f", [1.0 if x > 0 else -1.0 for x in query])
    return packed(positive), packed(negative)
