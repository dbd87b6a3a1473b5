"""The two legs: candidates found by their words and by their vectors, each with both raw scores."""

from collections.abc import Iterable, Sequence

from memoir.index.embedders.embedder import Vector
from memoir.index.lexical import Term
from memoir.index.selection import Selection
from memoir.index.view import View
from memoir.recall.candidate import Candidate


def candidates(
    view: View,
    terms: Sequence[Term],
    vector: "Vector | None",
    among: Selection,
    pool: int,
    *,
    also: Iterable[int] = (),
    scan: bool = True,
) -> list[Candidate]:
    """The union of both legs' best `pool` documents of a selection, and `also` some by their ids.

    A leg without anything to go by finds nothing. Without `scan` the vectors only weigh what is there.
    """
    by_words = among.by_words(terms, pool)
    by_vector = among.by_vector(vector, pool) if vector and scan else []
    bm25, cosines = dict(by_words), dict(by_vector)
    ids = list(dict.fromkeys([*bm25, *cosines, *also]))
    bm25 |= view.word_scores(terms, [document for document in ids if document not in bm25])
    if vector:
        cosines |= view.cosines(vector, [document for document in ids if document not in cosines])
    found = {document.id: Candidate(document) for document in view.documents(ids)}
    for identity, candidate in found.items():
        candidate.bm25, candidate.cosine = bm25.get(identity), cosines.get(identity)
    for rank, (identity, _) in enumerate(by_words, 1):
        found[identity].bm25_rank = rank
    for rank, (identity, _) in enumerate(by_vector, 1):
        found[identity].vec_rank = rank
    return list(found.values())
