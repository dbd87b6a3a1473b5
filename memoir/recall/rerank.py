"""A second look at the best candidates, if a query wants one.

`by_words` prefers memories that hold the query's words themselves, not only in their neighbours: the score is
multiplied by (1 + coverage) / 2, where coverage is the idf-weighted share of the query's words in the content. A model
reranks in `memoir.recall.model_rerank`.
"""

from collections.abc import Sequence

from memoir.index.lexical import Term
from memoir.index.view import View
from memoir.recall.ranked import RankedCandidate, order


def by_words(view: View, terms: Sequence[Term], candidates: Sequence[RankedCandidate]) -> tuple[RankedCandidate, ...]:
    """Weigh candidates by coverage, and put them in order again."""
    whole = sum(term.idf for term in terms)
    if not whole:
        return tuple(candidates)
    coverage = dict.fromkeys((each.document.id for each in candidates), 0.0)
    for term in terms:
        for identity in view.with_word(term.word, [*coverage]):
            coverage[identity] += term.idf
    return tuple(sorted((_weigh(each, coverage[each.document.id] / whole) for each in candidates), key=order))


def _weigh(candidate: RankedCandidate, coverage: float) -> RankedCandidate:
    factor = (1 + coverage) / 2
    return candidate._replace(score=candidate.score * factor, relevance=candidate.relevance * factor, rerank=factor)
