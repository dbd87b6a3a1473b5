"""The named shapes in docs/schema/shapes.json: those that several answers share, or that contain themselves."""

from typing import Annotated, Any, NotRequired, TypedDict

from memoir.answers.contract import Count, Fraction, Schema
from memoir.settings import BRANCH, BRANCH_FOLLOW

Path = Annotated[str, Schema(pattern=r"^[^.=\s]+(\.[^.=\s]+){0,7}$")]
"""One to eight segments joined by dots, such as preferences.coding.testing."""

Namespace = Annotated[str, Schema(pattern=r"^[^.=\s]+$")]
"""Such as default, or user:alice."""

FullKey = Annotated[str, Schema(pattern=r"^[^.=\s]+:[^:=\s]+$")]
"""namespace:path, which every command takes as a key."""

CommitId = Annotated[str, Schema(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
"""A commit's whole id: SHA-1, or SHA-256 in a store made with --sha256."""

Layout = Annotated[str, Schema(enum=["plain", "beside"])]
"""Where the remote keeps memory: in plain branches, or beside code, under refs/memoir/."""

SelectedBy = Annotated[str, Schema(enum=["HEAD", "--branch", BRANCH.key, BRANCH_FOLLOW.key])]
"""What chose the branch that commands work on: the option, the variable, the code's branch if the store follows it, or
HEAD."""

StoreName = Annotated[str, Schema(enum=["project", "user"])]
"""The project's store, or the user's own."""


class InStore(TypedDict, total=False):
    """The field that is present if the user's own store was read too."""

    store: StoreName
    """The store that holds it, if your own store was searched too."""


Instant = Annotated[str, Schema(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$")]
"""RFC 3339 in UTC."""

Day = Annotated[str, Schema(pattern=r"^\d{4}-\d\d-\d\d$")]
NamedDay = TypedDict("NamedDay", {"text": str, "from": Day, "to": Day})


class InDays(TypedDict, total=False):
    """The field of a text with words such as "last week", which mean days relative to the text's own."""

    dates: Annotated[list[NamedDay], Schema(minItems=1)]
    """The days that words such as "last week" mean, relative to the day on which the text was said; in UTC."""


Confidence = Annotated[float, Schema(minimum=0, maximum=1)]
"""The memory's confidence."""

Status = Annotated[str, Schema(enum=["active", "superseded"])]
Metadata = Annotated[dict[str, Any], Schema()]
"""The fields that the memory's author added; their names are data. If the memory is about files of the project, each
entry of `about` tells what became of the file, as in the answer of `memoir about`."""


class Place(TypedDict):
    """The place of a memory."""

    key: Path
    namespace: Namespace
    full_key: FullKey


MemoryId = Annotated[str, Schema(pattern="^([0-9a-f]{8}|p[1-9][0-9]*(-[1-9][0-9]*)?)$")]
"""The id of a memory among those at its path, or of passages of a segment; KEY#id is its address."""

MemoryAddress = Annotated[str, Schema(pattern=r"^[^.=\s]+:[^:=\s#]+(#([0-9a-f]{1,8}|p[1-9][0-9]*(-[1-9][0-9]*)?))?$")]
"""KEY, or KEY#id of one memory among several: what get, edit and forget take."""


class Target(Place):
    """The place of memories."""

    id: MemoryId | None
    """The id in KEY#id, if one memory of the path is meant; null for all of them."""
    address: MemoryAddress


Origin = Annotated[str, Schema(enum=["user", "capture", "agent", "unknown", "import", "document"])]
"""Who vouches for a memory: a user typed it, a review of captures accepted it, an agent stored it, an import or a
document brought it; unknown: it is older than this field."""

Origins = Annotated[list[Origin], Schema(minItems=1)]
"""Who vouches for a memory, in the order in which they did."""


class OfRemote(TypedDict, total=False):
    """The field of a memory that came from a remote."""

    author: str


class Memory(TypedDict):
    """One memory."""

    content: str
    confidence: Confidence
    timestamp: Instant
    """The time from which the memory holds."""
    status: Status
    origin: Origins
    author: NotRequired[str]
    """Of a memory that came from a remote: the author of the commit that wrote it."""
    metadata: Metadata


class Single(Memory):
    """The value of a path with one active memory."""

    superseded: Count
    """How many superseded memories the path has besides."""


class OneOfSeveral(Memory, InDays):
    """One of the memories of a path."""

    id: MemoryId
    address: MemoryAddress


class Aggregate(TypedDict):
    """The value of a path with several active memories."""

    content: str
    """The contents of the active memories, oldest first, joined by line breaks."""
    memories: Annotated[list[OneOfSeveral], Schema(minItems=2)]
    count: Annotated[int, Schema(minimum=2)]
    last_updated: Instant
    """The newest timestamp of the active memories."""
    superseded: Count
    """How many superseded memories the path has besides."""


Value = Single | Aggregate
"""The memories of a path. The field 'content' is always there."""


class AnchorState(TypedDict):
    """A file of the project that a memory is about, and what became of it."""

    file: str
    """From the root of the project."""
    blob: str
    """The id of the file's text in git, as the memory was tied to it."""
    commit: NotRequired[str]
    """The commit of the project that was checked out; left out outside git."""
    lines: NotRequired[Annotated[list[int], Schema(minItems=2, maxItems=2)]]
    """The first and the last line, counted from 1; left out if it is about the whole file."""
    digest: NotRequired[str]
    """The digest of the lines."""
    words: NotRequired[str]
    """How the lines begin."""
    state: Annotated[str, Schema(enum=["fresh", "moved", "changed", "gone", "unknown"])]
    """moved: the same text is elsewhere; unknown: it was not compared."""
    changed: NotRequired[Fraction]
    """The share of lines that differ, if the old text is in the project's history."""
    now: NotRequired[str]
    """Where the text is now, as `FILE:L1-L2`, if it has moved; if it has changed, where its old beginning is found."""


class OfCode(TypedDict, total=False):
    """The field of memories that are about files of the project."""

    about: list[AnchorState]


class Move(TypedDict):
    """The old and the new key of a memory that moved."""

    old: FullKey
    new: FullKey


class Signature(TypedDict):
    """The check of a commit's signature."""

    status: Annotated[str, Schema(enum=["good", "unknown", "bad", "none", "unsupported"])]
    """good: by an allowed signer; unknown: valid, but the key belongs to no allowed signer; bad: not of this commit;
    none: not signed; unsupported: not an SSH signature, so it is not checked."""
    signer: str | None
    """Who signed, as the file of allowed signers says; null unless the status is good."""
    key: str | None
    """The fingerprint of the key; null unless the signature is valid."""


class Paths(TypedDict):
    """The changes of a commit against its first parent."""

    put: list[FullKey]
    """Written keys, sorted."""
    forget: list[FullKey]
    """Removed keys, sorted."""
    moves: list[Move]
    """The removed keys that became written keys."""
    count: Count
    """How many keys changed; above 1,000 the lists are empty."""


class CommitFields(TypedDict):
    """A commit without its changes."""

    commit: CommitId
    parents: list[CommitId]
    author: str
    email: str
    date: Instant
    message: str


class Commit(CommitFields):
    """A commit."""

    paths: Paths | None
    """null if another program than memoir made the commit."""


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
    """The names of the fields of 'value' that differ, sorted, if the memory was modified; else empty.

    Also empty if only superseded memories differ.
    """


class FetchedBranch(TypedDict):
    """A remote branch that moved."""

    branch: str
    old: CommitId | None
    """null if the branch is new."""
    new: CommitId | None
    """null if the remote has deleted the branch."""
    foreign: str | None
    """The problem in a tree that memoir did not write, or null."""


class NamedFile(TypedDict):
    """A file of the project that the text names although the memory is not tied to it."""

    file: str
    """`FILE[:L1[-L2]]`, from the root of the project."""
    command: str
    """The command that ties the memory to it."""


class SimilarMemory(Target):
    """An active memory that a new one may be meant to replace."""

    content: str
    timestamp: Instant
    relation: Annotated[str, Schema(enum=["contradicts", "near"])]
    """contradicts: by the rules, the two cannot both be true; near: they are only much alike."""
    newer: bool
    """Whether it is the newer of the two, and therefore the successor."""
    command: str
    """The command that makes the other memory its successor."""


class Placement(TypedDict):
    """A path that a memory may be filed under."""

    path: Path
    confidence: Fraction


class Cost(TypedDict):
    """The cost of asking a model."""

    calls: Count
    input_tokens: Count
    """An estimate: a token has about four characters."""


class Usage(TypedDict):
    """The tokens that a model used; zeros if no model was called."""

    calls: Count
    input_tokens: Count
    output_tokens: Count
    cache_creation_input_tokens: Count
    cache_read_input_tokens: Count


class Filing(TypedDict):
    """How a memory was filed."""

    by: Annotated[str, Schema(enum=["model", "rules"])]
    confidence: Fraction
    """The classifier's confidence in the first path, not the memory's own."""
    reason: str
    inbox: bool
    """Whether the memory is in the inbox."""
    paths: list[Placement]
    runner_up: Placement | None
    """The second best path, or null; for a memory in the inbox the best one."""
    offers: list[Placement]
    """For a memory in the inbox, the best paths, two at most.

    `memoir mv --append KEY PATH` files the memory there, and later classifications learn from it.
    """
    usage: Usage


WrittenCommit = Annotated[CommitId | None, Schema()]
"""The commit, or null if nothing changed."""

WrittenDate = Annotated[Instant | None, Schema()]
"""The commit's date, or null if nothing changed."""


class CommitMade(TypedDict):
    """The commit that a write made."""

    commit_hash: WrittenCommit
    commit_date: WrittenDate


class Written(CommitMade):
    """The commit that a write made; in a dry run there is none."""

    dry_run: bool


Degraded = Annotated[str | None, Schema()]
"""The parts of memoir that could not be used for this answer, and why; null if the answer is complete."""

Outcome = Annotated[str, Schema(enum=["up_to_date", "fast_forward", "merged"])]
"""The kind of merge."""


class LinkedFrom(TypedDict):
    """The link from a memory to the one above it in the tree."""

    edge: Annotated[str, Schema(enum=["derives_from", "causes", "calls", "imports", "supersedes", "passage_of"])] | None
    """The kind of the link; null at the root."""


class FromSource(TypedDict, total=False):
    """The fields of a segment of a source, and of a passage of it."""

    source: str
    """The name of the source."""
    origin: Origins | str | None
    """Of a memory: who vouches for it. Of a source: where it was read from, such as a file."""
    author: str
    """Of a memory that came from a remote: the author of the commit that wrote it."""


class Node(LinkedFrom, Target, FromSource):
    """A memory or a passage, and the memories that led to it."""

    found: bool
    """false if no memory is at the path that the link names."""
    content: str | None
    again: bool
    """Whether its links are shown elsewhere in the tree, nearer to the root."""
    cut: bool
    """Whether it has links that are deeper than --depth."""
    stale: bool | None
    """Whether an insight is out of date; null if the memory is not an insight."""
    about: NotRequired[list[AnchorState]]
    """The files of the project that memories of the path are about, and what became of them."""
    links: "list[Node]"


class Parameter(TypedDict):
    """An argument or an option."""

    name: str
    options: list[str]
    """The names of the option, the shortest first; empty for an argument."""
    metavar: str | None
    """The placeholder of the value; null for an option without a value."""
    type: str
    required: bool
    repeatable: bool
    default: Any
    """The default value, or null."""
    help: str
    heading: str | None
    """The heading that the help page puts it under; null for the common one."""
