"""Shapes with a name of their own, docs/schema/shapes.json: those in several answers, or within themselves."""

from typing import Annotated, Any, TypedDict

from memoir.output.contract.schema import Count, Fraction, Schema
from memoir.settings import BRANCH

Path = Annotated[str, Schema(pattern=r"^[^.=\s]+(\.[^.=\s]+){0,7}$")]
"""One to eight segments joined by dots, such as preferences.coding.testing."""


Namespace = Annotated[str, Schema(pattern=r"^[^.=\s]+$")]
"""Such as default, or user:alice."""


FullKey = Annotated[str, Schema(pattern=r"^[^.=\s]+:[^:=\s]+$")]
"""namespace:path, which every command takes for a key."""


CommitId = Annotated[str, Schema(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
"""A commit's whole id: SHA-1, or SHA-256 in a store made with --sha256."""


Layout = Annotated[str, Schema(enum=["plain", "beside"])]
"""Where the remote keeps memory: in plain branches, or beside code, under refs/memoir/."""


SelectedBy = Annotated[str, Schema(enum=["HEAD", "--branch", BRANCH.key])]
"""Who chose the branch that commands work on; HEAD if nobody did."""


Instant = Annotated[str, Schema(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$")]
"""RFC 3339 in UTC."""


Confidence = Annotated[float, Schema(minimum=0, maximum=1)]
"""How sure it is."""


Status = Annotated[str, Schema(enum=["active", "superseded"])]


Metadata = Annotated[dict[str, Any], Schema()]
"""What the memory's author added; its keys are data."""


class Place(TypedDict):
    """Where a memory lies."""

    key: Path
    namespace: Namespace
    full_key: FullKey


class Memory(TypedDict):
    """One memory."""

    content: str
    confidence: Confidence
    timestamp: Instant
    """Since when it holds."""
    status: Status
    metadata: Metadata


class Single(Memory):
    """One memory is in force."""

    superseded: Count
    """How many superseded memories lie beside it."""


class Aggregated(TypedDict):
    """Several memories are in force."""

    content: str
    """The contents in force, oldest first, joined by line breaks."""
    memories: Annotated[list[Memory], Schema(minItems=2)]
    count: Annotated[int, Schema(minimum=2)]
    last_updated: Instant
    """The newest timestamp among them."""
    superseded: Count
    """How many superseded memories lie beside them."""


Value = Single | Aggregated
"""What lies at a path. 'content' is always there."""


class Move(TypedDict):
    """A key that became another."""

    old: FullKey
    new: FullKey


class Paths(TypedDict):
    """What a commit changed against its first parent."""

    put: list[FullKey]
    """Written keys, sorted."""
    forget: list[FullKey]
    """Removed keys, sorted."""
    moves: list[Move]
    """Which removed key became which written one."""
    count: Count
    """How many keys changed; above 1,000 the lists are empty."""


class CommitFields(TypedDict):
    """A commit, without what it changed."""

    commit: CommitId
    parents: list[CommitId]
    author: str
    email: str
    date: Instant
    message: str


class Commit(CommitFields):
    """A commit."""

    paths: Paths | None
    """null if memoir did not write the commit."""


class Difference(TypedDict):
    """A path whose memories differ."""

    namespace: Namespace
    key: Path
    operation: Annotated[str, Schema(enum=["added", "modified", "removed"])]
    old: str | None
    """The content before."""
    new: str | None
    """The content after."""
    fields: list[str]
    """The fields of 'value' that differ, sorted; empty unless modified.

    Empty there too if only superseded memories differ.
    """


class Fetched(TypedDict):
    """A remote branch that moved."""

    branch: str
    old: CommitId | None
    """null if it is new."""
    new: CommitId | None
    """null if it is gone."""
    foreign: str | None
    """What is wrong with a tree that memoir did not write, if anything is."""


class Placement(TypedDict):
    """A path that a memory may be filed under."""

    path: Path
    confidence: Fraction


class Usage(TypedDict):
    """What the model cost, in tokens; zeros if none was asked."""

    calls: Count
    input_tokens: Count
    output_tokens: Count
    cache_creation_input_tokens: Count
    cache_read_input_tokens: Count


class Filing(TypedDict):
    """How a memory was filed."""

    by: Annotated[str, Schema(enum=["model", "rules"])]
    confidence: Fraction
    """How sure of the first path; not how sure the memory is."""
    reason: str
    inbox: bool
    """Whether it waits in inbox.unsorted."""
    paths: list[Placement]
    runner_up: Placement | None
    """The next best path, or null."""
    usage: Usage


WrittenCommit = Annotated[CommitId | None, Schema()]
"""The commit made, or null if nothing changed."""


WrittenDate = Annotated[Instant | None, Schema()]
"""When it was made."""


class CommitMade(TypedDict):
    """The commit that a write made."""

    commit_hash: WrittenCommit
    commit_date: WrittenDate


Degraded = Annotated[str | None, Schema()]
"""What fell back and why, or null."""


Outcome = Annotated[str, Schema(enum=["up_to_date", "fast_forward", "merged"])]
"""How a merge went."""


class LinkedFrom(TypedDict):
    """How a memory is linked to the one above it."""

    edge: Annotated[str, Schema(enum=["derives_from", "causes", "calls", "imports", "supersedes"])] | None
    """The link that leads here; null at the root."""


class Node(LinkedFrom, Place):
    """A memory, and below it what led to it."""

    found: bool
    """false where the link dangles."""
    content: str | None
    again: bool
    """Its links are shown elsewhere in the tree, where the way to it is shorter."""
    cut: bool
    """It has links, deeper than was asked."""
    links: "list[Node]"


class Parameter(TypedDict):
    """An argument or an option."""

    name: str
    options: list[str]
    """Its spellings, shortest first; empty for an argument."""
    metavar: str | None
    """null for a flag."""
    type: str
    required: bool
    repeatable: bool
    default: Any
    """null if there is none."""
    help: str
