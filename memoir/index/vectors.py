"""The vector leg: cosine over one vector a document.

A document's vector is its own embedding with some of its neighbours' (`NEIGHBOUR_SHARE`), because a
turn of a conversation often makes sense only beside the ones around it.

Where there are many documents, a first pass compares signs alone (one bit a dimension, by Hamming
distance), and only its best are compared in full.
"""

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import apsw

from memoir.index import state
from memoir.index.database import writing
from memoir.index.embedders.embedder import Embedder, Vector
from memoir.index.filters import Condition
from memoir.index.update import neighbour

NEIGHBOUR_SHARE = {-1: 0.5, 1: 0.25, -2: 0.25, 2: 0.125}
"""What the embedding of each neighbour counts, by its distance, beside the document's own at 1."""
FIRST_PASS_FROM = 4000
"""Documents from which the first pass pays."""
FIRST_PASS_KEEPS = 16
"""Its survivors, as a multiple of the pool that is wanted."""
_BATCH = 64

Progress = Callable[[int, int], None]
"""Told how many contents have been embedded, of how many."""


class Near(NamedTuple):
    """A document found by its vector, and the cosine of the two (-1 to 1)."""

    document: int
    cosine: float


def fill(database: apsw.Connection, embedder: Embedder, progress: Progress) -> None:
    """Give every document its vector, in transactions of its own: what is done stays done if it is interrupted.

    Raises:
        EmbedderUnavailable: the embedder cannot work.
    """
    with writing(database):
        state.adopt(database, embedder.name)
    while not state.is_embedded(database, embedder.name):
        if embedder.learned:
            _embed_contents(database, embedder, progress)
        with writing(database):
            state.adopt(database, embedder.name)
            _compose(database, embedder)


def _embed_contents(database: apsw.Connection, embedder: Embedder, progress: Progress) -> None:
    """Keep a vector for the content of every waiting document; its neighbours' are there or wait as well."""
    wanted = database.execute(
        "SELECT DISTINCT content_id, content FROM document JOIN pending ON document.id = pending.document"
        " WHERE content_id NOT IN (SELECT content FROM vector WHERE embedder = ?)",
        (embedder.name,),
    ).fetchall()
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        vectors = embedder.embed([str(content) for _, content in batch])
        rows = [(embedder.name, key, unit(v).tobytes()) for (key, _), v in zip(batch, vectors, strict=True)]
        with writing(database):
            database.executemany("INSERT OR IGNORE INTO vector VALUES(?, ?, ?)", rows)
        progress(start + len(batch), len(wanted))


def _compose(database: apsw.Connection, embedder: Embedder) -> None:
    """Put the vectors of some waiting documents together, as far as their parts are known."""
    ids = [document for (document,) in database.execute("SELECT document FROM pending LIMIT 5000")]
    rows = [(document, packed(vector)) for document, vector in _composed(database, embedder, ids)]
    database.executemany("INSERT OR REPLACE INTO embedding VALUES(?, ?)", rows)
    database.executemany(
        "INSERT OR REPLACE INTO signature"
        " SELECT document, vec_quantize_binary(value) FROM embedding WHERE document = ?",
        [(document,) for document, _ in rows],
    )
    database.executemany("DELETE FROM pending WHERE document = ?", [(document,) for document, _ in rows])


def _composed(database: apsw.Connection, embedder: Embedder, ids: Sequence[int]) -> Iterator[tuple[int, Vector]]:
    """The vectors of some documents: their own embeddings and their neighbours', weighted."""
    what = "content_id" if embedder.learned else "content"
    around = ", ".join(neighbour("other." + what, distance) for distance in NEIGHBOUR_SHARE)
    sql = f"SELECT own.{what}, {around} FROM document own WHERE own.id = ?"
    known = lru_cache(maxsize=20_000)(_kept(database, embedder.name) if embedder.learned else _computed(embedder))
    for document in ids:
        (row,) = database.execute(sql, (document,))
        parts = [
            (known(text), share) for text, share in zip(row, (1.0, *NEIGHBOUR_SHARE.values()), strict=True) if text
        ]
        if all(vector for vector, _ in parts):
            yield document, _weighted(parts)


def _kept(database: apsw.Connection, name: str) -> Callable[[bytes], Vector]:
    sql = "SELECT value FROM vector WHERE embedder = ? AND content = ?"
    return lambda content: array("f", database.execute(sql, (name, content)).get or b"")


def _computed(embedder: Embedder) -> Callable[[str], Vector]:
    return lambda content: unit(embedder.embed([content])[0])


def _weighted(parts: Sequence[tuple[Vector, float]]) -> Vector:
    (total, _), *others = parts
    for vector, share in others:
        total = array("f", [a + share * b for a, b in zip(total, vector, strict=True)])
    return total


def unit(vector: Vector) -> Vector:
    """The vector at length 1; zeros stay zeros."""
    length = math.sqrt(sum(x * x for x in vector))
    return array("f", [x / length for x in vector]) if length else vector


def packed(vector: Vector) -> bytes:
    """A vector as sqlite-vec reads it, filled up with zeros to whole bytes of signs."""
    return vector.tobytes() + bytes(4 * (-len(vector) % 8))


def search(
    database: apsw.Connection, query: Vector, where: Condition, pool: int, only: Sequence[int] = ()
) -> list[Near]:
    """The `pool` documents nearest to a query's vector, nearest first; equal ones in the order of their addresses.

    With `only`, no other documents than those. A query of zeros is near to none.
    """
    if not any(query):
        return []
    values: tuple[object, ...] = (packed(query), *where.values)
    candidates = f"AND d.id IN ({','.join(map(str, only))})" if only else ""
    if not only and state.total(database) > FIRST_PASS_FROM:
        candidates = f"AND d.id IN ({_NEAREST_SIGNS.format(where=where.sql)})"
        values = (*values, *where.values, packed(query), pool * FIRST_PASS_KEEPS)
    rows = database.execute(
        "SELECT d.id, 1 - vec_distance_cosine(e.value, ?) AS cosine"
        f" FROM embedding e JOIN document d ON d.id = e.document WHERE {where.sql} {candidates}"
        " ORDER BY cosine DESC, d.namespace, d.path, d.ordinal LIMIT ?",
        (*values, pool),
    )
    return [Near(document, cosine) for document, cosine in rows if cosine is not None]


_NEAREST_SIGNS = (
    "SELECT s.document FROM signature s JOIN document d ON d.id = s.document WHERE {where}"
    " ORDER BY vec_distance_hamming(vec_bit(s.value), vec_quantize_binary(?)), s.value LIMIT ?"
)
