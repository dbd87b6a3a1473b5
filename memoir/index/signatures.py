"""The first pass of the vector leg: finds documents whose vectors have nearly the same signs as the query's.

A signature has one bit for each dimension. The distance sums the query's absolute numbers in the dimensions where the
signs differ: among 10,000 memories, the best 900 by that contained 73% of the nearest 50 by `static`, and 62% if each
dimension counts 1.

The signatures of `PER_BLOCK` documents with neighbouring ids are one row of the table `signature`. They are read at
once and compared as columns of bytes, in a tenth of the time of an SQL function called for each document.
"""

import math
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise

import apsw

from memoir.embedders.embedder import Vector

PER_BLOCK = 1024
"""The documents in one row: those whose ids differ only in the last 10 bits."""
_PRESENCE = b"\1"
"""The first byte of a document's signature; without a document, all bytes are zero."""
_ABSENT = 255
"""The distance of a missing document; all others are less."""
_PART = 256
"""How many dimensions are summed in a byte, with weights scaled to fit."""
_FILL = 0.95
"""The share of a byte's range that is used, because a part ends with a whole column."""
_ONES = [int.from_bytes((bytes(1 << bit) + b"\1" * (1 << bit)) * (128 >> bit), "little") for bit in range(8)]
"""For each bit, 256 bytes that are 1 at the byte values with the bit set."""
_ZEROS = [int.from_bytes((b"\1" * (1 << bit) + bytes(1 << bit)) * (128 >> bit), "little") for bit in range(8)]
"""For each bit, 256 bytes that are 1 at the byte values with the bit clear."""


class DimensionMismatch(Exception):
    """The embedder's vectors have another size than the stored ones: its model has changed."""


