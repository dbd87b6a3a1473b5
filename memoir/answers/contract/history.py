"""The answers of `log`, `show`, `blame`, `diff`, `why`, `revert`, `undo`, `redo` and `reflog`."""

from typing import Annotated, TypedDict

from memoir.answers.contract import Count, Schema, shapes


class Signed(TypedDict, total=False):
    """The field of a commit that is there with --signatures."""

    signature: shapes.Signature


class LoggedCommit(shapes.Commit, Signed):
    """A commit."""


class Log(TypedDict):
    """Commits, newest first. With --json-lines, see log-line.json."""

    key: shapes.FullKey | None
    """The path whose commits are shown; null for all commits."""
    commits: list[LoggedCommit]
    count: Count
    """How many commits there are."""


class ShowCommit(shapes.CommitFields):
    """A commit and what it changed."""

    changes: list[shapes.Difference]
    """The changes against the first parent, by namespace and key."""
    count: Count
    """How many changes there are."""


class AtCommit(TypedDict):
    """The commit that a memory is shown at, or proved of."""

    commit: shapes.CommitId


class ShowMemory(AtCommit, shapes.Target):
    """A memory as it was at a commit."""

    value: shapes.Value


class BlameEntry(Signed):
    """A version of the path."""

    commit: shapes.CommitId
    author: str
    date: shapes.Instant
    message: str
    operation: Annotated[str, Schema(enum=["added", "modified", "removed", "moved", "merged"])]
    content: str | None
    """The content in this version; null if the memory was removed."""
    key: shapes.Path
    """The memory's path at that time."""
    fields: list[str]
    """The names of the fields that differ, if the memory was modified, as in diff."""
    origin: list[shapes.Origin]
    """Who vouches for the memories that the version added."""


class Blame(TypedDict):
    """Every version of a path, newest first."""

    key: shapes.Path
    namespace: shapes.Namespace
    entries: Annotated[list[BlameEntry], Schema(minItems=1)]
    count: Count
    """How many versions there are."""


class DiffStat(TypedDict):
    """How many paths differ, by operation."""

    added: Count
    modified: Count
    removed: Count


Comparison = TypedDict(
    "Comparison",
    {
        "from": Annotated[shapes.CommitId | None, Schema(description="null before the first commit.")],
        "to": shapes.CommitId | None,
    },
)


class Diff(Comparison):
    """The paths that differ, by namespace and key. With --exit-code, exit status 1 if there are any."""

    changes: list[shapes.Difference]
    count: Count
    """How many paths differ."""
    stat: DiffStat


class Why(shapes.Target):
    """The memories that led to one: the tree of its links."""

    depth: Annotated[int, Schema(minimum=1, maximum=100)]
    """How many edges deep the tree goes."""
    tree: shapes.Node


class Revert(shapes.CommitMade):
    """The commit that is undone, and the commit that undoes it."""

    reverted: shapes.CommitId


Step = TypedDict(
    "Step",
    {
        "branch": str,
        "action": Annotated[str, Schema(description="The change that was undone or redone.")],
        "from": shapes.CommitId,
        "to": Annotated[shapes.CommitId, Schema(description="The commit that the branch is at now.")],
        "remote": Annotated[str | None, Schema(description="The remote that has the undone change, or null.")],
        "returns": Annotated[
            bool,
            Schema(
                description="Whether the next sync with that remote brings the change back, because it came by "
                "sync or pull. If false, the step is a commit, which the next sync sends there."
            ),
        ],
    },
)
"""The change that was undone or redone."""


class LogLine(shapes.Commit):
    """One commit. There is no envelope; a failure is one error object."""


class ReflogEntry(TypedDict):
    """A state of the branch."""

    number: Count
    """'undo NUMBER' returns to this state; 0 is the present state."""
    commit: shapes.CommitId | None
    """null for the state before the first write, which has no memories."""
    date: shapes.Instant | None
    """When the branch got into this state; null for the oldest one."""
    reason: str | None
    """The change that led to this state; null for the oldest one."""


class Reflog(TypedDict):
    """The states that undo can return to."""

    branch: str
    entries: list[ReflogEntry]
    """Newest first."""
    count: Count
    """How many states there are."""


ANSWERS: dict[str, type] = {
    "log": Log,
    "show REV": ShowCommit,
    "show REV:KEY": ShowMemory,
    "blame": Blame,
    "diff": Diff,
    "why": Why,
    "revert": Revert,
    "undo": Step,
    "redo": Step,
    "reflog": Reflog,
}

LINES: dict[str, type] = {"log-line": LogLine}
