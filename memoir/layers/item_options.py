"""The options for making items of segments."""

from typing import NamedTuple

RULES, MODEL, NONE = "rules", "model", "none"
READERS = (RULES, MODEL, NONE)
"""The names of the readers of segments."""


class ItemOptions(NamedTuple):
    """How items are made."""

    reader: str = RULES
    """One of `READERS`."""
    llm_calls: int | None = None
    """The most calls to a model; None for no bound."""
    llm_tokens: int | None = None
    """The most tokens of a model, in and out; None for no bound."""


BY_RULES = ItemOptions()
