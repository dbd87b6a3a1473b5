"""The vector leg: cosine over one vector a document.

A document's vector is the weighted sum of its own embedding and its neighbours' (`NEIGHBOUR_SHARE`), because a turn of
a conversation often makes sense only together with the turns around it.

If there are many documents, a first pass compares signs only (`memoir.index.signatures`), and the full vectors of the
best documents are compared after it.
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
"""How many memories it takes to measure."""
_SAMPLE = 64
"""How many memories are compared with each other: those whose contents have the least hashes, whenever they were
written."""
# Of the contents alone: vectors that are mixed with their neighbours' are alike for another reason.
_PAIRS = f"""
WITH sample AS MATERIALIZED (
    SELECT v.content, v.value FROM vector v
    WHERE v.embedder = ? AND v.content IN (SELECT {told_id("document")} FROM document)
    ORDER BY v.content LIMIT {_SAMPLE}
)
SELECT 1 - vec_distance_cosine(a.value, b.value) FROM sample a JOIN sample b ON a.content < b.content
"""


def measure(database: apsw.Connection, embedder: Embedder) -> None:
    """Measure the median cosine, once each time that the index has twice as many vectors. Call it in a transaction.

    That of MiniLM is known to be low: one that is high tells of a store with many memories like each other.
    """
    vectors = state.total(database) - state.count_waiting(database)
    if embedder.is_minilm or vectors < _FEWEST or vectors.bit_length() == state.baseline_bits(database):
        return
    pairs = database.execute(_PAIRS, (state.embedder(database),))
    cosines = sorted(cosine for (cosine,) in pairs if cosine is not None)
    state.baseline.put(database, cosines[len(cosines) // 2] if cosines else 0.0)
    state.baseline_bits.put(database, vectors.bit_length())


def scale(database: apsw.Connection) -> Callable[[float], float]:
    """What puts the cosines of an index on a scale on which its median is 0, if that is high, and 1 stays 1.

    The median is the cosine that two memories have with nothing in common. With some models, such as those of the e5
    family, any two texts have a cosine of 0.7 or more; divided by the best one, all of them would look alike.
    """
    median = state.baseline(database)
    if not HIGH < median < 1:
        return lambda cosine: cosine
    return lambda cosine: max((cosine - median) / (1 - median), -1.0)


NEIGHBOUR_SHARE = {-1: 1 / 2, 1: 1 / 4, -2: 1 / 4, 2: 1 / 8}
"""The weight of each neighbour's embedding by its distance; the document's own has 1. All are powers of 1/2."""


class FirstPass:
    """When signs are compared first, and how many documents are left then."""

    def __init__(self, start: int = 4000, keeps: int = 16, share: int = 64) -> None:
        self.start = start
        """The number of documents from which it saves time."""
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
    """Compose the vectors of documents whose parts are known. Call it in a transaction."""
    rows = list(compose_each(database, embedder, ids))
    database.executemany("INSERT OR REPLACE INTO embedding VALUES(?, ?)", rows)
    signatures.write(database, rows)
    database.executemany("DELETE FROM pending WHERE document = ?", [(document,) for document, _ in rows])


def compose_each(database: apsw.Connection, embedder: Embedder, ids: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The vectors of some documents, composed of their own embeddings and their neighbours', weighted, as bytes."""
    from memoir.index.word_tables import neighbour  # a question composes none

    own_what, what = map(told_id if embedder.learned else content, ("own", "other"))
    around = ", ".join(neighbour(what, distance) for distance in NEIGHBOUR_SHARE)
    sql = f"SELECT {own_what}, {around} FROM document own WHERE own.id = ?"
    look_up = _lookup(database, embedder.name) if embedder.learned else _computer(database, embedder)
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
    """The rows of the table `vector` for some contents, each a text and the id of what is told of it.

    A text is embedded with the classes of the names in it, a store's `own` among them: the model may not know what
    `rollbar` is. If it has any, the vector of its own words is kept too, because near-duplicates are compared by that.
    """
    told = [with_classes(text, own) for _, text in contents]
    plain = [(sha1(text.encode()), text) for (_, text), its in zip(contents, told, strict=True) if its != text]
    names = [embedder.name] * len(told) + [plain_name(embedder)] * len(plain)
    keys = [key for key, _ in (*contents, *plain)]
    values = _embed(database, embedder, [*told, *(text for _, text in plain)])
    return list(zip(names, keys, values, strict=True))


