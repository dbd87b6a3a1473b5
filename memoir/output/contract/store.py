"""The answers of `init`, `status`, `config`, `index`, `embed`, `fsck`, `gc`, `version` and `help`."""

from typing import Annotated, Any, Literal, TypedDict

from memoir.output.contract.schema import Count, Schema
from memoir.output.contract.shapes import CommitId, Degraded, Parameter, SelectedBy


class Init(TypedDict):
    """The store, new or there already."""

    path: str
    """Its git directory, absolute."""
    branch: str
    initialized: Literal[True]
    created: bool
    """false if it was there already."""


class Tracked(TypedDict):
    """A remote, and how the branch stands to it."""

    name: str
    url: str
    ahead: Count | None
    """Commits it has not; null before a fetch."""
    behind: Count | None
    """Commits it has and this branch has not."""


class Status(TypedDict):
    """The store at a glance."""

    path: str
    """Its git directory, absolute."""
    exists: Literal[True]
    initialized: Literal[True]
    branch: str | None
    """The branch that commands work on."""
    commit: CommitId | None
    """Its newest commit."""
    commit_count: Count
    memory_count: Count
    """Paths in all namespaces."""
    namespaces: dict[str, Count]
    """How many paths each namespace holds."""
    remotes: list[Tracked]
    """By name."""
    root: CommitId | None
    """The id of the snapshot's root node: equal memories, equal root."""
    head: str | None
    """The branch that HEAD names."""
    selected_by: SelectedBy


class Setting(TypedDict):
    """A setting."""

    key: str
    value: str | None
    """Nothing if nothing gives one, and there is no default."""
    origin: str
    """As git says it, such as file:PATH; else environment:NAME or default."""
    ignored: bool
    """Whether the store sets what only the user may."""


class Config(TypedDict):
    """Every setting."""

    settings: list[Setting]
    """Of several values of one setting, the last is active."""
    count: Count
    """How many there are."""


class ConfigChange(TypedDict):
    """One setting."""

    key: str
    value: str | None
    origin: str | None
    """Where it was read from: as git says it, such as file:PATH; else environment:NAME or default."""
    action: Literal["read", "set", "removed"]


class Index(TypedDict):
    """What the completed index holds."""

    memories: int
    """Paths indexed, as every count of memories."""
    documents: int
    """The active memories at them, each of which recall can find."""
    embedder: str | None
    """Whose vectors they have; null where it failed."""
    rebuilt: bool
    """Whether what was there was thrown away first."""
    bytes: int
    """The size of the file; 0 where it could only be built in memory."""
    degraded: Degraded


class EmbedStatus(TypedDict):
    """The embedder, and what is indexed with it."""

    embedder: str
    """The one in force."""
    minilm_installed: bool
    minilm_folder: str
    """Where its weights are, or would be."""
    documents: int | None
    """Memories indexed; null before the first recall."""
    embedded: int | None
    """Those that have this embedder's vector."""


class EmbedInstalled(TypedDict):
    """The weights that were installed."""

    embedder: str
    folder: str
    bytes: int


class Loss(TypedDict):
    """What setting a damaged ref back costs."""

    ref: str
    old: CommitId | None
    new: CommitId | None
    """Null if the ref goes."""
    changes: list[str]
    """What is lost, newest first."""
    accepted: bool


class Fsck(TypedDict):
    """What was looked at, and what is wrong. Exit status 7 if anything is."""

    commits: Count
    """Commits checked."""
    values: Count
    """Stored values checked."""
    problems: list[str]
    repaired: list[str]
    """Branches that --repair put into shape."""
    ok: bool
    restored: list[str]
    """What else --repair put right."""
    losses: list[Loss]
    """What setting a damaged ref back to its newest sound commit costs; done if accepted (--yes)."""


class Gc(TypedDict):
    """What packing saved."""

    bytes_before: Count
    bytes_after: Count
    index_bytes: Count
    """Those of the index, counted in both."""


class Version(TypedDict):
    """Versions."""

    memoir: str
    python: str
    git: str
    format: str
    """The store format that this memoir writes."""


class Described(TypedDict):
    """What a command takes."""

    description: str
    arguments: list[Parameter]
    options: list[Parameter]
    subcommands: "list[Subcommand]"


class Subcommand(TypedDict):
    """A command of a command."""

    name: str
    description: str
    arguments: list[Parameter]
    options: list[Parameter]
    subcommands: Annotated[list[Any], Schema(maxItems=0)]


class Command(TypedDict):
    """A command."""

    name: str
    summary: str
    aliases: list[str]
    description: str
    arguments: list[Parameter]
    options: list[Parameter]
    subcommands: list[Subcommand]


class ExitStatus(TypedDict):
    """An exit status."""

    status: Count
    meaning: str


class Variable(TypedDict):
    """An environment variable."""

    name: str
    meaning: str


class Help(TypedDict):
    """The command tree, or one command of it."""

    options: list[Parameter]
    """Those that may stand before any command."""
    commands: Annotated[list[Command], Schema(minItems=1)]
    exit_statuses: list[ExitStatus]
    environment: list[Variable]


ANSWERS: dict[str, type] = {
    "init": Init,
    "status": Status,
    "config --list": Config,
    "config KEY, KEY VALUE, --unset KEY": ConfigChange,
    "index": Index,
    "embed, status": EmbedStatus,
    "embed install": EmbedInstalled,
    "fsck": Fsck,
    "gc": Gc,
    "version": Version,
    "help": Help,
}
