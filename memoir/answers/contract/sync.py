"""The answers of `clone`, `remote`, `push`, `fetch`, `pull`, `sync`, `fold`, `import` and `export`."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from memoir.answers.contract import Count, Fraction, Schema, shapes
from memoir.answers.contract.failure import BadLine

SyncOutcome = Annotated[
    str, Schema(enum=["up_to_date", "fast_forward", "pushed", "replayed", "merged", "folded", "sent"])
]
"""Which side had new commits: none, the remote, this store, both (replayed: ours are on top of the remote's; merged),
other writers in refs of their own (folded). sent: this store's commits were sent, and nothing was fetched."""


class Clone(TypedDict):
    """The new store."""

    path: str
    """The store's git directory, absolute."""
    branch: str
    initialized: Literal[True]
    memory_count: Count
    """The older name of path_count."""
    path_count: Count
    """How many paths its current branch has, including those of layers and of memoir itself."""
    indexing: bool
    """Whether they are still being indexed in the background; until then recall sees only the indexed part."""
    checking: bool
    """Whether most records are still being checked in the background; a record is also checked when it is read."""


class Remote(TypedDict):
    """A remote."""

    name: str
    url: str


class Remotes(TypedDict):
    """Every remote."""

    remotes: list[Remote]
    """Sorted by name."""
    count: Count
    """How many remotes there are."""


class RemoteChanged(TypedDict):
    """A remote that was added, changed or removed."""

    name: str
    url: str | None
    """null if it was removed."""
    action: Literal["added", "removed", "changed"]


class PushRef(TypedDict):
    """A branch or tag that was pushed."""

    ref: str
    """The full name, such as refs/heads/main, or refs/memoir/heads/main beside code."""
    result: Annotated[str, Schema(enum=["new", "updated", "up to date", "deleted"])]


class Push(TypedDict):
    """Each ref that was pushed, and what happened to it on the remote."""

    remote: str
    refs: Annotated[list[PushRef], Schema(minItems=1)]
    layout: shapes.Layout


class Fetch(TypedDict):
    """The remote's branches that moved."""

    remote: str
    updated: list[shapes.FetchedBranch]
    """Sorted by name."""
    count: Count
    """How many branches moved."""
    layout: shapes.Layout


class Pull(TypedDict):
    """The branches that were fetched, and the result of the merge."""

    remote: str
    branch: str
    """The branch that was merged into."""
    updated: list[shapes.FetchedBranch]
    """Sorted by name."""
    outcome: shapes.Outcome
    changed: Count
    """How many paths changed."""
    commit_hash: shapes.CommitId | None
    """The branch's newest commit."""
    commit_date: shapes.Instant | None
    layout: shapes.Layout
    united: list[shapes.Place]
    """The paths at which memories of both sides hold now, although a new one there takes the place of the old."""


class Unfolded(TypedDict):
    """A writer whose ref was not folded into the branch."""

    writer: str
    commit_hash: shapes.CommitId
    conflicts: Count
    """The number of paths at which it contradicts other writers."""
    problem: str | None
    """What is wrong with its memories; null if they only contradict others."""


class Sync(TypedDict):
    """How a branch and its remote were brought to the same commit."""

    remote: str
    branch: str
    updated: list[shapes.FetchedBranch]
    """The remote's branches that moved, sorted by name."""
    outcome: SyncOutcome
    sent: Count
    """How many commits were sent to the remote."""
    tries: Annotated[int, Schema(minimum=1)]
    """More than 1 if other stores pushed meanwhile."""
    commit_hash: shapes.CommitId | None
    """The branch's newest commit."""
    commit_date: shapes.Instant | None
    layout: shapes.Layout
    writers: Annotated[str, Schema(enum=["shared", "own"])]
    """Where this store's commits went: only to the remote's branch, or to a ref of this store as well."""
    folded: Count
    """How many other writers' refs had new commits, which the branch has now."""
    unfolded: list[Unfolded]
    refused: str | None
    """Why the remote refused to move its branch or to remove writers' refs; null if it did not."""
    signatures_lost: list[shapes.CommitId]
    """The commits that were made again and had the signature of another key, which cannot be made again."""
    united: list[shapes.Place]
    """The paths at which memories of both sides hold now, although a new one there takes the place of the old."""


class Fold(TypedDict):
    """The writers whose refs were folded into the remote's branch."""

    remote: str
    branch: str
    outcome: SyncOutcome
    folded: Count
    """How many writers' refs had new commits, which the branch has now."""
    removed: list[str]
    """The writers whose refs were removed at the remote, sorted by name: the branch has all their commits."""
    unfolded: list[Unfolded]
    refused: str | None
    """Why the remote refused to remove writers' refs; null if it did not."""
    tries: Annotated[int, Schema(minimum=1)]
    """More than 1 if other stores pushed meanwhile."""
    commit_hash: shapes.CommitId | None
    """The branch's newest commit, here and at the remote."""
    commit_date: shapes.Instant | None
    layout: shapes.Layout
    signatures_lost: list[shapes.CommitId]
    """The commits that were made again and had the signature of another key, which cannot be made again."""
    united: list[shapes.Place]
    """The paths at which memories of both sides hold now, although a new one there takes the place of the old."""


class Import(shapes.CommitMade):
    """The memories that were imported."""

    imported: Count
    """How many lines were imported."""
    paths: Count
    """How many paths the lines name."""
    skipped: list[BadLine]
    """With --skip-bad: the lines that were left out, in order."""
    newer_replaced: Count
    """How many memories of the store were replaced by older ones."""
    dry_run: bool


class RefusedRecord(TypedDict):
    """A record of another tool that was not imported."""

    where: str
    """The file and line, or the id."""
    message: str


class Target(TypedDict):
    """A path that memories go to."""

    key: str
    """The path, after its namespace if that is not `default`."""
    count: Count
    """How many memories go there."""


class ImportFrom(shapes.CommitMade):
    """What was imported from another tool; `read` is `imported`, `unchanged` and `refused` together."""

    kind: str
    """The kind of tool, as for --from."""
    reason: str | None
    """How the kind was recognized; null if --from names it."""
    read: Count
    """How many memories and conversations there are."""
    imported: Count
    """How many of them are new or changed."""
    unchanged: Count
    """How many were imported before and have not changed."""
    absent: Count
    """How many of the unchanged have nothing at their paths here: they were forgotten or moved, or memoir wrote them
    for another tool in another store."""
    refused: list[RefusedRecord]
    """The records that were left out, in the order of the files."""
    gone: Count
    """How many memories of an earlier import are no longer in the files that were read; they stay."""
    gone_keys: list[str]
    """Their addresses, sorted."""
    conversations: Count
    """How many conversations are new or changed."""
    targets: list[Target]
    """Where the imported memories go, sorted by key."""
    dry_run: bool


class Export(TypedDict):
    """The file of an export with -o. Without -o, see export-line.json."""

    path: str
    """The value of -o."""
    exported: Count
    """How many memories of all kinds, and so lines, were written."""
    paths: Count
    """The number of paths that hold them."""
    memories: Count
    """How many of them are active memories of yours."""
    memory_paths: Count
    """The number of paths that hold your memories, active and superseded."""
    superseded: Count
    """How many of them are superseded memories of yours."""
    segments: Count
    """How many of them are segments of sources."""
    others: Count
    """How many of them are the rest: insights, marks of layers, and categories."""


class ExportTo(TypedDict):
    """The memories that were written for another tool."""

    kind: str
    """The kind of tool, as for --to."""
    path: str
    """The file, or the folder of notes."""
    memories: Count
    """How many memories are there now."""
    left_out: Count
    """How many did not fit into --max-chars."""
    changed: Count
    """How many files changed."""


class ExportLine(TypedDict):
    """One memory, in key order; 'import' reads such lines. There is no envelope; a failure is one error object."""

    namespace: shapes.Namespace
    path: shapes.Path
    content: str
    timestamp: shapes.Instant
    confidence: shapes.Confidence
    status: shapes.Status
    metadata: shapes.Metadata


class ImportLine(TypedDict):
    """One memory. null means the same as a missing field."""

    namespace: NotRequired[shapes.Namespace | None]
    """By default the value of --namespace."""
    path: shapes.Path
    content: Annotated[str, Schema(minLength=1)]
    timestamp: NotRequired[str | None]
    """A date, by default the current time."""
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
    "sync": Sync,
    "fold": Fold,
    "import": Import,
    "import --from KIND": ImportFrom,
    "export -o FILE": Export,
    "export --to KIND": ExportTo,
}

LINES: dict[str, type] = {"export-line": ExportLine, "import-line": ImportLine}