def _embed(database: apsw.Connection, embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """The packed vectors of some texts; those that `keep` has are not computed."""
    look_up = _lookup(database, plain_name(embedder))
    known = {text: look_up(sha1(text.encode())) for text in texts}
    missing = [text for text, vector in known.items() if not vector]
    known |= zip(missing, map(unit, embedder.embed(missing) if missing else ()), strict=True)
    return [known[text].tobytes() for text in texts]


def write(database: apsw.Connection, embedder: Embedder, rows: Sequence[Row]) -> None:
    """Write rows, and delete what `keep` had of texts whose own words have no vector of their own."""
    database.executemany("INSERT OR IGNORE INTO vector VALUES(?, ?, ?)", rows)
    plain = {key for name, key, _ in rows if name != embedder.name}
    done = [(plain_name(embedder), key) for name, key, _ in rows if key not in plain]
    database.executemany("DELETE FROM vector WHERE embedder = ? AND content = ?", done)


def keep(
    database: apsw.Connection, embedder: Embedder, plain: Mapping[str, Vector], told: Mapping[str, Vector]
) -> None:
    """Keep the vectors of texts until the texts are indexed. Call it in a transaction.

    `plain` are those of words alone, which stay right when a store's own words change; `told` are those of the texts
    with the classes of the names in them, for texts that have any.
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
    """The name under which the vectors of words alone are kept, where they differ."""
    return f"{embedder.name}, words alone"


def _lookup(database: apsw.Connection, name: str) -> Callable[[bytes], Vector]:
    sql = "SELECT value FROM vector WHERE embedder = ? AND content = ?"
    return lambda content: array("f", database.execute(sql, (name, content)).get or b"")


def lookup(database: apsw.Connection, embedder: Embedder) -> Callable[[str], Vector]:
    """A function that looks up a learned embedder's vector for a content's own words; empty if there is none."""
    plain, told = _lookup(database, plain_name(embedder)), _lookup(database, embedder.name)

    def look_up(content: str) -> Vector:
        key = sha1(content.encode())
        return plain(key) or told(key)

    return look_up


def _computer(database: apsw.Connection, embedder: Embedder) -> Callable[[str], Vector]:
    def compute(content: str) -> Vector:
        vector = embedder.embed([content])[0]
        return array("f", _sql(database, "vec_normalize(?)", vector)) if any(vector) else vector

    return compute


def _add_weighted(database: apsw.Connection, own: bytes, others: "Sequence[bytes | None]") -> bytes:
    """Add the vectors of neighbours, each times its share, to a vector; the sum is multiplied by a power of 2.

    Only cosines count, so that factor does not matter.
    """
    if all(vector is None for vector in others):
        return own
    if any(vector and len(vector) != len(own) for vector in others):
        raise DimensionMismatch
    nothing = bytes(len(own))
    return _sql(database, _SUM, own, *(vector or nothing for vector in others))


def _sum_sql() -> str:
    """SQL of the sum: it is doubled before each smaller share is added, in a twentieth of the time Python takes."""
    total = "?1"
    for level in (("?2",), ("?3", "?4"), ("?5",)):  # the others' order is that of NEIGHBOUR_SHARE
        total = f"vec_add({total}, {total})"
        for vector in level:
            total = f"vec_add({total}, {vector})"
    return total


_SUM = _sum_sql()


def _sql(database: apsw.Connection, function: str, *vectors: "bytes | Vector") -> bytes:
    result: bytes = database.execute(f"SELECT {function}", vectors).get
    return result


def unit(vector: Vector) -> Vector:
    """A vector divided by its length, so that its length is 1; a vector of zeros stays as it is."""
    length = math.hypot(*vector)
    return array("f", [x / length for x in vector]) if length else vector


def quantize(packed: bytes) -> bytes:
    """A packed vector with a byte a number, the largest being 127: its cosines change by less than 0.002."""
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

    Documents with equal cosines come in the order of their addresses, as far as the first pass keeps them. With
    `only`, no other documents are compared. A query of zeros is near to none. The table `stand_in` has no signs.

    Raises:
        DimensionMismatch: the vectors are of another size than the query's.
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


# Documents are looked up only for the order of equal cosines: for the best ones, not for all that are compared.
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
    """The documents that pass a filter, without most of those that are far from a query."""
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
