"""Reorder the best candidates, if a query wants it.

`by_words` prefers memories that contain the query's words themselves, not only in their neighbours: the score is
multiplied by (1 + coverage) / 2, where coverage is the idf-weighted share of the query's words in the content.
`by_model` lets a model choose and order the best candidates.
"""

import re
from collections.abc import Sequence

from memoir.index.view import View
from memoir.llm.answer_text import find_numbers
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import Step, list_candidates, write_message
from memoir.recall.model_paths import PROMPTS
from memoir.recall.ranking import RankedCandidate, Ranking, order

POOL = 20
"""How many candidates a model sees."""
STEP = Step("rerank", PROMPTS, timing="rerank_llm")


def by_model(
    talk: ModelConversation, query: str, candidates: Sequence[RankedCandidate]
) -> tuple[RankedCandidate, ...] | None:
    """Put a model's choice first, in its order, and drop the others; None, with a note, if its answer is unusable."""
    excerpts = [(each.document.address.path, each.document.content) for each in candidates[:POOL]]
    message = write_message(query, ("Candidates", list_candidates(excerpts)))
    return talk.consult(STEP, message, lambda answer: read_choice(answer, candidates))


def read_choice(answer: str, candidates: Sequence[RankedCandidate]) -> tuple[RankedCandidate, ...] | None:
    """Reorder candidates by an answer: its choice first, the others dropped; None if it is unusable."""
    pool = candidates[:POOL]
    numbers = find_numbers(answer, len(pool))
    if not numbers and not re.search(r"\bnone\b", answer, re.IGNORECASE):
        return None
    picks = [pool[number - 1] for number in numbers]
    shares = [1 - position / len(picks) for position in range(len(picks))]
    first = [each._replace(relevance=share, rerank=share) for each, share in zip(picks, shares, strict=True)]
    ids = {each.document.id for each in picks}
    rest = [each for each in candidates if each.document.id not in ids]
    return (*first, *(each.drop("not chosen by the model") for each in rest))


def in_models_order(talk: ModelConversation, ranking: Ranking) -> tuple[RankedCandidate, ...]:
    """The candidates in a model's order; in their own if the answer is unusable."""
    candidates = ranking.candidates
    return (by_model(talk, ranking.query.text, candidates) or candidates) if candidates else ()


def by_words(view: View, ranking: Ranking) -> Ranking:
    """Multiply the scores of a ranking by coverage, and sort again."""
    terms = ranking.clues.words.terms
    whole = sum(term.idf for term in terms)
    if not whole:
        return ranking
    coverage = dict.fromkeys((each.document.id for each in ranking.candidates), 0.0)
    for term in terms:
        for identity in view.with_word(term.word, [*coverage]):
            coverage[identity] += term.idf
    weighed = (_weigh(each, coverage[each.document.id] / whole) for each in ranking.candidates)
    return ranking._replace(candidates=tuple(sorted(weighed, key=order)))


def _weigh(candidate: RankedCandidate, coverage: float) -> RankedCandidate:
    factor = (1 + coverage) / 2
    return candidate._replace(score=candidate.score * factor, relevance=candidate.relevance * factor, rerank=factor)
