"""The answers of `classify`, `consolidate` and `taxonomy`."""

from typing import Annotated, Literal, TypedDict

from memoir.output.contract.schema import Count, Schema
from memoir.output.contract.shapes import Degraded, Filing, FullKey, Path, Place, WrittenCommit, WrittenDate


class InboxMemory(Place):
    """A memory in the inbox."""

    content: str
    to: list[FullKey]
    """Where it goes; empty if it stays."""
    filing: Filing
    degraded: Degraded


class Classify(TypedDict):
    """What was in the inbox, and where it went or would go."""

    inbox: list[InboxMemory]
    count: Count
    """How many there were."""
    moved: Count
    """How many were moved."""
    commit_hash: WrittenCommit
    commit_date: WrittenDate
    dry_run: bool


class Keeper(Place):
    """The memory that stands for it, or may."""

    content: str


class Pair(Place):
    """A memory, and the one that stands for it."""

    content: str
    by: Keeper
    cosine: Annotated[float, Schema(minimum=-1.0001, maximum=1.0001)]


class Identified(TypedDict):
    """What a candidate is accepted by."""

    id: str
    """What --accept takes; of both memories as they are."""


class Candidate(Identified, Pair):
    """Two memories that are alike, but not the same."""


class Consolidate(TypedDict):
    """Near-duplicates, each with the memory that stands for it, and candidates that are merely alike."""

    superseded: list[Pair]
    count: Count
    """How many are superseded."""
    candidates: list[Candidate]
    """Alike, but not the same: superseded only by --accept ID."""
    candidate_count: Count
    """How many candidates there are."""
    commit_hash: WrittenCommit
    commit_date: WrittenDate
    dry_run: bool


class Category(TypedDict):
    """A category that memories are filed under."""

    path: Path
    about: str
    examples: list[str]
    cues: list[str]
    """Words that speak for it."""


class Taxonomy(TypedDict):
    """The categories."""

    source: Annotated[str, Schema(enum=["default", "extended", "replaced"])]
    """Whether the default ones are in force, are extended, or are replaced."""
    categories: list[Category]
    count: Count
    """How many there are."""


class TaxonomyChanged(TypedDict):
    """What was changed."""

    action: Literal["add", "load", "reset"]
    count: Count
    """How many categories were given."""
    commit_hash: WrittenCommit
    commit_date: WrittenDate


ANSWERS: dict[str, type] = {
    "classify": Classify,
    "consolidate": Consolidate,
    "taxonomy": Taxonomy,
    "taxonomy add, load, reset": TaxonomyChanged,
}
