"""The answers of `prime`, `hook` and `mcp`."""

from typing import Annotated, TypedDict

from memoir.output.contract.schema import Count, Schema
from memoir.output.contract.shapes import Degraded, Place


class PrimeSection(TypedDict):
    """A part of the primer."""

    name: Annotated[str, Schema(enum=["pinned", "query", "rules", "changes", "paths"])]
    memories: list[Place]
    """The paths of the memories that it quotes, each once."""


class Prime(TypedDict):
    """What an agent should know when a session begins."""

    text: str
    """The text, with its last line break; empty for an empty store."""
    characters: Count
    tokens: Count
    """An estimate: 3.5 ASCII characters a token, or 2 bytes of UTF-8 of any other character."""
    sections: list[PrimeSection]
    degraded: Degraded


class HookHost(TypedDict):
    """A host and the events that 'memoir hook' answers for it."""

    host: str
    events: list[str]


class Hooks(TypedDict):
    """The hosts whose events can be answered; an event itself is answered in the form of its host."""

    hosts: list[HookHost]
    count: Count


class Mcp(TypedDict):
    """A server whose client has gone. Before that, standard output belongs to the protocol."""

    calls: Count
    """How many calls of tools it answered."""


ANSWERS: dict[str, type] = {
    "prime": Prime,
    "hook": Hooks,
    "mcp": Mcp,
}
