"""The JSON contract: the type of every answer. `scripts/schemas.py` writes docs/schema/ from these.

A `Schema` adds to a field what its type cannot express: bounds, patterns, lengths.
"""

from typing import Annotated, Any


class Schema:
    """Keywords of JSON Schema to add to those that follow from the type: `Annotated[int, Schema(minimum=1)]`."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords


Count = Annotated[int, Schema(minimum=0)]
Positive = Annotated[int, Schema(minimum=1)]
Fraction = Annotated[float, Schema(minimum=0, maximum=1)]
