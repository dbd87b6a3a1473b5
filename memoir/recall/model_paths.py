"""Asking a model for paths: how paths are written in prompts, and what was picked."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from memoir.llm.conversation import BudgetSpent, ModelConversation, ModelSelection
from memoir.llm.prompts import beside, quote
from memoir.llm.step import Step
from memoir.llm.usage import Usage
from memoir.recall.model_choice import Choice, parse_choice
from memoir.recall.stage import Stage
from memoir.taxonomy.paths import Address

PROMPTS = beside(__file__)
_PLAIN = re.compile(r"[\w.:@-]+")


def format_address(address: Address, namespaces: Sequence[str]) -> str:
    """A path or prefix as prompts have it: with its namespace if there are several.

    One that is not well-formed, as a hostile store may hold, is quoted.
    """
    text = address.full_key if len(namespaces) > 1 else address.path
    return text if is_plain(text) else quote(text)


def is_plain(text: str) -> bool:
    """Whether a string holds nothing but what paths and namespaces are made of."""
    return _PLAIN.fullmatch(text) is not None


def choose(
    conversation: ModelConversation, step: Step, message: str, addresses: Collection[Address], *, noun: str = "path"
) -> Choice:
    """A model's choice of some paths, which prompts call `noun`; if nothing was chosen, the choice says why."""
    choice = _choose(conversation, step, message, addresses, noun)
    conversation.choices.append(ModelSelection(step.name, len(addresses), len(choice.picks), choice.why))
    return choice


def _choose(
    conversation: ModelConversation, step: Step, message: str, addresses: Collection[Address], noun: str
) -> Choice:
    try:
        choice = conversation.ask(step, message, lambda answer: parse_choice(answer, addresses).if_any())
    except BudgetSpent as error:
        conversation.fall_back("budget", error.message)
        return Choice((), none=False, why="the budget is spent")
    return choice or Choice((), none=False, why=f"the model's answer names no {noun} that was offered")


class Picks(NamedTuple):
    """The paths a model has chosen, best first, and the record of the conversation.

    `timings` are seconds by step and `prompts` the texts sent by step, under the names that `docs/recall.md` lists.
    `degraded` says what fell back, and why; `stages` are the choices.
    """

    addresses: tuple[Address, ...]
    usage: Usage
    degraded: tuple[str, ...]
    timings: dict[str, float]
    prompts: dict[str, str]
    stages: tuple[Stage, ...] = ()

    @classmethod
    def of(cls, conversation: ModelConversation, addresses: Iterable[Address] = ()) -> "Picks":
        """The addresses that were chosen in a conversation, with its record."""
        talk = conversation
        stages = (
            Stage(each.step, "model", each.candidates, each.candidates, each.picks, degraded=each.why or None)
            for each in talk.choices
        )
        return cls(
            tuple(addresses), talk.usage, tuple(talk.degraded), talk.stopwatch.timings, talk.prompts, tuple(stages)
        )
