"""What a picker found: paths chosen by a model, and how it went."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

from memoir.llm.model import Usage
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
