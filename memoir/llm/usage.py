"""The cost of work: tokens of a model's answers, and seconds by part."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple


class Stopwatch:
    """The seconds spent in named parts of some work."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time a block, in seconds; a part that is entered again adds to its time."""
        start = perf_counter()
        try:
            yield
        finally:
            self.timings[name] = self.timings.get(name, 0.0) + perf_counter() - start


class Usage(NamedTuple):
    """The cost of answers, in the units of the Messages API."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, in and out, those of the provider's cache included."""
        return sum(self[1:])

    def plus(self, other: "Usage") -> "Usage":
        """The sum of both; `+` would join them as tuples."""
        return Usage(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))
