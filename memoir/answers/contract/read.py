"""The answers of `get`, `ls`, `grep` and `summarize`."""

from typing import Annotated, Literal, NotRequired, TypedDict

from memoir.answers.contract import Count, Positive, Schema, shapes


class Staleness(TypedDict, total=False):
    """The field that only an insight has."""

    stale: bool
    """Whether a memory that the insight is built from has changed or is gone since it was written."""


class Marks(Staleness, total=False):
    """The fields of a key that is out of date, or where everything has expired."""

    expired: Literal[True]
    """Everything there has expired."""


class Contents(TypedDict, total=False):
    """The fields of a key that --long adds."""

    address: shapes.MemoryAddress
    """With --long: the address for `get`. If there are several memories, each has its own in 'value'."""
    value: shapes.Value
    """With --long: the memories there."""


class StaleKeys(TypedDict, total=False):
    """The field that is present if an insight is out of date."""

    stale_keys: dict[str, list[shapes.Path]]


class NearMiss(TypedDict, total=False):
    """The field of a key that holds no memory."""

    hint: str
    """The nearest key that holds one, or another command to try; only for the first five such keys of an answer."""


class GetItem(shapes.Target, shapes.InDays, NearMiss, Staleness):
    """A key of the request."""

    found: bool
    value: shapes.Value | None
    """null if the key holds no memory."""
    below: Count | None
    """How many paths there are below a key that holds no memory; null if it holds one."""
    store: NotRequired[shapes.StoreName]
    """The store that holds it, if your own store was read too."""


class Get(TypedDict):
    """Every key of the request, in the same order."""

    items: list[GetItem]
    count: Count
    """How many keys were requested."""
    found_count: Count
    """How many keys were found."""


class LsKey(shapes.Place, Contents, Marks):
    """A key that is listed."""


class Ls(TypedDict):
    """Keys, sorted by namespace and path."""

    prefix: str | None
    """The prefix of the request."""
    keys: list[LsKey]
    count: Count
    """How many keys are listed."""
    next: shapes.FullKey | None
    """The value of --after for the next page; null on the last page."""


class GrepLine(TypedDict):
    """A line of a memory or of a source."""

    line: Positive
    """Counted from 1."""
    text: str
    timestamp: shapes.Instant
    """The time from which the memory holds, or at which the line was said."""
    speaker: str | None
    """Who says it, if that is known."""


class ContextLine(GrepLine):
    """A line before or after one that matches."""

    full_key: shapes.FullKey
    """Its memory, which may be the one before or after in a conversation."""


class LinesAround(TypedDict):
    """The lines around one that matches; left out without --context."""

    before: NotRequired[list[ContextLine]]
    after: NotRequired[list[ContextLine]]


class MatchedLine(GrepLine, LinesAround, shapes.InDays):
    """A line that matches."""

    address: shapes.MemoryAddress
    """The address for `get`; in a source, that of the passage with the line."""


class GrepMatch(shapes.Place, Staleness):
    """A memory with matching lines."""

    lines: Annotated[list[MatchedLine], Schema(minItems=1)]


class Grep(TypedDict):
    """Memories that match, by namespace and path. Exit status 1 if none match."""

    pattern: str
    matches: list[GrepMatch]
    count: Count
    """How many memories match."""
    more: NotRequired[bool]
    """With --max-count or --each: whether more lines match."""


class Survey(TypedDict):
    """A survey of one store, complete and sorted."""

    total_memories: Count
    """The older name of total_paths."""
    total_paths: Count
    """How many paths hold your memories, with or without --keys. Layers and categories count only if -n names them."""
    total_namespaces: Count
    namespaces: dict[str, Count]
    """How many paths each namespace holds, layers (default:raw, default:insights) as well."""
    depth: Positive | None
    """The depth of the request."""
    prefix_counts: dict[str, dict[str, Count]]
    """With --depth: how many paths of a namespace begin with each prefix; a shorter path is its own prefix."""
    matching_keys: dict[str, list[shapes.Path]]
    """With --keys: by namespace, the paths that match."""
    stale_keys: NotRequired[dict[str, list[shapes.Path]]]
    """The matching paths whose insights are out of date; left out if there are none."""
    next: shapes.FullKey | None
    """The value of --after for the next page of keys; null on the last page."""


class SummarizeUser(TypedDict, total=False):
    """The field that is present if the user's own store was surveyed too."""

    user: Survey
    """The survey of your own store, if there is one."""


class Summarize(Survey, SummarizeUser):
    """A survey, complete and sorted."""


ANSWERS: dict[str, type] = {"get": Get, "ls": Ls, "grep": Grep, "summarize": Summarize}
