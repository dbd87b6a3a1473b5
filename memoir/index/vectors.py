"""The vector leg: the cosine of a query with one vector for each document.

A document's vector is the weighted sum of its own embedding and its neighbours' (`NEIGHBOUR_SHARE`), because a turn of
a conversation often makes sense only with the turns around it.

If there are many documents, a first pass compares only signs (`memoir.index.signatures`); then the full vectors of the
best documents are compared.
"""

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

import apsw

from memoir.embedders.embedder import Embedder, Vector
from memoir.english.lexicon.own_words import OwnWords
from memoir.english.lexicon.spotting import with_classes
from memoir.git.objects import sha1
from memoir.index import signatures, state
from memoir.index.database import writing
from memoir.index.documents import content, told_id
from memoir.index.filters import ANY, Condition
from memoir.index.signatures import DimensionMismatch

HIGH = 0.5
"""The median cosine above which it is subtracted."""
_FEWEST = 16
"""The fewest memories for measuring the median."""
_SAMPLE = 64
"""How many memories are compared with each other: those with the least content hashes, a random but stable choice."""
# Vectors of contents alone: vectors that include their neighbours' resemble each other for another reason.
_PAIRS = f"""
WITH sample AS MATERIALIZED (
    SELECT v.content, v.value FROM vector v
    WHERE v.embedder = ? AND v.content IN (SELECT {told_id("document")} FROM document)
    ORDER BY v.content LIMIT {_SAMPLE}
)
SELECT 1 - vec_distance_cosine(a.value, b.value) FROM sample a JOIN sample b ON a.content < b.content
"""


