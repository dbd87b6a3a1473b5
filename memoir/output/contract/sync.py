"""The answers of `clone`, `remote`, `push`, `fetch`, `pull`, `import` and `export`."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from memoir.output.contract.schema import Count, Fraction, Schema
from memoir.output.contract.shapes import (
    CommitId,
    Confidence,
    Fetched,
    Instant,
    Layout,
    Metadata,
    Namespace,
    Outcome,
    Path,
    Status,
    WrittenCommit,
    WrittenDate,
)


class Clone(TypedDict):
    """The new store."""

    path: str
    """Its git directory, absolute."""
    branch: str
    initialized: Literal[True]
    memory_count: Count
    """The paths on its current branch."""


class Remote(TypedDict):
    """A remote."""

    name: str
    url: str


class Remotes(TypedDict):
    """Every remote."""

    remotes: list[Remote]
    """By name."""
    count: Count
    """How many there are."""


class RemoteChanged(TypedDict):
    """What became of a remote."""

    name: str
    url: str | None
    """null if it was removed."""
    action: Literal["added", "removed", "changed"]


class PushRef(TypedDict):
    """A branch or tag that was sent."""

    ref: str
    """Its full name, such as refs/heads/main, or refs/memoir/heads/main beside code."""
    result: Annotated[str, Schema(enum=["new", "updated", "up to date", "deleted"])]


class Push(TypedDict):
    """Each ref, and what became of it on the remote."""

    remote: str
    refs: Annotated[list[PushRef], Schema(minItems=1)]
    layout: Layout


class Fetch(TypedDict):
    """The remote's branches that moved."""

    remote: str
    updated: list[Fetched]
    """By name."""
    count: Count
    """How many there are."""
    layout: Layout


class Pull(TypedDict):
    """What was fetched, and how it merged."""

    remote: str
    branch: str
    """The branch merged into."""
    updated: list[Fetched]
    """By name."""
    outcome: Outcome
    changed: Count
    """Paths that differ now."""
    commit_hash: CommitId | None
    """The branch's newest commit."""
    commit_date: Instant | None
    layout: Layout


class Import(TypedDict):
    """How much was imported."""

    imported: Count
    """Lines."""
    paths: Count
    """Paths that the lines named."""
    commit_hash: WrittenCommit
    commit_date: WrittenDate


class Export(TypedDict):
    """Where an export went, with -o. Without, see export-line.json."""

    path: str
    """As given."""
    exported: Count
    """Lines."""


class ExportLine(TypedDict):
    """One memory, in key order. There is no envelope; a failure is one error object. A line is fit for import."""

    namespace: Namespace
    path: Path
    content: str
    timestamp: Instant
    confidence: Confidence
    status: Status
    metadata: Metadata


class ImportLine(TypedDict):
    """One memory. null counts as absent."""

    namespace: NotRequired[Namespace | None]
    """--namespace if there is none."""
    path: Path
    content: Annotated[str, Schema(minLength=1)]
    timestamp: NotRequired[str | None]
    """A date; now if there is none."""
    confidence: NotRequired[Fraction | None]
    status: NotRequired[Literal["active", "superseded"] | None]
    metadata: NotRequired[dict[str, Any] | None]


ANSWERS: dict[str, type] = {
    "clone": Clone,
    "remote, list": Remotes,
    "remote add, remove, set-url": RemoteChanged,
    "push": Push,
    "fetch": Fetch,
    "pull": Pull,
    "import": Import,
    "export -o FILE": Export,
}

LINES: dict[str, type] = {"export-line": ExportLine, "import-line": ImportLine}
