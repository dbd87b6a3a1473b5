"""A second look at the best candidates, when asked for.

`deterministic` prefers memories that hold the query's words themselves, not only in their neighbours:
the score is multiplied by (1 + coverage) / 2, where coverage is the idf-weighted share of the query's
words in the content. `llm` lets a model choose from the pool and put its choice in order.
"""

import re
from collections.abc import Sequence

from memoir.index.lexical import Term
from memoir.index.view import View
from memoir.llm.model import Model, Prompt
from memoir.llm.usage import Usage
from memoir.recall.candidate import Candidate
from memoir.recall.templates import filled, quoted

POOL = 20
"""Candidates that a model is shown."""
_SHOWN = 300
"""Characters of each."""


def deterministic(view: View, terms: Sequence[Term], candidates: list[Candidate]) -> None:
    """Weigh candidates by coverage and put them in order again."""
    whole = sum(term.idf for term in terms)
    if not whole:
        return
    covered = dict.fromkeys((c.document.id for c in candidates), 0.0)
    for term in terms:
        for document in view.with_word(term.word, [*covered]):
            covered[document] += term.idf
    for candidate in candidates:
        candidate.rerank = (1 + covered[candidate.document.id] / whole) / 2
        candidate.score *= candidate.rerank
        candidate.relevance *= candidate.rerank
    candidates.sort(key=lambda c: (-c.score, *c.document.place))


def by_model(model: Model, query: str, candidates: list[Candidate]) -> tuple[Prompt, Usage, bool]:
    """Put a model's choice first, in its order, and mark the others dropped; False if its answer could not be used.

    Raises:
        LlmUnavailable: the model gave no answer.
    """
    shown = candidates[:POOL]
    lines = (f"{n}. {c.document.address.path}: {quoted(c.document.content[:_SHOWN])}" for n, c in enumerate(shown, 1))
    prompt = Prompt("", filled("rerank", query=quoted(query), candidates="\n".join(lines)))
    reply = model.complete(prompt)
    chosen = _numbers(reply.text, len(shown))
    if not chosen and not re.search(r"\bnone\b", reply.text, re.IGNORECASE):
        return prompt, reply.usage, False
    picked = [shown[number - 1] for number in chosen]
    for position, candidate in enumerate(picked):
        candidate.rerank = candidate.relevance = 1 - position / len(picked)
    for candidate in candidates:
        if candidate not in picked:
            candidate.dropped = "not chosen by the model"
    candidates[:] = picked + [c for c in candidates if c not in picked]
    return prompt, reply.usage, True


def _numbers(text: str, most: int) -> list[int]:
    """The numbers at the beginnings of lines, or of a list, each once."""
    found = re.findall(r"(?:^|[\[,])\s*[-*•]?\s*(\d+)\b", text, re.MULTILINE)
    return [number for number in dict.fromkeys(map(int, found)) if 1 <= number <= most]
