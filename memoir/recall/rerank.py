"""A second look at the best candidates, if a query wants one.

`by_words` prefers memories that hold the query's words themselves, not only in their neighbours: the score is
multiplied by (1 + coverage) / 2, where coverage is the idf-weighted share of the query's words in the content.
`by_model` lets a model choose from the best and put its choice in order.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from memoir.index.lexical import Term
from memoir.index.view import View
from memoir.llm.model import Model, Prompt, Usage
from memoir.recall.picks import fill, quote
from memoir.recall.ranking import Ranked, order

POOL = 20
"""Candidates that a model is shown."""
_SHOWN = 300
"""Characters of each."""


class Reranked(NamedTuple):
    """The candidates in a model's order, what it was sent, and what that cost; None for candidates if it failed."""

    candidates: tuple[Ranked, ...] | None
    prompt: Prompt
    usage: Usage


def by_words(view: View, terms: Sequence[Term], candidates: Sequence[Ranked]) -> tuple[Ranked, ...]:
    """Weigh candidates by coverage, and put them in order again."""
    whole = sum(term.idf for term in terms)
    if not whole:
        return tuple(candidates)
    covered = dict.fromkeys((each.document.id for each in candidates), 0.0)
    for term in terms:
        for identity in view.with_word(term.word, [*covered]):
            covered[identity] += term.idf
    return tuple(sorted((_weighed(each, covered[each.document.id] / whole) for each in candidates), key=order))


def _weighed(ranked: Ranked, coverage: float) -> Ranked:
    factor = (1 + coverage) / 2
    return ranked._replace(score=ranked.score * factor, relevance=ranked.relevance * factor, rerank=factor)


def by_model(model: Model, query: str, candidates: Sequence[Ranked]) -> Reranked:
    """Put a model's choice first, in its order, and drop the others.

    Raises:
        LlmUnavailable: the model gave no answer.
    """
    shown = candidates[:POOL]
    lines = (f"{n}. {c.document.address.path}: {quote(c.document.content[:_SHOWN])}" for n, c in enumerate(shown, 1))
    prompt = Prompt("", fill("rerank", query=quote(query), candidates="\n".join(lines)))
    reply = model.complete(prompt)
    chosen = _numbers(reply.text, len(shown))
    if not chosen and not re.search(r"\bnone\b", reply.text, re.IGNORECASE):
        return Reranked(None, prompt, reply.usage)
    picked = [shown[number - 1] for number in chosen]
    shares = [1 - position / len(picked) for position in range(len(picked))]
    first = [each._replace(relevance=share, rerank=share) for each, share in zip(picked, shares, strict=True)]
    chosen_ids = {each.document.id for each in picked}
    rest = [each for each in candidates if each.document.id not in chosen_ids]
    dropped = [each.drop("not chosen by the model") for each in rest]
    return Reranked((*first, *dropped), prompt, reply.usage)


def _numbers(text: str, most: int) -> list[int]:
    """The numbers at the beginnings of lines, or of a list, each once."""
    found = re.findall(r"(?:^|[\[,])\s*[-*•]?\s*(\d+)\b", text, re.MULTILINE)
    return [number for number in dict.fromkeys(map(int, found)) if 1 <= number <= most]
