"""What an answer of a model cost."""

from typing import NamedTuple


class Usage(NamedTuple):
    """What was spent, in the units that the Messages API counts."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0

    def plus(self, other: "Usage") -> "Usage":
        """Both together; `+` would join them as tuples."""
        return Usage(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))
