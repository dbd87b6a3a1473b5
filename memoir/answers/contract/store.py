"""The answers of `init`, `status`, `config`, `index`, `embed`, `fsck`, `gc`, `version` and `help`."""

from typing import Annotated, Any, Literal, TypedDict

from memoir.answers.contract import Count, Positive, Schema
from memoir.answers.contract.shapes import CommitId, Degraded, Parameter, SelectedBy


class Init(TypedDict):
    """The store."""

    path: str
    """The store's git directory, absolute."""
    branch: str
    initialized: Literal[True]
    created: bool
    """false if the store existed already."""


class TrackedRemote(TypedDict):
    """A remote, and how the branch differs from its branch there."""

    name: str
    url: str
    ahead: Count | None
    """Commits that the remote lacks; null before the first fetch."""
    behind: Count | None
    """Commits that only the remote has; null before the first fetch."""
    trouble: str | None
    """Since when it has not answered, or why an automatic sync failed; null if the last one succeeded."""


class Status(TypedDict):
    """An overview of the store."""

    path: str
    """The store's git directory, absolute."""
    exists: Literal[True]
    initialized: Literal[True]
    branch: str | None
    """The branch that commands work on."""
    commit: CommitId | None
    """The branch's newest commit."""
    commit_count: Count
    memory_count: Count
    """The older name of path_count."""
    path_count: Count
    """How many paths hold your memories, in all namespaces except layers, memoir:taxonomy and memoir:lexicon."""
    namespaces: dict[str, Count]
    """How many paths each namespace holds."""
    remotes: list[TrackedRemote]
    """Sorted by name."""
    root: CommitId | None
    """The id of the tree's root node. Two stores with equal memories have equal roots."""
    head: str | None
    """The branch that HEAD names."""
    selected_by: SelectedBy
    capture: bool
    """Whether the texts of sessions are kept for 'memoir capture review'."""
    inbox_count: Count
    """How many of the paths are in the inbox, where memories wait for 'memoir classify'."""


class SettingValue(TypedDict):
    """A setting."""

    key: str
    value: str | None
    """null if it is not set and has no default."""
    origin: str
    """Where the value comes from: file:PATH or another origin in git's words, environment:NAME, or default."""
    ignored: bool
    """Whether the value is ignored: a store sets it, although only the user may."""


class Config(TypedDict):
    """Every setting."""

    settings: list[SettingValue]
    """If a setting has several values, the last one is active."""
    count: Count
    """How many values there are."""


class ConfigChange(TypedDict):
    """One setting."""

    key: str
    value: str | None
    origin: str | None
    """As in config --list, if the value was read."""
    action: Literal["read", "set", "removed"]


class Index(TypedDict):
    """The contents of the complete index."""

    memories: int
    """How many paths are indexed."""
    documents: int
    """How many active memories they hold, each of which recall can find."""
    embedder: str | None
    """The embedder that computed the vectors; null if it failed."""
    rebuilt: bool
    """Whether the old index was deleted first."""
    bytes: int
    """The size of the index's file; 0 if the index could only be built in memory."""
    degraded: Degraded


class InstalledModel(TypedDict):
    """A sentence-transformer of the user's own, in their cache."""

    embedder: str
    folder: str
    title: str
    """The name that it was saved under."""
    runner: Annotated[str, Schema(enum=["prollytree", "onnx"])]
    """The library that runs it."""
    dimensions: Positive
    pooling: Annotated[str, Schema(enum=["mean", "cls", "max", "last"])]
    """How the tokens' vectors are combined into one."""
    tokens: Positive
    """How many tokens of a text are read."""
    document_prefix: str
    query_prefix: str


class EmbedStatus(TypedDict):
    """The embedder, and what is indexed with it."""

    embedder: str
    """The embedder in use."""
    minilm_installed: bool
    """Whether the bundled weights of minilm are unpacked on this machine; the first recall unpacks them."""
    minilm_folder: str
    """Where they are, or will be."""
    documents: int | None
    """How many memories are indexed; null before the first recall."""
    embedded: int | None
    """How many of them have a vector of this embedder."""
    installed: InstalledModel | None
    """The model that the provider 'installed' runs, whether or not it is chosen; null if there is none."""


class EmbedInstalled(TypedDict):
    """The weights that were unpacked on this machine, or the model that was copied."""

    embedder: str
    folder: str
    bytes: int
    installed: InstalledModel | None
    """The model that --from names; null without it."""


class Loss(TypedDict):
    """The changes that are lost when a damaged ref is set back."""

    ref: str
    old: CommitId | None
    new: CommitId | None
    """The commit that the ref is set back to; null if the ref is removed."""
    changes: list[str]
    """The changes that are lost, newest first."""
    accepted: bool
    """Whether the ref was set back (--yes)."""


class LookAlike(TypedDict):
    """A path that could be taken for another one, because of its characters."""

    key: str
    namespace: str
    reason: str
    branches: list[str]
    """The branches whose newest commits have it."""


class Fsck(TypedDict):
    """How much was checked, and every problem. Exit status 7 if there is one."""

    commits: Count
    """How many commits were checked."""
    values: Count
    """How many stored values were checked."""
    problems: list[str]
    repaired: list[str]
    """The branches that --repair corrected by a new commit."""
    ok: bool
    restored: list[str]
    """The other repairs of --repair."""
    losses: list[Loss]
    """The changes that are lost when a damaged ref is set back to its newest undamaged commit."""
    look_alikes: list[LookAlike]
    """Paths that could be taken for others. They are not damage, and do not change the exit status."""
    signers: dict[str, Count] | None
    """With --signers: how many commits each of them signed. Else null."""


class Gc(TypedDict):
    """The size of the store before and after packing."""

    bytes_before: Count
    bytes_after: Count
    index_bytes: Count
    """The size of the index, which is part of both."""


class Version(TypedDict):
    """Versions."""

    memoir: str
    python: str
    git: str
    format: str
    """The format of the stores that this version of memoir writes."""


class CommandDescription(TypedDict):
    """The arguments and options of a command."""

    description: str
    arguments: list[Parameter]
    options: list[Parameter]
    subcommands: "list[Subcommand]"


class Subcommand(TypedDict):
    """A sub-command."""

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
    first: bool
    """Whether `memoir --help` lists it; `memoir help --all` lists every command."""
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


class BriefCommand(TypedDict):
    """A command."""

    usage: str
    """Its name and arguments, or the names of its sub-commands."""
    summary: str


class HelpBrief(TypedDict):
    """Every command on a line; 'memoir help COMMAND --json' describes one."""

    commands: list[BriefCommand]
    count: Count
    """How many commands there are."""


class Help(TypedDict):
    """The command tree, or one command of it."""

    options: list[Parameter]
    """The options that may come before any command."""
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
    "help COMMAND": Help,
    "help --brief": HelpBrief,
}
