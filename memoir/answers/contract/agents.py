"""The answers of the commands for agents."""

from typing import Annotated, Any, Literal, TypedDict

from memoir.answers.contract import Count, Schema, shapes
from memoir.answers.contract.filing import LexiconOffer

Action = Literal["installed", "removed", "printed"]


class SetupHost(TypedDict):
    """A host that can be set up."""

    host: str
    title: str
    """The host's own name."""
    scopes: list[Literal["global", "project"]]
    hooks: bool
    """Whether it runs hooks; without them it has MCP, or a file of rules."""
    installed: list[Literal["global", "project"]]
    """The scopes in which it is set up; project means the one in the current folder."""


class SetupList(TypedDict):
    """The hosts."""

    hosts: list[SetupHost]
    count: Count


class SetupFile(TypedDict):
    """A file of a host."""

    path: str
    status: Literal["created", "changed", "unchanged", "deleted", "absent", "refused"]
    """refused: memoir cannot change it without loss, and `problem` says why."""
    diff: str
    """The change, in the form of diff -u; empty if there is none."""
    text: str | None
    """The text that memoir adds to the file, to add it by hand; null for a removal."""
    problem: str | None


class Setup(TypedDict):
    """The files that were changed, or with `dry_run` would be."""

    host: str
    scope: Literal["global", "project"]
    action: Action
    installed: bool
    """Whether the host is set up now."""
    files: list[SetupFile]
    store: str | None
    """The git directory of the store that was created, if one was."""
    permissions: Count
    """How many of the host's permission entries are memoir's afterwards."""
    notes: list[str]
    """What the user must know or do."""
    next: str | None
    """A useful next command, or null."""
    dry_run: bool


class SetupCheck(TypedDict):
    """Whether a host is set up."""

    host: str
    scope: Literal["global", "project"]
    action: Literal["checked"]
    installed: bool
    files: list[str]
    """The files that hold what memoir wrote."""
    notes: list[str]
    """The obstacles: a host that does not trust the hooks yet, a command that fails."""


class PrimeSection(TypedDict):
    """A part of the primer."""

    name: Annotated[str, Schema(enum=["pinned", "query", "rules", "inbox", "disputes", "changes", "paths"])]
    memories: list[shapes.Place]
    """The paths of the memories that it quotes, each once."""


class Prime(TypedDict):
    """What an agent should know when a session begins."""

    text: str
    """The text, with its last line break; empty for an empty store."""
    characters: Count
    tokens: Count
    """An estimate: 3.5 ASCII characters a token, or 2 bytes of UTF-8 of any other character."""
    sections: list[PrimeSection]
    degraded: shapes.Degraded


class HookHost(TypedDict):
    """A host and the events that 'memoir hook' answers for it."""

    host: str
    events: list[str]


class Hooks(TypedDict):
    """The hosts whose events can be answered; an event itself is answered in the form of its host."""

    hosts: list[HookHost]
    count: Count


class HostHooks(TypedDict):
    """A host whose hooks were updated, or could not be."""

    host: str
    scope: Literal["global", "project"]
    files: list[str]
    """The files that were changed."""
    problem: str | None
    """Why the hooks were not updated; null if they were."""


class CaptureStatus(TypedDict):
    """Whether the texts of sessions that hosts hand over are kept, and how many."""

    on: bool
    folder: str | None
    """The folder in which they wait for a decision; null if there is no such folder."""
    turns: Count
    sessions: Count
    bytes: Count
    oldest: shapes.Instant | None
    """When the oldest turn was said; null without any."""
    deleted: Count
    """How many turns --purge deleted."""
    hosts: list[HostHooks]
    """The hosts whose hooks were changed to switch capture on or off; empty for 'status'."""


class Proposal(TypedDict):
    """A memory that may be worth keeping."""

    number: Annotated[int | None, Schema(minimum=1)]
    """Its number, to accept or reject it by; null for a request to forget, which is only shown."""
    path: shapes.Path | None
    """The path that it is filed under; null for a request to forget."""
    content: str
    kind: Annotated[str, Schema(enum=["fact", "preference", "directive", "resolution", "retraction"])]
    source: str
    """The host, such as claude."""
    session: str
    timestamp: shapes.Instant
    """When it was said."""
    reason: str


