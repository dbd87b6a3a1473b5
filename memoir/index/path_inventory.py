"""The inventory: which paths there are, and how the memories at each begin."""

from functools import partial
from typing import NamedTuple

import apsw

from memoir.index.documents import content
from memoir.index.filters import Condition
from memoir.taxonomy.paths import Address

SAMPLE_CHARACTERS = 100


class InventoryEntry(NamedTuple):
    """One path of the inventory: how many memories it holds, and the first characters of the first."""

    address: Address
    count: int  # type: ignore[assignment]  # hides the method of tuples
    sample: str

    @property
    def kind(self) -> str:
        """`single` or `aggregated`."""
        return "single" if self.count == 1 else "aggregated"


def inventory(database: apsw.Connection, where: Condition, limit: int | None = None) -> list[InventoryEntry]:
    """The paths of the documents that meet a condition, sorted; the first `limit` of them."""
    rows = database.execute(
        f"SELECT d.namespace, d.path, count(*), substr({content('d')}, 1, {SAMPLE_CHARACTERS}), min(d.ordinal)"
        f" FROM document d WHERE {where.sql} GROUP BY d.namespace, d.path ORDER BY d.namespace, d.path LIMIT ?",
        (*where.values, -1 if limit is None else limit),
    )
    columns = list(zip(*rows, strict=True))
    if not columns:
        return []
    names, paths, counts, samples, _ = columns
    # An inventory may be of the whole store: these are the tuples' own constructors, without a call in Python for each.
    addresses = map(partial(tuple.__new__, Address), zip(names, paths, strict=True))
    return list(map(partial(tuple.__new__, InventoryEntry), zip(addresses, counts, samples, strict=True)))
