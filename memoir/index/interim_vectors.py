"""Vectors of a quick embedder that stand in for those that a learned one has not computed yet.

They go when the document gets its own. Cosines of the two are not on one scale; see `memoir.index.nearest.on_scale`.
"""

import apsw

from memoir.index import state, vectors
from memoir.index.allowance import Allowance
from memoir.index.database import writing
from memoir.index.embedders.embedder import Embedder

_PIECE = 500
"""How many documents one transaction gives a stand-in."""


def keep(database: apsw.Connection, embedder: Embedder) -> None:
    """Keep the vectors of an index of the quick embedder as stand-ins. Call it before the embedder is replaced."""
    if state.embedder(database) == embedder.name:
        _claim(database, embedder)
        database.execute("INSERT OR REPLACE INTO stand_in SELECT document, value FROM embedding")


def add(database: apsw.Connection, embedder: Embedder, allowance: Allowance) -> None:
    """Give stand-ins to the documents that wait for a vector, until all have one or the allowance is over."""
    sql = "SELECT document FROM pending WHERE document NOT IN (SELECT document FROM stand_in) LIMIT ?"
    with writing(database):
        _claim(database, embedder)
    while ids := [document for (document,) in database.execute(sql, (_PIECE,))]:
        if not allowance.takes_more():
            return
        with writing(database):
            rows = list(vectors.compose_each(database, embedder, ids))
            database.executemany("INSERT OR REPLACE INTO stand_in VALUES(?, ?)", rows)


def _claim(database: apsw.Connection, embedder: Embedder) -> None:
    """Delete stand-ins of another embedder."""
    if state.stand_in(database) != embedder.name:
        database.execute("DELETE FROM stand_in")
        state.set_stand_in(database, embedder.name)
