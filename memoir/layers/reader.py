"""Readers of segments, which find their items: by rules, by a model, or not at all."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from memoir.layers.drafts import Draft, drafts
from memoir.layers.item_options import MODEL, NONE, RULES
from memoir.layers.segments import Part
from memoir.llm.model import Prompt
from memoir.llm.usage import Usage

_CHARACTERS = 4
"""About how many characters of English a token has."""


class Cost(NamedTuple):
    """The cost of asking a model: calls, and about how many tokens they would send."""

    calls: int = 0
    input_tokens: int = 0

    def with_call(self, prompt: Prompt) -> "Cost":
        """This and one more call, with a prompt."""
        return Cost(self.calls + 1, self.input_tokens + len(prompt.text) // _CHARACTERS + 1)


class Account(NamedTuple):
    """The cost of reading so far, the estimate of a dry run, and the readings made in another way, and why."""

    usage: Usage = Usage()
    cost: Cost | None = None
    degraded: tuple[str, ...] = ()


class Reading(NamedTuple):
    """The drafts of a segment's items, and what made them; nothing if nobody has read it."""

    drafts: tuple[Draft, ...] = ()
    by: str | None = None


class Reader(Protocol):
    """Something that reads segments."""

    @property
    def name(self) -> str:
        """One of `memoir.layers.item_options.READERS`."""

    def read(self, part: Part) -> Reading:
        """Find the items of a segment."""

    def account(self) -> Account:
        """The cost so far."""


class RulesReader:
    """Takes the sentences that state something durable, as they are written."""

    name = RULES

    def read(self, part: Part) -> Reading:
        """Find the items of a segment."""
        return Reading(tuple(drafts(part)), RULES)

    def account(self) -> Account:
        """Rules cost nothing."""
        return Account()


class NoReader:
    """Reads nothing."""

    name = NONE

    def read(self, part: Part) -> Reading:
        """No items."""
        return Reading()

    def account(self) -> Account:
        """Nothing costs nothing."""
        return Account()


def has_read(reader: Reader, metadata: Mapping[str, object]) -> bool:
    """Whether a stored segment need not be read again: its reader has read it before, or a better one."""
    by = metadata.get("items")
    return reader.name == NONE or by == reader.name or (reader.name == RULES and by == MODEL)
