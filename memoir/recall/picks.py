"""What a picker found: paths chosen by a model, and how it went."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

from memoir.llm.model import Model, Prompt
from memoir.llm.usage import Usage
from memoir.taxonomy.paths import Address


class Picks(NamedTuple):
    """The chosen paths, best first, and the record of the choosing.

    `timings` are seconds by step and `prompts` the texts sent by step, under the names that `docs/recall.md` lists.
    `degraded` says what fell back, and why.
    """

    addresses: tuple[Address, ...]
    usage: Usage
    degraded: tuple[str, ...]
    timings: dict[str, float]
    prompts: dict[str, str]


class Steps:
    """Takes the time of each step, under its name."""

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


class Course:
    """The record of one choosing while it goes on.

    Args:
        model: who is asked.
    """

    def __init__(self, model: Model) -> None:
        self.step = Steps()
        self._model = model
        self._usage = Usage()
        self._degraded: list[str] = []
        self._prompts: dict[str, str] = {}

    def ask(self, name: str, timing: str, prompt: Prompt) -> str:
        """The model's answer, noted under the prompt's and the step's name.

        Raises:
            LlmUnavailable: there is none.
        """
        self._prompts[name] = prompt.text
        with self.step(timing):
            reply = self._model.complete(prompt)
        self._usage = self._usage.plus(reply.usage)
        return reply.text

    def fell_back(self, step: str, reason: str) -> None:
        """Note that a step did without the model's choice, and what it did instead."""
        self._degraded.append(f"{step}: {reason}")

    def picks(self, addresses: Iterable[Address] = ()) -> Picks:
        """The end of it: what was chosen, and the record."""
        degraded = tuple(self._degraded)
        return Picks(tuple(addresses), self._usage, degraded, self.step.timings, self._prompts)
