"""The documents around one: those before and after it in its sequence."""

import apsw

from memoir.index.documents import place_of, sequence_id
from memoir.taxonomy.paths import Address

Place = tuple[Address, int]
"""A document's address, and its position among the memories there."""


def around(database: apsw.Connection, place: Place, reach: int) -> list[tuple[int, Place]]:
    """Up to `reach` documents before one and as many after it, in order, each with its distance (-1: right before)."""
    before = _beside(database, place, "< ? ORDER BY place DESC", reach)
    after = _beside(database, place, "> ? ORDER BY place", reach)
    return [*reversed([(-n, each) for n, each in enumerate(before, 1)]), *enumerate(after, 1)]


def _beside(database: apsw.Connection, place: Place, side: str, reach: int) -> list[Place]:
    address, ordinal = place
    sql = f"SELECT namespace, path, ordinal FROM document WHERE sequence = ? AND place {side} LIMIT ?"
    rows = database.execute(sql, (sequence_id(address), place_of(address, ordinal), reach))
    return [(Address(namespace, path), number) for namespace, path, number in rows]
