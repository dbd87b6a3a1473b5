"""The answers of `branch`, `checkout`, `merge` and `tag`."""

from typing import Annotated, Any, Literal, TypedDict

from memoir.answers.contract import Count, Schema
from memoir.answers.contract.shapes import CommitId, Instant, Outcome, Place, SelectedBy


class Branches(TypedDict):
    """Every branch."""

    branches: list[str]
    """The names of the branches, sorted."""
    current: str | None
    """The branch that commands work on; it may have no commit yet."""
    commits: dict[str, CommitId]
    """The newest commit of each branch."""
    head: str | None
    """The branch that HEAD names."""
    selected_by: SelectedBy


class BranchChanged(TypedDict):
    """A branch that was created, renamed or deleted."""

    branch: str
    action: Literal["created", "renamed", "deleted"]
    commit: CommitId
    old: str | None
    """The branch's name before it was renamed."""


class Checkout(TypedDict):
    """The branch that is current now."""

    target: str
    current_branch: str
    """The branch that commands work on."""
    created: bool
    commit: CommitId | None
    """The branch's newest commit; null if it has none yet."""
    selected_by: SelectedBy


class LandedMerge(TypedDict):
    """A branch that was merged because its code was merged."""

    source_branch: str
    outcome: Outcome
    changed: Count
    """How many paths of the target changed."""


class MergeLanded(TypedDict):
    """The branches that were merged because their code was merged."""

    target_branch: str
    merged: list[LandedMerge]
    """In the order of their names."""
    count: Count
    """How many branches were merged."""
    commit_hash: CommitId | None
    """The target's newest commit; null if nothing was merged, or if a dry run would make one."""
    commit_date: Instant | None
    dry_run: bool


class Merge(TypedDict):
    """The result of a merge. A merge with conflicts is a failure, with error.conflicts."""

    source_branch: str
    target_branch: str
    outcome: Outcome
    changed: Count
    """How many paths of the target changed."""
    commit_hash: CommitId | None
    """The target's newest commit; null if a dry run would make one."""
    commit_date: Instant | None
    strategy: Annotated[str, Schema(enum=["ours", "theirs", "append", "newest"])] | None
    conflicts: Annotated[list[Any], Schema(maxItems=0)]
    """Always empty."""
    dry_run: bool
    united: list[Place]
    """The paths at which memories of both sides hold now, although a new one there takes the place of the old; of a
    dry run, none."""


class Tag(TypedDict):
    """A tag."""

    name: str
    commit: CommitId


class Tags(TypedDict):
    """Every tag."""

    tags: list[Tag]
    """Sorted by name."""
    count: Count
    """How many tags there are."""


class TagChanged(TypedDict):
    """A tag that was created or deleted."""

    tag: str
    action: Literal["created", "deleted"]
    commit: CommitId
    old: None


ANSWERS: dict[str, type] = {
    "branch": Branches,
    "branch NAME, -m, -d": BranchChanged,
    "checkout": Checkout,
    "merge": Merge,
    "merge --landed": MergeLanded,
    "tag": Tags,
    "tag NAME, -d": TagChanged,
}
