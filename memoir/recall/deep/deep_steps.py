"""The questions of `deep` to a model: are the memories enough, and if not, what else to search for."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memoir.llm.answer_text import find_lines, find_object
from memoir.llm.conversation import ModelConversation
from memoir.llm.prompts import one_line
from memoir.llm.step import Step, write_message
from memoir.recall.model_paths import PROMPTS
from memoir.recall.model_view import Brief

EXPANSIONS = 3
"""The most queries that a question is expanded by."""
LONGEST = 1000
"""Characters of a query, or of a text in a verdict, that a model writes."""

_SUFFICIENCY = Step("deep.sufficiency", PROMPTS)
_EXPAND = Step("deep.expand", PROMPTS)
_EXPANSION = re.compile(r"[^\w]*(lex|vec|hyde)[*`\"' ]*[:：]\s*(.+)", re.IGNORECASE)
_MOST = 20
"""How many gaps, points and pieces of evidence of a verdict are read."""


class SufficiencyVerdict(NamedTuple):
    """A model's verdict on the memories that were found.

    Attributes:
        sufficient: Whether they answer the question.
        gaps: What is missing.
        key_information: What is there.
        evidences: What answers the question: numbers of what was shown, from 1, or the model's own words.
    """

    sufficient: bool
    gaps: tuple[str, ...]
    key_information: tuple[str, ...]
    evidences: tuple[int | str, ...]


class Expansion(NamedTuple):
    """A further query, and its kind: `lex` for words, `vec` for a meaning, `hyde` for an answer as it may stand."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


def judge(talk: ModelConversation, question: str, brief: Brief) -> SufficiencyVerdict | None:
    """Ask whether what was found answers a question; None, and a note, if the answer is of no use."""
    message = write_message(question, *brief.blocks("Memories"))
    return talk.consult(_SUFFICIENCY, message, lambda answer: read_verdict(answer, brief.size))


def expand(talk: ModelConversation, question: str, verdict: SufficiencyVerdict | None) -> tuple[Expansion, ...] | None:
    """Ask for further queries; None, and a note, if the answer is of no use."""
    gaps, facts = (verdict.gaps, verdict.key_information) if verdict else ((), ())
    message = write_message(question, ("Known so far", _list(facts)), ("Missing", _list(gaps)))
    return talk.consult(_EXPAND, message, lambda answer: read_expansions(answer, question), most=str(EXPANSIONS))


def read_verdict(answer: str, most: int) -> SufficiencyVerdict | None:
    """The verdict of an answer about memories numbered up to `most`; None if it is malformed."""
    fields = find_object(answer, "sufficient")
    sufficient = _flag(fields.get("sufficient"))
    if sufficient is None:
        return None
    evidences = tuple(_evidence(text, most) for text in _texts(fields, "evidences"))
    return SufficiencyVerdict(sufficient, _texts(fields, "gaps"), _texts(fields, "key_information"), evidences)


def read_expansions(answer: str, question: str) -> tuple[Expansion, ...] | None:
    """The queries of an answer, each once and none that repeats the question; None if it has no such line."""
    lines = [line for text in find_lines(answer) if (line := _EXPANSION.match(text))]
    if not lines:
        return () if re.search(r"\bnone\b", answer, re.IGNORECASE) else None
    queries = [Expansion(line[1].lower(), line[2].strip(" *`\"'")[:LONGEST]) for line in lines]
    fresh = [each for each in dict.fromkeys(queries) if each.text and each.text.casefold() != question.casefold()]
    return tuple(fresh[:EXPANSIONS])


def _list(texts: Sequence[str]) -> str:
    return "\n".join(f"- {one_line(text)}" for text in texts) or "(nothing)"


def _flag(value: Any) -> bool | None:
    """A truth value, also as a word; None for anything else."""
    if isinstance(value, str):
        return {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().casefold())
    return value if isinstance(value, bool) else None


def _texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The texts and numbers of a list in an answer, or the only one without a list."""
    value = fields.get(name)
    values = value if isinstance(value, list) else [value]
    texts = [
        str(each).strip()[:LONGEST] for each in values if isinstance(each, str | int) and not isinstance(each, bool)
    ]
    return tuple(text for text in texts if text)[:_MOST]


def _evidence(text: str, most: int) -> int | str:
    digits = text.strip(" []")
    number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= len(str(most)) else 0
    return number if 1 <= number <= most else text
