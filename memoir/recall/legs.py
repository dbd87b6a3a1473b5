"""The two legs: candidates found by their words and by their vectors, each with both raw scores."""

from collections.abc import Iterable, Sequence

import apsw

from memoir.index import lexical, vectors
from memoir.index.documents import details
from memoir.index.embedders.embedder import Vector
from memoir.index.filters import Condition
from memoir.recall.candidate import Candidate

_EVERYWHERE = Condition("1", ())


def candidates(
    database: apsw.Connection,
    terms: Sequence[lexical.Term],
    vector: "Vector | None",
    where: Condition,
    pool: int,
    *,
    also: Iterable[int] = (),
    scan: bool = True,
) -> list[Candidate]:
    """The union of both legs' best `pool` documents, and `also` some by their ids.

    A leg without anything to go by finds nothing. Without `scan` the vectors only weigh what is there.
    """
    by_words = lexical.search(database, terms, where, pool)
    by_vector = vectors.search(database, vector, where, pool) if vector and scan else []
    bm25, cosines = dict(by_words), dict(by_vector)
    ids = list(dict.fromkeys([*bm25, *cosines, *also]))
    if only := [document for document in ids if document not in bm25]:
        bm25 |= lexical.search(database, terms, _EVERYWHERE, len(only), only)
    if vector and (only := [document for document in ids if document not in cosines]):
        cosines |= vectors.search(database, vector, _EVERYWHERE, len(only), only)
    found = {document.id: Candidate(document) for document in details(database, ids)}
    for identity, candidate in found.items():
        candidate.bm25, candidate.cosine = bm25.get(identity), cosines.get(identity)
    for rank, (identity, _) in enumerate(by_words, 1):
        found[identity].bm25_rank = rank
    for rank, (identity, _) in enumerate(by_vector, 1):
        found[identity].vec_rank = rank
    return list(found.values())
