"""The answers of `mcp`."""

from typing import Any, TypedDict

from memoir.output.contract.schema import Count


class Mcp(TypedDict):
    """A server whose client has gone. Before that, standard output belongs to the protocol."""

    calls: Count
    """How many calls of tools it answered."""


ANSWERS: dict[str, Any] = {"mcp": Mcp}