def write(database: apsw.Connection, vectors: Iterable[tuple[int, bytes]]) -> None:
    """Write the signatures of documents, by their ids and vectors as bytes. Call it in a transaction.

    Raises:
        DimensionMismatch: stored vectors have another size.
    """
    for block, members in groupby(sorted(vectors), lambda member: member[0] // PER_BLOCK):
        rows = [(document, _PRESENCE + _signs(database, vector, "vec_int8")) for document, vector in members]
        width = len(rows[0][1])
        database.execute("INSERT OR IGNORE INTO signature VALUES(?, zeroblob(?))", (block, PER_BLOCK * width))
        with database.blob_open("main", "signature", "value", block, True) as blob:
            if blob.length() != PER_BLOCK * width:
                raise DimensionMismatch
            for document, row in rows:
                blob.seek(document % PER_BLOCK * width)
                blob.write(row)


def forget(database: apsw.Connection, documents: Iterable[int]) -> None:
    """Remove the signatures of documents. Call it in a transaction."""
    for block, members in groupby(sorted(documents), lambda document: document // PER_BLOCK):
        if database.execute("SELECT 1 FROM signature WHERE block = ?", (block,)).get:
            with database.blob_open("main", "signature", "value", block, True) as blob:
                width = blob.length() // PER_BLOCK
                for document in members:
                    blob.seek(document % PER_BLOCK * width)
                    blob.write(bytes(width))


def nearest(database: apsw.Connection, query: Vector, keep: int) -> Iterator[Sequence[int]]:
    """Yield the ids of the documents whose signs differ least from a query's: first `keep`, then more, finally all.

    Equally near documents are kept all or none, so the result does not depend on ids.
    """
    columns = _columns(database, query)
    blocks, rows = _read_blocks(database, len(columns) + 1)
    distances = _distances(rows, columns)
    total = len(distances) - distances.count(_ABSENT)
    while True:
        within = _within(distances, keep)
        near = re.finditer(rb"[\0-%s]" % re.escape(bytes([within])), distances, re.DOTALL)
        ids = [blocks[at // PER_BLOCK] * PER_BLOCK + at % PER_BLOCK for at in (each.start() for each in near)]
        yield ids
        if len(ids) >= total:
            return
        keep *= 4


def _read_blocks(database: apsw.Connection, width: int) -> tuple[list[int], bytes]:
    """The numbers of all blocks, and their signatures, each of `width` bytes."""
    rows: list[tuple[int, bytes]] = list(database.execute("SELECT block, value FROM signature ORDER BY block"))
    if any(len(value) != PER_BLOCK * width for _, value in rows):
        raise DimensionMismatch
    return [block for block, _ in rows], b"".join(value for _, value in rows)


def _signs(database: apsw.Connection, vector: bytes, form: str = "vec_f32") -> bytes:
    signs: bytes = database.execute(f"SELECT vec_quantize_binary({form}(?))", (vector,)).get
    return signs


def _columns(database: apsw.Connection, query: Vector) -> list[bytes]:
    """For each byte of a signature, a table from its value to its share of the distance."""
    wide_query = array("f", (*query, *[0.0] * (-len(query) % 8)))
    weights = _weights(wide_query)
    signs = _signs(database, wide_query.tobytes())
    return [_column(own, weights[8 * at : 8 * at + 8]) for at, own in enumerate(signs)]


def _weights(query: Vector) -> list[int]:
    """The absolute numbers of a query scaled to integers; each rounding error is carried to the next."""
    scale = _FILL * (_ABSENT - 1) * math.ceil(len(query) / _PART) / sum(map(abs, query))
    sums = [int(scale * total) for total in accumulate(map(abs, query), initial=0.0)]
    return [after - before for before, after in pairwise(sums)]


def _column(own: int, weights: Sequence[int]) -> bytes:
    """For each byte value, the summed weights of the bits that differ from the query's byte."""
    most = max(sum(weights), _ABSENT - 1)
    total = 0
    for bit, weight in enumerate(weights):
        differences = _ZEROS[bit] if own >> bit & 1 else _ONES[bit]
        total += weight * (_ABSENT - 1) // most * differences
    return total.to_bytes(256, "little")


def _distances(rows: bytes, columns: Sequence[bytes]) -> bytes:
    """The distance of each document from the query, a byte each: the sum of its columns, averaged over parts."""
    width = len(columns) + 1
    many = len(rows) // width
    parts = [_add_columns(rows[at + 1 :: width].translate(columns[at]) for at in part) for part in _parts(columns)]
    while len(parts) > 1:
        parts += [0] * (len(parts) % 2)
        parts = [_average(one, other, many) for one, other in zip(parts[::2], parts[1::2], strict=True)]
    absent = rows[::width].translate(bytes([_ABSENT]) + bytes(255))
    return (parts[0] | int.from_bytes(absent, "little")).to_bytes(many, "little")


def _parts(columns: Sequence[bytes]) -> list[list[int]]:
    """The columns with any weight, in parts that each add up to less than `_ABSENT`."""
    parts, total = [list[int]()], 0
    for at, column in enumerate(columns):
        most = max(column)
        if total + most >= _ABSENT:
            parts.append([])
            total = 0
        if most:
            parts[-1].append(at)
            total += most
    return parts


def _add_columns(columns: Iterable[bytes]) -> int:
    """Add columns for all documents at once, as the bytes of one integer; no byte overflows."""
    return sum(int.from_bytes(column, "little") for column in columns)


def _average(one: int, other: int, many: int) -> int:
    """The bytewise means of two rows, rounded down: (a & b) + (a ^ b) / 2, without bits shifted into other bytes."""
    halves = int.from_bytes(bytes([127]) * many, "little")
    return (one & other) + (((one ^ other) >> 1) & halves)


def _within(distances: bytes, keep: int) -> int:
    """The least distance that includes at least `keep` documents."""
    count = 0
    for distance in range(_ABSENT):
        count += distances.count(distance)
        if count >= keep:
            return distance
    return _ABSENT - 1
