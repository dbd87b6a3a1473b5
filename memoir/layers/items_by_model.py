"""Make items by a model: one call for each segment, within a budget; answers are checked before being stored."""

import re
from collections.abc import Mapping
from typing import Any

from memoir.english.excerpts import share_of_words
from memoir.layers.item_options import MODEL, ItemOptions
from memoir.layers.reader import Account, Cost, Draft, Reader, Reading, RulesReader
from memoir.llm.answer_text import find_rows, read_text
from memoir.llm.conversation import CallBudget, ModelConversation, begin_conversation
from memoir.llm.model import Step, beside, quote
from memoir.secrets.secrets import redact
from memoir.setting import Config
from memoir.sources.cutting import Part, Talk, began_of
from memoir.taxonomy.kinds import ITEM_KINDS

STEP = Step("ingest.items", beside(__file__))
GROUNDED_SHARE = 0.6
"""The least share of an item's words that must be in its segment."""
_LONGEST = 1_000
_MOST = 40
"""The most items of a segment."""
_MOST_ENTITIES = 12
_DATE = re.compile(r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


class ModelReader(Reader):
    """Reads segments by a model, or by rules once the budget is spent or a call fails."""

    name = MODEL

    def __init__(self, talk: ModelConversation) -> None:
        self._talk = talk

    def read(self, part: Part) -> Reading:
        """Find the items of a segment, with one call."""
        items = self._talk.consult(STEP, message(part), lambda answer: find_rows(answer, "items"))
        if items is None:
            return RulesReader().read(part)
        drafts = (_draft(fields, part) for fields in items[:_MOST])
        return Reading(tuple(draft for draft in drafts if draft), MODEL)

    def account(self) -> Account:
        """The cost of the model so far."""
        return Account(self._talk.usage, None, tuple(f"{note}; read by rules" for note in self._talk.degraded))


class CostReader(Reader):
    """Adds up the cost of a model without asking it."""

    name = MODEL

    def __init__(self) -> None:
        self._cost = Cost()

    def read(self, part: Part) -> Reading:
        """Return no items."""
        self._cost = self._cost.with_call(STEP.prompt(message(part)))
        return Reading((), MODEL)

    def account(self) -> Account:
        """The estimated cost."""
        return Account(cost=self._cost)


def model_reader(config: Config, options: ItemOptions) -> ModelReader:
    """A reader that asks the configured model, within a budget for all segments together."""
    budget = CallBudget(options.llm_calls, options.llm_tokens)
    return ModelReader(begin_conversation(config, budget, "set ANTHROPIC_API_KEY, or leave out --items model"))


def message(part: Part) -> str:
    """The message with a segment: its caption, its time, and its text without credentials."""
    when = f"Time: {began}\n" if (began := began_of(part)) else ""
    return f"Caption: {quote(redact(part.caption))}\n{when}The segment, as a JSON string:\n{quote(redact(part.text))}"


def _draft(fields: Mapping[str, Any], part: Part) -> Draft | None:
    """Parse the draft of an item; None if it is malformed or not supported by its segment."""
    text, kind, when = read_text(fields.get("content"), _LONGEST), fields.get("kind"), fields.get("occurred_at")
    if not text or kind not in ITEM_KINDS or share_of_words(text, part.text) < GROUNDED_SHARE:
        return None
    times = part.times if isinstance(part, Talk) else []
    day = when if isinstance(when, str) and _DATE.fullmatch(when) else None
    return Draft(redact(text), str(kind), day, _entities(fields.get("entities"), text), None, min(times, default=None))


def _entities(answer: Any, text: str) -> tuple[str, ...]:
    names = answer if isinstance(answer, list) else []
    return tuple(dict.fromkeys(n for n in names if isinstance(n, str) and n and n in text))[:_MOST_ENTITIES]