def measure(database: apsw.Connection, embedder: Embedder) -> None:
    """Measure the median cosine, once for each doubling of the number of vectors. Call it in a transaction.

    MiniLM is skipped, because its median is known to be low: a high one would only show many similar memories.
    """
    vectors = state.total(database) - state.count_waiting(database)
    if embedder.is_minilm or vectors < _FEWEST or vectors.bit_length() == state.baseline_bits(database):
        return
    pairs = database.execute(_PAIRS, (state.embedder(database),))
    cosines = sorted(cosine for (cosine,) in pairs if cosine is not None)
    state.baseline.put(database, cosines[len(cosines) // 2] if cosines else 0.0)
    state.baseline_bits.put(database, vectors.bit_length())


def scale(database: apsw.Connection) -> Callable[[float], float]:
    """A function that rescales cosines so that a high median becomes 0, and 1 stays 1.

    The median is the usual cosine of two unrelated memories. With some models, such as the e5 family, any two texts
    have a cosine of 0.7 or more; divided by the best one, all of them would look alike.
    """
    median = state.baseline(database)
    if not HIGH < median < 1:
        return lambda cosine: cosine
    return lambda cosine: max((cosine - median) / (1 - median), -1.0)


NEIGHBOUR_SHARE = {-1: 1 / 2, 1: 1 / 4, -2: 1 / 4, 2: 1 / 8}
"""The weight of each neighbour's embedding by its distance; the document's own has 1. All are powers of 1/2."""


class FirstPass:
    """The limits of the first pass, which compares only signs."""

    def __init__(self, start: int = 4000, keeps: int = 16, share: int = 64) -> None:
        self.start = start
        """The number of documents from which the pass saves time."""
        self.keeps = keeps
        """It keeps at least this many documents for each wanted one."""
        self.share = share
        """It keeps at least one in this many documents, because in a large index more are nearly as near."""


FIRST_PASS = FirstPass()


def forget(database: apsw.Connection, embedder: Embedder) -> None:
    """Delete all vectors of an embedder, so that they are computed again."""
    with writing(database):
        names = (embedder.name, plain_name(embedder))
        database.execute("DELETE FROM vector WHERE embedder IN (?, ?)", names)
        state.set_embedder(database, "")
        state.set_embedder(database, embedder.name)


def compose(database: apsw.Connection, embedder: Embedder, ids: Sequence[int]) -> None:
    """Compose and write the vectors of documents, if the parts are known. Call it in a transaction."""
    rows = list(compose_each(database, embedder, ids))
    database.executemany("INSERT OR REPLACE INTO embedding VALUES(?, ?)", rows)
    signatures.write(database, rows)
    database.executemany("DELETE FROM pending WHERE document = ?", [(document,) for document, _ in rows])


def compose_each(database: apsw.Connection, embedder: Embedder, ids: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The vectors of the documents as bytes: the weighted sums of their own embeddings and their neighbours'."""
    from memoir.index.word_tables import neighbour  # only indexing composes vectors

    own_what, what = map(told_id if embedder.learned else content, ("own", "other"))
    around = ", ".join(neighbour(what, distance) for distance in NEIGHBOUR_SHARE)
    sql = f"SELECT {own_what}, {around} FROM document own WHERE own.id = ?"
    look_up = _lookup(database, embedder.name) if embedder.learned else _computing(database, embedder)
    vector_of = lru_cache(maxsize=20_000)(lambda text: pack(look_up(text)))
    for document in ids:
        (row,) = database.execute(sql, (document,))
        own, *others = (vector_of(text) if text else None for text in row)
        if own and all(vector is None or vector for vector in others):  # an empty vector has not been computed yet
            yield document, quantize(_add_weighted(database, own, others))


Row = tuple[str, bytes, bytes]
"""A row of the table `vector`: the embedder, the id of a content, and the vector."""


def rows_of(
    database: apsw.Connection, embedder: Embedder, contents: Sequence[tuple[bytes, str]], own: "OwnWords"
) -> list[Row]:
    """The rows of the table `vector` for contents, each the id of the embedder's text and the content.

    A text is embedded with the classes of its names added, the store's `own` names included: the model may not know
    what `rollbar` is. If it has any, the vector of the plain text is stored as well, for comparing near-duplicates.
    """
    told = [with_classes(text, own) for _, text in contents]
    plain = [(sha1(text.encode()), text) for (_, text), its in zip(contents, told, strict=True) if its != text]
    names = [embedder.name] * len(told) + [plain_name(embedder)] * len(plain)
    keys = [key for key, _ in (*contents, *plain)]
    values = _embed(database, embedder, [*told, *(text for _, text in plain)])
    return list(zip(names, keys, values, strict=True))


def _embed(database: apsw.Connection, embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """The packed vectors of texts; those stored by `keep` are not computed again."""
    look_up = _lookup(database, plain_name(embedder))
    known = {text: look_up(sha1(text.encode())) for text in texts}
    missing = [text for text, vector in known.items() if not vector]
    known |= zip(missing, map(unit, embedder.embed(missing) if missing else ()), strict=True)
    return [known[text].tobytes() for text in texts]


def write(database: apsw.Connection, embedder: Embedder, rows: Sequence[Row]) -> None:
    """Write rows, and delete the vectors of `keep` for texts without classes, which need only one vector."""
    database.executemany("INSERT OR IGNORE INTO vector VALUES(?, ?, ?)", rows)
    plain = {key for name, key, _ in rows if name != embedder.name}
    done = [(plain_name(embedder), key) for name, key, _ in rows if key not in plain]
    database.executemany("DELETE FROM vector WHERE embedder = ? AND content = ?", done)


def keep(
    database: apsw.Connection, embedder: Embedder, plain: Mapping[str, Vector], told: Mapping[str, Vector]
) -> None:
    """Keep the vectors of texts until the texts are indexed. Call it in a transaction.

    `plain` are the vectors of the plain texts, which stay valid when the store's own words change; `told` are those of
    the texts with the classes of their names added, for texts that have any.
    """
    database.executemany(
        "INSERT OR IGNORE INTO vector SELECT ?1, ?3, ?4"
        " WHERE NOT EXISTS (SELECT 1 FROM vector WHERE embedder = ?2 AND content = ?3)",
        [
            (plain_name(embedder), embedder.name, sha1(text.encode()), vector.tobytes())
            for text, vector in plain.items()
        ],
    )
    rows = [(embedder.name, sha1(text.encode()), vector.tobytes()) for text, vector in told.items()]
    database.executemany("INSERT OR IGNORE INTO vector VALUES(?, ?, ?)", rows)


def plain_name(embedder: Embedder) -> str:
    """The name under which vectors of plain texts are stored, if they differ."""
    return f"{embedder.name}, words alone"


def _lookup(database: apsw.Connection, name: str) -> Callable[[bytes], Vector]:
    sql = "SELECT value FROM vector WHERE embedder = ? AND content = ?"
    return lambda content: array("f", database.execute(sql, (name, content)).get or b"")


def lookup(database: apsw.Connection, embedder: Embedder) -> Callable[[str], Vector]:
    """A function that looks up a learned embedder's vector of a plain content; empty if there is none."""
    plain, told = _lookup(database, plain_name(embedder)), _lookup(database, embedder.name)

    def look_up(content: str) -> Vector:
        key = sha1(content.encode())
        return plain(key) or told(key)

    return look_up


def _computing(database: apsw.Connection, embedder: Embedder) -> Callable[[str], Vector]:
    def compute(content: str) -> Vector:
        vector = embedder.embed([content])[0]
        return array("f", _execute_function(database, "vec_normalize(?)", vector)) if any(vector) else vector

    return compute


def _add_weighted(database: apsw.Connection, own: bytes, others: "Sequence[bytes | None]") -> bytes:
    """Add the vectors of neighbours, each times its share, to a vector; the sum is scaled by a power of 2.

    Only cosines are compared, so the factor does not matter.
    """
    if all(vector is None for vector in others):
        return own
    if any(vector and len(vector) != len(own) for vector in others):
        raise DimensionMismatch
    nothing = bytes(len(own))
    return _execute_function(database, _SUM, own, *(vector or nothing for vector in others))


def _sum_sql() -> str:
    """SQL for the sum, doubled before each smaller share is added; takes a twentieth of Python's time."""
    total = "?1"
    for level in (("?2",), ("?3", "?4"), ("?5",)):  # the others' order is that of NEIGHBOUR_SHARE
        total = f"vec_add({total}, {total})"
        for vector in level:
            total = f"vec_add({total}, {vector})"
    return total


_SUM = _sum_sql()


def _execute_function(database: apsw.Connection, function: str, *vectors: "bytes | Vector") -> bytes:
    result: bytes = database.execute(f"SELECT {function}", vectors).get
    return result


def unit(vector: Vector) -> Vector:
    """A vector scaled to length 1; a vector of zeros is unchanged."""
    length = math.hypot(*vector)
    return array("f", [x / length for x in vector]) if length else vector


def quantize(packed: bytes) -> bytes:
    """A packed vector with one byte for each number, at most 127; cosines change by less than 0.002."""
    vector = array("f", packed)
    scale = 127 / (max(map(abs, vector), default=0.0) or 1.0)
    return array("b", [round(scale * x) for x in vector]).tobytes()


def pack(vector: Vector) -> bytes:
    """Pack a vector as sqlite-vec reads it, with zeros at the end so that its signs fill whole bytes."""
    return vector.tobytes() + bytes(4 * (-len(vector) % 8))


def search(
    database: apsw.Connection,
    query: Vector,
    where: Condition,
    pool: int,
    only: Sequence[int] = (),
    table: str = "embedding",
    first_pass: FirstPass = FIRST_PASS,
) -> list[tuple[int, float]]:
    """The `pool` documents nearest to a query's vector with their cosines (-1 to 1), nearest first.

    Ties are sorted by address, among those that the first pass keeps. With `only`, just these documents are compared. A
    query of zeros has no matches. The first pass is skipped for the table `stand_in`, which has no signs.

    Raises:
        DimensionMismatch: the vectors have another size than the query's.
    """
    if not any(query):
        return []
    size: int | None = database.execute(f"SELECT length(value) FROM {table} LIMIT 1").get
    own = quantize(pack(query))
    if size is not None and size != len(own):
        raise DimensionMismatch
    if table == "embedding" and not only and state.total(database) > first_pass.start:
        only, where = _first_pass(database, query, where, pool, first_pass), ANY
        if not only:
            return []
    if only:
        where = Condition(f"{where.sql} AND e.document IN ({','.join(map(str, only))})", where.values)
    join = "" if where.sql.startswith("1") else "CROSS JOIN document d ON d.id = e.document"
    sql = _NEAREST.format(table=table, join=join, where=where.sql)
    return list(database.execute(sql, (own, *where.values, pool, pool)))


# Documents are looked up only for the order of ties: for the best ones, not for all that are compared.
_NEAREST = (
    "WITH compared AS MATERIALIZED ("
    "SELECT e.document AS id, 1 - vec_distance_cosine(vec_int8(e.value), vec_int8(?)) AS cosine"
    " FROM {table} e {join} WHERE {where}),"
    " best AS MATERIALIZED (SELECT cosine FROM compared WHERE cosine IS NOT NULL ORDER BY cosine DESC LIMIT ?)"
    " SELECT d.id, cosine FROM compared CROSS JOIN document d ON d.id = compared.id"
    " WHERE cosine >= (SELECT min(cosine) FROM best) ORDER BY cosine DESC, d.namespace, d.path, d.ordinal LIMIT ?"
)


def _first_pass(
    database: apsw.Connection, query: Vector, where: Condition, pool: int, limits: FirstPass
) -> Sequence[int]:
    """The documents that pass a filter, without most of those far from the query."""
    keep = max(pool * limits.keeps, state.total(database) // limits.share)
    if where.is_met_by_all:
        return next(signatures.nearest(database, query, keep))
    ids = _select(database, where, "1", keep + 1)
    if len(ids) > keep:
        for near in signatures.nearest(database, query, keep):
            ids = _select(database, where, f"d.id IN ({','.join(map(str, near))})", len(near))
            if len(ids) >= keep:
                break
    return ids


def _select(database: apsw.Connection, where: Condition, among: str, limit: int) -> list[int]:
    sql = f"SELECT d.id FROM document d WHERE {where.sql} AND {among} LIMIT ?"
    return [document for (document,) in database.execute(sql, (*where.values, limit))]
