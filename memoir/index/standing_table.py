"""The table `standing`: the standing instructions of users to an assistant, each clause with its vector.

A chat has few such clauses, so the cosine has to choose among only these. The vectors are always those of `static`,
because a question must not wait for another embedder.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import apsw

from memoir.embedders.static import StaticEmbedder
from memoir.index.filters import Condition
from memoir.index.lexical import Terms
from memoir.index.vectors import pack

if TYPE_CHECKING:
    from memoir.english.lasting.instructions import StandingClause

FLOOR = 0.3
"""The least cosine of a clause, or of its scope, with a question."""


class StandingMatch:
    """A clause that matches a question: its document, kind, words, and cosine with the question."""

    def __init__(self, document: int, kind: str, text: str, cosine: float) -> None:
        self.document, self.kind, self.text, self.cosine = document, kind, text, cosine


def add(database: apsw.Connection, passages: Iterable[tuple[int, str]]) -> None:
    """Add the clauses in passages of users, each an id and a text."""
    from memoir.english.lasting.instructions import find_standing  # only indexing compiles these phrases

    clauses = [(document, each) for document, text in passages for each in find_standing(text)]
    if clauses:
        rows = [(document, *clause[:2], *_vectors(clause)) for document, clause in clauses]
        database.executemany("INSERT INTO standing VALUES(?, ?, ?, ?, ?)", rows)


def nearest(
    database: apsw.Connection, terms: Terms, query: str, kind: str, where: Condition, limit: int, floor: float
) -> Iterator[StandingMatch]:
    """The clauses of a kind nearest to a question, nearest first, in documents that meet the condition.

    Clauses with a cosine below `floor` are left out.
    """
    vector = StaticEmbedder().embed_query(query, lambda word: terms[word].idf)
    if not any(vector):
        return
    own, scope = ("ifnull(1 - vec_distance_cosine(s.value, ?1), 0)", "ifnull(1 - vec_distance_cosine(s.scope, ?1), 0)")
    sql = (
        f"SELECT s.document, s.text, max({own}, {scope}) AS cosine"
        " FROM standing s CROSS JOIN document d ON d.id = s.document"
        f" WHERE s.kind = ?2 AND cosine >= ?3 AND {where.sql} GROUP BY s.text ORDER BY cosine DESC, s.text LIMIT ?"
    )
    for document, text, cosine in database.execute(sql, (pack(vector), kind, floor, *where.values, limit)):
        yield StandingMatch(document, kind, text, cosine)


def _vectors(clause: "StandingClause") -> tuple[bytes, bytes]:
    own, scope = StaticEmbedder().embed([clause.text, clause.scope or clause.text])
    return pack(own), pack(scope)
