"""Asking a model for paths: the prompts, the conversation, and what was picked."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

from memoir.llm.model import Model, Prompt, Usage
from memoir.llm.prompts import beside, printable, quote
from memoir.taxonomy.paths import Address

__all__ = [
    "PROMPTS", "Conversation", "Picks", "Steps", "fill", "is_plain", "printable", "quote", "template", "written",
]  # fmt: skip

PROMPTS = beside(__file__)
template, fill = PROMPTS.template, PROMPTS.fill
_PLAIN = re.compile(r"[\w.:@-]+")


def written(address: Address, namespaces: Sequence[str]) -> str:
    """A path or prefix as prompts have it: with its namespace if there are several.

    One that is not well-formed, as a hostile store may hold, is quoted.
    """
    text = address.full_key if len(namespaces) > 1 else address.path
    return text if is_plain(text) else quote(text)


def is_plain(text: str) -> bool:
    """Whether a string holds nothing but what paths and namespaces are made of."""
    return _PLAIN.fullmatch(text) is not None


class Picks(NamedTuple):
    """The paths a model has chosen, best first, and the record of the conversation.

    `timings` are seconds by step and `prompts` the texts sent by step, under the names that `docs/recall.md` lists.
    `degraded` says what fell back, and why.
    """

    addresses: tuple[Address, ...]
    usage: Usage
    degraded: tuple[str, ...]
    timings: dict[str, float]
    prompts: dict[str, str]


class Steps:
    """A stopwatch for named steps."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time a block, in seconds; a step that is entered again adds to its time."""
        start = perf_counter()
        try:
            yield
        finally:
            self.timings[name] = self.timings.get(name, 0.0) + perf_counter() - start


class Conversation:
    """The record of one choice while it goes on.

    Args:
        model: The model to ask.
    """

    def __init__(self, model: Model) -> None:
        self.step = Steps()
        self._model = model
        self._usage = Usage()
        self._degraded: list[str] = []
        self._prompts: dict[str, str] = {}

    def ask(self, name: str, timing: str, prompt: Prompt) -> str:
        """The model's answer; the prompt and the time are kept under their names.

        Raises:
            LlmUnavailable: there is none.
        """
        self._prompts[name] = prompt.text
        with self.step(timing):
            reply = self._model.complete(prompt)
        self._usage = self._usage.plus(reply.usage)
        return reply.text

    def fall_back(self, step: str, reason: str) -> None:
        """Note that a step did without the model's choice, and what it did instead."""
        self._degraded.append(f"{step}: {reason}")

    def picks(self, addresses: Iterable[Address] = ()) -> Picks:
        """The end of the conversation: what was chosen, and the record."""
        degraded = tuple(self._degraded)
        return Picks(tuple(addresses), self._usage, degraded, self.step.timings, self._prompts)
