"""The options of reading segments for their items."""

from typing import NamedTuple

RULES, MODEL, NONE = "rules", "model", "none"
READERS = (RULES, MODEL, NONE)
"""The names of the readers of segments."""


class ItemOptions(NamedTuple):
    """How items are found."""

    reader: str = RULES
    """One of `READERS`."""
    llm_calls: int | None = None
    """How often a model may be asked; None: as often as it needs."""
    llm_tokens: int | None = None
    """How many tokens it may cost, in and out; None: as many as it needs."""


BY_RULES = ItemOptions()
