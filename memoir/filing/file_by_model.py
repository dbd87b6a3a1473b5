"""Filing with one call to a model; paths in its answer that break the rules are ignored."""

from collections.abc import Iterator
from typing import Any

from memoir.errors import InvalidInput, LlmUnavailable
from memoir.filing.classifier import Placement
from memoir.filing.decision import MODEL, Decision
from memoir.llm.answer_text import find_object
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import Usage
from memoir.llm.prompts import beside, quote
from memoir.llm.step import Step
from memoir.setting import SHARE
from memoir.taxonomy.catalogue import Catalogue
from memoir.taxonomy.paths import check_path, look_alike

PROMPTS = beside(__file__)
_FILING = Step("filing.classify", PROMPTS)
_LEVELS = 3
"""The number of segments of a path."""
_REASON = 200
"""Characters of a model's reason that are kept."""


def decide(talk: ModelConversation, text: str, catalogue: Catalogue, threshold: float, most: int = 1) -> Decision:
    """Ask a model where a memory belongs; if anything fails, the decision is the inbox, never an error.

    At most `most` paths are taken; the next one is the runner-up.
    """
    try:
        answer = talk.ask(_FILING, _message(text), _read, taxonomy=_list(catalogue))
    except LlmUnavailable as error:
        return _inbox("the model could not be reached", failure=error.message)
    usage = talk.usage
    if not answer:
        return _inbox("", failure="the model's answer is not a JSON object", usage=usage)
    if answer.get("memory") is False:
        return _inbox(f"the model says that this is not a memory: {_reason(answer)}", usage=usage)
    placements = _apart(_placements(answer.get("paths"), catalogue))
    if not placements:
        return _inbox("", failure="the model's answer names no path that the taxonomy allows", usage=usage)
    confident = tuple(placement for placement in placements if placement.confidence >= threshold)
    others = (*confident[most:], *_placements([answer.get("runner_up")], catalogue))
    confidence = (confident or placements)[0].confidence
    runner_up = next(iter(others), None)
    return Decision(MODEL, confident[:most], confidence, _reason(answer), runner_up, None, usage)


def _message(text: str) -> str:
    return f"The memory, as a JSON string:\n{quote(text)}"


def _read(answer: str) -> dict[str, Any] | None:
    return find_object(answer, "memory", "paths") or find_object(answer) or None


def _list(catalogue: Catalogue) -> str:
    lines = (f"{'  ' * path.count('.')}- {path}: {category.about}" for path, category in catalogue.items())
    return "\n".join(lines)


def _inbox(reason: str, failure: str | None = None, usage: Usage = Usage()) -> Decision:  # noqa: B008 - immutable
    return Decision(MODEL, (), 0.0, reason or "the answer cannot be used", None, failure, usage)


def _reason(answer: dict[str, Any]) -> str:
    reason = answer.get("reason")
    return reason[:_REASON] if isinstance(reason, str) else ""


def _placements(items: Any, catalogue: Catalogue) -> Iterator[Placement]:
    """The paths that follow the rules: three levels, a known first level, a confidence from 0 to 1."""
    for item in items if isinstance(items, list) else []:
        fields: dict[str, Any] = item if isinstance(item, dict) else {}
        path = fields.get("path")
        if isinstance(path, str) and SHARE.accepts(fields.get("confidence")) and _is_allowed(path.lower(), catalogue):
            yield Placement(path.lower(), float(fields["confidence"]))


def _is_allowed(path: str, catalogue: Catalogue) -> bool:
    try:
        check_path(path)
    except InvalidInput:
        return False
    return not look_alike(path) and path.count(".") == _LEVELS - 1 and path.partition(".")[0] in catalogue.first_levels


def _apart(placements: Iterator[Placement]) -> tuple[Placement, ...]:
    """The first paths of different first levels."""
    by_first: dict[str, Placement] = {}
    for placement in placements:
        by_first.setdefault(placement.path.partition(".")[0], placement)
    return tuple(by_first.values())
