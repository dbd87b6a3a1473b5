"""The answers of `get`, `ls`, `grep` and `summarize`."""

from typing import Annotated, TypedDict

from memoir.output.contract.schema import Count, Positive, Schema
from memoir.output.contract.shapes import FullKey, Path, Place, Value


class GetItem(Place):
    """A key that was asked for."""

    found: bool
    value: Value | None
    """null if there is nothing."""
    below: Count | None
    """How many paths lie below a key that holds nothing; null if it holds something."""


class Get(TypedDict):
    """Every key asked for, in that order."""

    items: list[GetItem]
    count: Count
    """How many were asked for."""
    found_count: Count
    """How many were found."""


class Ls(TypedDict):
    """Keys, sorted by namespace and path."""

    prefix: str | None
    """As given."""
    keys: list[Place]
    count: Count
    """How many are listed."""
    next: FullKey | None
    """Give it to --after for the next page; null on the last."""


class MatchedLine(TypedDict):
    """A line that matches."""

    line: Positive
    """Counted from 1."""
    text: str


class GrepMatch(Place):
    """A memory with matching lines."""

    lines: Annotated[list[MatchedLine], Schema(minItems=1)]


class Grep(TypedDict):
    """Memories that match, by namespace and path. Exit status 1 if there are none."""

    pattern: str
    matches: list[GrepMatch]
    count: Count
    """How many there are."""


class Summarize(TypedDict):
    """A survey, complete and sorted."""

    total_memories: Count
    """Paths in all namespaces surveyed, whatever --keys says."""
    total_namespaces: Count
    namespaces: dict[str, Count]
    """How many paths each namespace holds."""
    depth: Positive | None
    """As given."""
    prefix_counts: dict[str, dict[str, Count]]
    """With --depth: by namespace, how many paths begin with each prefix; a shorter path counts under itself."""
    matching_keys: dict[str, list[Path]]
    """With --keys: by namespace, the paths that match."""
    next: FullKey | None
    """Give it to --after for the next page of keys; null on the last."""


ANSWERS: dict[str, type] = {
    "get": Get,
    "ls": Ls,
    "grep": Grep,
    "summarize": Summarize,
}
