"""Reranking by a model, which chooses from the best candidates and puts its choice in order."""

import re
from collections.abc import Sequence

from memoir.llm.answer_text import find_numbers
from memoir.llm.conversation import ModelConversation
from memoir.llm.step import Step, list_candidates, write_message
from memoir.recall.model_paths import PROMPTS
from memoir.recall.ranked import RankedCandidate

POOL = 20
"""Candidates that a model is shown."""
STEP = Step("rerank", PROMPTS, timing="rerank_llm")


def by_model(
    talk: ModelConversation, query: str, candidates: Sequence[RankedCandidate]
) -> tuple[RankedCandidate, ...] | None:
    """Put a model's choice first, in its order, and drop the others; None, and a note, if its answer is of no use.

    Raises:
        LlmUnavailable: the model gave no answer. A budget that is spent is no error, but noted.
    """
    excerpts = [(each.document.address.path, each.document.content) for each in candidates[:POOL]]
    message = write_message(query, ("Candidates", list_candidates(excerpts)))
    return talk.consult(STEP, message, lambda answer: read_choice(answer, candidates))


def read_choice(answer: str, candidates: Sequence[RankedCandidate]) -> tuple[RankedCandidate, ...] | None:
    """The candidates as an answer orders them: its choice first, the others dropped. None if it cannot be used."""
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
