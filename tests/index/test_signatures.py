"""The first pass over signs: what is near, what is gone, and vectors of every size."""

from array import array
from random import Random

import pytest

from memoir.embedders.embedder import Vector
from memoir.index import database as files
from memoir.index import signatures
from memoir.index.signatures import PER_BLOCK, DimensionMismatch
from memoir.index.vectors import pack, quantize

SIZES = [8, 26, 128, 256, 384, 1024]
ACROSS = [3, PER_BLOCK - 1, PER_BLOCK, 5 * PER_BLOCK + 7]
"""Ids in three blocks, with some between them that have no rows."""


def _vectors(size: int, many: int) -> dict[int, Vector]:
    chance = Random(size)
    ids = [*ACROSS, *range(10, 10 + many)]
    return {document: array("f", [chance.gauss(0, 1) for _ in range(size)]) for document in ids}


def _distance(query: Vector, vector: Vector) -> float:
    return sum(abs(one) for one, other in zip(query, vector, strict=True) if (one > 0) != (other > 0))


@pytest.mark.parametrize("size", SIZES)
def test_documents_come_by_how_much_of_the_query_has_other_signs(size: int) -> None:
    database, vectors, query = files.in_memory(), _vectors(size, 100), _vectors(size, 0)[3]
    signatures.write(database, [(document, quantize(pack(vector))) for document, vector in vectors.items()])

    first, *more = signatures.nearest(database, query, 5)

    order = sorted(vectors, key=lambda document: _distance(query, vectors[document]))
    assert order[0] in first and 5 <= len(first) < 50 and set(first) <= set(order[:25])
    assert [len(each) for each in more] == sorted(len(each) for each in more) and sorted(more[-1]) == sorted(vectors)


def test_a_dimension_in_which_the_query_is_zero_says_nothing() -> None:
    database = files.in_memory()
    near, far = array("f", [1.0, -1.0] * 8), array("f", [-1.0, 1.0] * 8)
    signatures.write(database, [(1, quantize(pack(near))), (2, quantize(pack(far))), (3, quantize(pack(near)))])

    assert next(signatures.nearest(database, array("f", [0.0, -2.0] + [0.0] * 14), 1)) == [1, 3]


def test_what_is_forgotten_is_not_found_and_leaves_nothing() -> None:
    database, vectors = files.in_memory(), _vectors(128, 0)
    signatures.write(database, [(document, quantize(pack(vector))) for document, vector in vectors.items()])
    one, *others = ACROSS

    signatures.forget(database, [*others, 4 * PER_BLOCK])

    assert list(signatures.nearest(database, vectors[others[0]], 1)) == [[one]]
    rows: list[bytes] = [value for (value,) in database.execute("SELECT value FROM signature")]
    assert sum(any(value) for value in rows) == 1


def test_vectors_of_another_size_are_refused() -> None:
    database, vectors = files.in_memory(), _vectors(128, 0)
    signatures.write(database, [(3, quantize(pack(vectors[3])))])

    with pytest.raises(DimensionMismatch):
        signatures.write(database, [(4, quantize(pack(array("f", [1.0] * 64))))])
    with pytest.raises(DimensionMismatch):
        next(signatures.nearest(database, array("f", [1.0] * 64), 1))
