"""Stand-ins: vectors of a quick embedder, used until a learned one has computed its own, and the mixing of both.

Cosines of two embedders have different scales, and the difference varies between stores: in a long conversation,
vectors of `minilm` are nearer to every question than those of single facts. As long as more than one document in
`SPARE` waits, the quick embedder leads: documents are ranked by its cosines, and those with a learned vector exchange
places among themselves by their learned cosines. They keep the cosine levels of their group, so neither group gains by
its scale. If few documents wait, their quick cosines are rescaled by the floors of both embedders.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

import apsw

from memoir.embedders.embedder import Embedder, Scale, Vector
from memoir.index import state
from memoir.index.database import writing
from memoir.index.filters import Condition
from memoir.index.request import Allowance
from memoir.index.vectors import FIRST_PASS, FirstPass, compose_each, scale, search

SPARE = 10
"""If at most one document in this many waits for a learned vector, the learned embedder leads."""
_PIECE = 500
"""The documents that get a stand-in in one transaction."""
_PAIRED = 1000
"""The documents with a learned vector that also get a stand-in: enough to compare the levels of both."""
_LEVELS = 100
"""How many of the best of these are compared."""
_PAIRS = Condition("1 AND e.document IN (SELECT document FROM embedding JOIN stand_in USING (document))", ())
_WAITING = "e.document IN (SELECT document FROM pending)"

Cosines = list[tuple[int, float]]
"""Documents with their cosines (-1 to 1), nearest first."""


class StandIn(NamedTuple):
    """A query's vector by the quick embedder, and whether that embedder leads."""

    vector: Vector
    scale: Scale
    leads: bool


class QueryVector(NamedTuple):
    """A query's vector at length 1, its embedder's scale, and the query's quick vector if there are stand-ins."""

    own: Vector
    scale: Scale
    stand_in: StandIn | None = None

    @property
    def leader(self) -> Scale:
        """The scale of the resulting cosines."""
        return self.stand_in.scale if self.stand_in and self.stand_in.leads else self.scale


def leads(database: apsw.Connection) -> bool:
    """Whether so many documents wait for a learned vector that the quick embedder leads."""
    return SPARE * state.count_waiting(database) > state.total(database)


def keep(database: apsw.Connection, embedder: Embedder) -> None:
    """Keep the quick embedder's vectors as stand-ins. Call it before the embedder is replaced."""
    if state.embedder(database) == embedder.name:
        _drop_others(database, embedder)
        database.execute("INSERT OR REPLACE INTO stand_in SELECT document, value FROM embedding")


def add(database: apsw.Connection, embedder: Embedder, allowance: Allowance) -> None:
    """Compute stand-ins for waiting documents and some others, within the allowance."""
    sql = (
        "SELECT * FROM (SELECT document FROM pending WHERE document NOT IN (SELECT document FROM stand_in) LIMIT ?1)"
        " UNION ALL SELECT * FROM (SELECT document FROM embedding"
        " WHERE document NOT IN (SELECT document FROM stand_in) LIMIT max(?2, 0))"
    )
    with writing(database):
        _drop_others(database, embedder)
    while ids := [document for (document,) in database.execute(sql, (_PIECE, _unpaired(database)))]:
        if not allowance.takes_more():
            return
        with writing(database):
            rows = list(compose_each(database, embedder, ids))
            database.executemany("INSERT OR REPLACE INTO stand_in VALUES(?, ?)", rows)


def _unpaired(database: apsw.Connection) -> int:
    """The number of documents with a learned vector that still need a stand-in for comparison."""
    if not leads(database):
        return 0
    sql = "SELECT count(*) FROM embedding JOIN stand_in USING (document)"
    return _PAIRED - int(database.execute(sql).get)


def _drop_others(database: apsw.Connection, embedder: Embedder) -> None:
    """Delete stand-ins of another embedder."""
    if state.stand_in(database) != embedder.name:
        database.execute("DELETE FROM stand_in")
        state.stand_in.put(database, embedder.name)


def drop(database: apsw.Connection) -> None:
    """Delete stand-ins that are no longer needed. Call it in a transaction."""
    if not state.has_waiting(database):
        database.execute("DELETE FROM stand_in")
    elif not leads(database):
        database.execute("DELETE FROM stand_in WHERE document IN (SELECT document FROM embedding)")


def nearest(
    database: apsw.Connection,
    query: QueryVector,
    where: Condition,
    pool: int,
    only: Sequence[int] = (),
    first_pass: FirstPass = FIRST_PASS,
) -> Cosines:
    """The `pool` documents nearest to a query with their cosines, nearest first; see `memoir.index.vectors.search`."""
    matches = search(database, query.own, where, pool, only, first_pass=first_pass)
    if query.stand_in is None:
        return _rescale(matches, scale(database))
    waiting = Condition(f"{where.sql} AND {_WAITING}", where.values)
    others = search(database, query.stand_in.vector, waiting, pool, only, table="stand_in")
    if query.stand_in.leads:
        matches = _rescale(matches, _level_function(database, query, query.stand_in))
    else:
        of, to = query.stand_in.scale.floor, query.scale.floor
        matches = _rescale(matches, scale(database))
        others = _rescale(others, lambda cosine: on_scale(cosine, of, to))
    return sorted((*matches, *others), key=lambda each: -each[1])[:pool]


def _level_function(database: apsw.Connection, query: QueryVector, stand_in: StandIn) -> Callable[[float], float]:
    """A function from learned to quick cosines: those of documents with both vectors, matched by rank."""
    learned, quick = (
        [cosine for _, cosine in reversed(search(database, vector, _PAIRS, _LEVELS, table=table, first_pass=_WHOLE))]
        for vector, table in ((query.own, "embedding"), (stand_in.vector, "stand_in"))
    )
    if not learned or len(learned) != len(quick):
        of, to = query.scale.floor, stand_in.scale.floor
        return lambda cosine: on_scale(cosine, of, to)

    def level(cosine: float) -> float:
        at = bisect_left(learned, cosine)
        if at in (0, len(learned)):  # beyond the best or the worst compared
            end = min(at, len(learned) - 1)
            return quick[end] + cosine - learned[end]
        share = (cosine - learned[at - 1]) / (learned[at] - learned[at - 1])
        return quick[at - 1] + share * (quick[at] - quick[at - 1])

    return level


_WHOLE = FirstPass(start=1 << 62)
"""No first pass: the few documents with both vectors are compared in full."""


def _rescale(matches: Cosines, put: Callable[[float], float]) -> Cosines:
    return [(document, put(cosine)) for document, cosine in matches]


def on_scale(cosine: float, of: float, to: float) -> float:
    """Convert a cosine from the scale of an embedder with the floor `of` to one with the floor `to`.

    The floor is the cosine that two unrelated texts may have. (For 60 questions about 246 facts, the best, the 10th and
    the median cosine were 0.73, 0.52 and 0.32 with `static`, and 0.62, 0.34 and 0.11 with `minilm`; scaled, the first
    three are 0.64, 0.36 and 0.09.)
    """
    return to + (cosine - of) * (1 - to) / (1 - of)