class OpenProposal(Proposal):
    """A proposal that nobody has decided on."""

    similar: list[shapes.SimilarMemory]
    """The older memories that it contradicts or is near to, the likeliest first. The command accepts the proposal: the
    first one's replaces that memory; the others' keep theirs, and the answer says how to replace them."""
    beside: str | None
    """The newest memory at its path that is not in `similar`, or null."""
    named: list[shapes.NamedFile]
    """The files of the project that it names, and the command that accepts it and ties it to each."""


class DecidedProposal(Proposal):
    """A proposal that was accepted or rejected; if accepted, `path` is where it is stored."""

    id: shapes.MemoryId | None
    """The id in KEY#id, if the path has several memories; else null."""
    superseded: list[str]
    """The memory that it replaced."""
    similar: list[shapes.SimilarMemory]
    """The older memories that stay active although it contradicts them or is near to them, the likeliest first."""


class WithheldLine(TypedDict):
    """A line that is not proposed because it holds a credential; the credential is not shown."""

    source: str
    """The host, such as claude."""
    session: str
    timestamp: shapes.Instant
    """When the turn was said."""
    line: Annotated[int, Schema(minimum=1)]
    """The line of the turn."""
    rule: str
    """What kind of credential it is: the rule that found it."""


class CaptureReview(TypedDict):
    """The memories that may be worth keeping and that nobody has decided on."""

    proposals: list[OpenProposal]
    count: Count
    """How many can be accepted or rejected."""
    withheld: list[WithheldLine]
    """The lines with credentials; they are listed until no proposal is open."""
    unread: Count
    """The turns in another language than English, which the rules do not read; they are kept."""
    usage: shapes.Usage | None
    """The cost of the model; null without one."""
    degraded: shapes.Degraded
    lexicon: list[LexiconOffer]
    """Names of one thing that the proposals mention and that the store's lexicon lacks."""


class RefusedProposal(TypedDict):
    """A proposal that cannot be stored; it stays open."""

    number: Count
    path: shapes.Path | None
    error: str


class CaptureDecision(TypedDict):
    """The proposals that were accepted or rejected. Exit status 1 if some were refused."""

    commit_hash: shapes.WrittenCommit
    commit_date: shapes.WrittenDate
    proposals: list[DecidedProposal]
    count: Count
    refused: list[RefusedProposal]
    left: Count
    """How many proposals are still open."""
    retractions: list[Proposal]
    """The requests to forget, shown for the last time when no proposal is open. Nothing was forgotten."""
    withheld: list[WithheldLine]
    """The lines with credentials in what was reviewed."""
    unread: Count
    """The turns in other languages than English, which the rules do not read; their sessions are kept."""
    usage: shapes.Usage | None
    """The cost of the model, if it had to read sessions that were not reviewed yet; else null."""
    degraded: shapes.Degraded


class DoctorCheck(TypedDict):
    """One check."""

    name: str
    status: Annotated[str, Schema(enum=["ok", "warning", "failed"])]
    message: str
    fix: str | None
    """The command or step that repairs it or comes next, or null."""


class Doctor(TypedDict):
    """The checks. Exit status 1 if one of them failed."""

    checks: list[DoctorCheck]
    count: Count
    ok: bool
    """Whether no check failed."""


class Mcp(TypedDict):
    """A server whose client has disconnected. Until then, standard output belongs to the protocol."""

    calls: Count
    """How many calls of tools it answered."""


class Batch(TypedDict):
    """With -o: the lines that were answered in a file. Without, see batch-line.json."""

    path: str
    lines: Count


class BatchLine(TypedDict):
    """The answer to one line."""

    id: Any
    """The line's own 'id'; without one, its number in the input, from 1."""
    status: Count
    """The exit status that the command would have by itself."""
    answer: dict[str, Any]
    """What the command prints with --json: see the schema of its name, and error.json."""


ANSWERS: dict[str, type] = {
    "setup, --list": SetupList,
    "setup HOST, --remove, --print": Setup,
    "setup HOST --check": SetupCheck,
    "prime": Prime,
    "hook": Hooks,
    "doctor": Doctor,
    "capture on, off, status": CaptureStatus,
    "capture review": CaptureReview,
    "capture accept, reject": CaptureDecision,
    "batch": Batch,
    "mcp": Mcp,
}

LINES: dict[str, type] = {"batch-line": BatchLine}
