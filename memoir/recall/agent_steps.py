"""The decisions of mode `agent`: the strategy, the parts of a question, and what a chain of searches still lacks.

A model makes them. Without one, the form of the question decides the strategy and the split.
"""

import re
from math import isfinite
from typing import Any, NamedTuple

from memoir.english.requests import ASK, count_relations
from memoir.llm.answer_text import find_lines, find_object, find_word, read_flag, read_number
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import Step, list_candidates, one_line, write_message
from memoir.recall.model_paths import PROMPTS
from memoir.recall.model_view import Brief, Excerpts

STRATEGIES = ("direct", "split", "chain")
LONGEST = 1000
"""The most characters of a question written by a model."""

_SELECT = Step("agent.select", PROMPTS)
_SPLIT = Step("agent.split", PROMPTS)
_CHAIN = Step("agent.chain", PROMPTS)
_AGAIN = "Your last answer was not the JSON object that was asked for. Answer with that object and nothing else."


class Judgement(NamedTuple):
    """A model's verdict on a chain of searches."""

    sufficient: bool
    """Whether the evidence answers the question."""
    numbers: tuple[int, ...]
    """The numbers of the memories that are evidence, from 1."""
    next_query: str
    """What to search for next; empty for nothing."""
    confidence: float
    """How sure the model is that the evidence answers the question, from 0 to 1."""


def select(talk: ModelConversation, question: str) -> str | None:
    """Ask the model for a strategy; None, with a note, if its answer names none."""
    return talk.ask(_SELECT, write_message(question), lambda answer: find_word(answer, STRATEGIES))


def split(talk: ModelConversation, question: str, most: int) -> list[str] | None:
    """Ask the model to split a question into single-fact questions; None, with a note, if it gives none."""
    return talk.consult(_SPLIT, write_message(question), lambda answer: read_questions(answer, most), most=str(most))


def judge(talk: ModelConversation, question: str, last: str, evidence: Excerpts, brief: Brief) -> Judgement | None:
    """Ask what a chain of searches lacks; a malformed answer is asked for again, then None is returned, with a note.

    The model sees the last query, the evidence so far and the new results of that query.
    """
    message = write_message(
        question,
        ("Searched for last", one_line(last)),
        ("Evidence so far", list_candidates(evidence)),
        *brief.blocks("Found now"),
    )
    most = len(evidence) + brief.size
    return talk.consult(_CHAIN, message, lambda answer: read_judgement(answer, most), again=_AGAIN)


def read_questions(answer: str, most: int) -> list[str] | None:
    """The distinct questions in an answer, one a line; a line that ends in ":" is an announcement and is skipped."""
    lines = [line[:LONGEST] for line in find_lines(answer) if not line.endswith(":")]
    return list({line.casefold(): line for line in reversed(lines)}.values())[::-1][:most] or None


def read_judgement(answer: str, most: int) -> Judgement | None:
    """The judgement of an answer about memories numbered up to `most`; None if it is malformed."""
    fields = find_object(answer, "is_sufficient", "new_query")
    if not fields:
        return None
    query = fields.get("new_query")
    return Judgement(
        read_flag(fields.get("is_sufficient")) is True,
        tuple(dict.fromkeys(_numbers(fields.get("evidence_indices"), most))),
        " ".join(query.split())[:LONGEST] if isinstance(query, str) else "",
        _confidence(fields.get("confidence_score")),
    )


def _numbers(value: Any, most: int) -> list[int]:
    texts = [str(each) for each in value if not isinstance(each, bool)] if isinstance(value, list) else []
    return [number for text in texts if (number := read_number(text, most))]


def _confidence(value: Any) -> float:
    try:
        number = float(value) if isinstance(value, int | float | str) else 0.0
    except (ValueError, OverflowError):
        return 0.0
    return min(max(number, 0.0), 1.0) if isfinite(number) else 0.0


_QUESTION = re.compile(rf"{ASK} (?:is|was|are|were) ", re.IGNORECASE)
"""The beginning of a question whose first relation is what it asks for, such as "Who is the author of"."""
_SENTENCES = re.compile(r"(?<=\?)\s+")
_TWO_QUESTIONS = re.compile(rf",?\s+(?:and|or)\s+(?:also\s+)?(?={ASK}\b)", re.IGNORECASE)
_NAME = r"[A-Z0-9][\w.&'’-]*(?: (?:of |the )?[A-Z0-9][\w.&'’-]*)*"
_NAMES = re.compile(rf"(?P<first>{_NAME})(?P<more>(?:, {_NAME})*),? (?:and|or|nor) (?P<last>{_NAME})")
_COMPARISON = re.compile(
    r"\b(?:(?:differences?|similarities|relations?|connections?) between|compare|both|either|neither) "
    r"(?P<first>[\w.'’ -]+?)(?P<more>(?:, [\w.'’-]+)*),? (?:and|or|nor|with|to) (?P<last>[\w.'’-]+)",
    re.IGNORECASE,
)


def strategy_of(question: str) -> str:
    """`split` if the question has several parts, `chain` if it describes something by relations, else `direct`."""
    if len(parts_of(question)) > 1:
        return "split"
    relations = count_relations(question) - bool(_QUESTION.match(question))
    return "chain" if relations > 0 else "direct"


def parts_of(question: str) -> list[str]:
    """The parts of a question, or the question alone.

    Each sentence that asks is a part. A list of names gives one part for each name.
    """
    parts = [part.strip() for part in _SENTENCES.split(question) if part.strip()]
    parts = [piece for part in parts for piece in _TWO_QUESTIONS.split(part) if piece]
    return [each for part in parts for each in _split_names(part)]


def _split_names(question: str) -> list[str]:
    match = _COMPARISON.search(question) or _NAMES.search(question)
    if match is None:
        return [question]
    names = [match["first"], *match["more"].split(", "), match["last"]]
    before, after = question[: match.start()], question[match.end() :]
    return [f"{before}{name}{after}".strip() for name in names if name]
