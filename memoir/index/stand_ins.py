"""Vectors of a quick embedder, which serve as long as a learned one has yet to compute its own, and the two together.

Cosines of two embedders are on two scales, and how far apart these are is different in each store: in a long
conversation the vectors of `minilm` are nearer to every question than those of single facts. So as long as more than
one document in `SPARE` waits, the quick embedder leads: a question is ranked as with that one alone, but that the
documents with a learned vector change places among themselves, as these tell. Each keeps the levels of its group, so
neither group gets before the other by its scale. Where few wait, these get the places that the floors of both tell.
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
"""Where no more than one document in so many waits for a learned vector, the learned embedder leads."""
_PIECE = 500
"""How many documents one transaction gives a stand-in."""
_PAIRED = 1000
"""How many documents with a learned vector have a stand-in too: enough to tell the levels of both."""
_LEVELS = 100
"""How many of the best of these are laid beside each other."""
_PAIRS = Condition("1 AND e.document IN (SELECT document FROM embedding JOIN stand_in USING (document))", ())
_WAITING = "e.document IN (SELECT document FROM pending)"

Cosines = list[tuple[int, float]]
"""Documents with their cosines (-1 to 1), nearest first."""


class StandIn(NamedTuple):
    """A query's vector by the embedder of the stand-ins, and whether that one leads."""

    vector: Vector
    scale: Scale
    leads: bool


class QueryVector(NamedTuple):
    """A query's vector at length 1, its embedder's scale, and what is compared with stand-ins, if there are any."""

    own: Vector
    scale: Scale
    stand_in: StandIn | None = None

    @property
    def leader(self) -> Scale:
        """The scale that cosines are on."""
        return self.stand_in.scale if self.stand_in and self.stand_in.leads else self.scale


def leads(database: apsw.Connection) -> bool:
    """Whether so many documents wait for a learned vector that the quick embedder leads."""
    return SPARE * state.count_waiting(database) > state.total(database)


def keep(database: apsw.Connection, embedder: Embedder) -> None:
    """Keep the vectors of an index of the quick embedder as stand-ins. Call it before the embedder is replaced."""
    if state.embedder(database) == embedder.name:
        _claim(database, embedder)
        database.execute("INSERT OR REPLACE INTO stand_in SELECT document, value FROM embedding")


def add(database: apsw.Connection, embedder: Embedder, allowance: Allowance) -> None:
    """Give stand-ins to the documents that wait for a vector, and to some others, or as long as the allowance lasts."""
    sql = (
        "SELECT * FROM (SELECT document FROM pending WHERE document NOT IN (SELECT document FROM stand_in) LIMIT ?1)"
        " UNION ALL SELECT * FROM (SELECT document FROM embedding"
        " WHERE document NOT IN (SELECT document FROM stand_in) LIMIT max(?2, 0))"
    )
    with writing(database):
        _claim(database, embedder)
    while ids := [document for (document,) in database.execute(sql, (_PIECE, _unpaired(database)))]:
        if not allowance.takes_more():
            return
        with writing(database):
            rows = list(compose_each(database, embedder, ids))
            database.executemany("INSERT OR REPLACE INTO stand_in VALUES(?, ?)", rows)


def _unpaired(database: apsw.Connection) -> int:
    """How many documents with a learned vector should have a stand-in too, and have none."""
    if not leads(database):
        return 0
    sql = "SELECT count(*) FROM embedding JOIN stand_in USING (document)"
    return _PAIRED - int(database.execute(sql).get)


def _claim(database: apsw.Connection, embedder: Embedder) -> None:
    """Delete stand-ins of another embedder."""
    if state.stand_in(database) != embedder.name:
        database.execute("DELETE FROM stand_in")
        state.stand_in.put(database, embedder.name)


def drop(database: apsw.Connection) -> None:
    """Delete the stand-ins that nobody needs any more. Call it in a transaction."""
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
        matches = _rescale(matches, _levels(database, query, query.stand_in))
    else:
        of, to = query.stand_in.scale.floor, query.scale.floor
        matches = _rescale(matches, scale(database))
        others = _rescale(others, lambda cosine: on_scale(cosine, of, to))
    return sorted((*matches, *others), key=lambda each: -each[1])[:pool]


def _levels(database: apsw.Connection, query: QueryVector, stand_in: StandIn) -> Callable[[float], float]:
    """What gives the documents with both vectors the cosines of their stand-ins, in the order of their learned ones."""
    learned, quick = (
        [cosine for _, cosine in reversed(search(database, vector, _PAIRS, _LEVELS, table=table, first_pass=_WHOLE))]
        for vector, table in ((query.own, "embedding"), (stand_in.vector, "stand_in"))
    )
    if not learned or len(learned) != len(quick):
        of, to = query.scale.floor, stand_in.scale.floor
        return lambda cosine: on_scale(cosine, of, to)

    def level(cosine: float) -> float:
        at = bisect_left(learned, cosine)
        if at in (0, len(learned)):  # beyond the best, and below those that were laid beside each other
            end = min(at, len(learned) - 1)
            return quick[end] + cosine - learned[end]
        share = (cosine - learned[at - 1]) / (learned[at] - learned[at - 1])
        return quick[at - 1] + share * (quick[at] - quick[at - 1])

    return level


_WHOLE = FirstPass(start=1 << 62)
"""No first pass: the few that have both vectors are compared in full."""


def _rescale(matches: Cosines, put: Callable[[float], float]) -> Cosines:
    return [(document, put(cosine)) for document, cosine in matches]


def on_scale(cosine: float, of: float, to: float) -> float:
    """A cosine of an embedder whose floor is `of`, on the scale of one whose floor is `to`.

    A floor is what two texts with nothing in common may have. (Of 60 questions about 246 facts the best, the 10th and
    the median cosine were 0.73, 0.52 and 0.32 with `static`, and 0.62, 0.34 and 0.11 with `minilm`; scaled, the first
    three are 0.64, 0.36 and 0.09.)
    """
    return to + (cosine - of) * (1 - to) / (1 - of)
