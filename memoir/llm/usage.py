"""`Usage`: what the answers of a model cost."""

from typing import NamedTuple


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
