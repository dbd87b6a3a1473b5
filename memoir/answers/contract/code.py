"""The answers of `about`, `stale`, `confirm` and `review`."""

from typing import TypedDict

from memoir.answers.contract import Count
from memoir.answers.contract.shapes import AnchorState, CommitId, Difference, Memory, Target
from memoir.answers.contract.write import KeyWrite


class CodeMemory(Target, Memory):
    """A memory about files of the project."""

    about: list[AnchorState]
    """The code that it is about, and what became of it."""


class About(TypedDict):
    """The memories about a file or a folder, sorted by key."""

    file: str
    """The file or folder of the request."""
    memories: list[CodeMemory]
    count: Count
    """How many memories there are."""


class StaleMemory(CodeMemory):
    """A memory whose code has changed or is gone; `about` has only this code."""

    diffs: list[str]
    """With --diff: how the lines have changed, for each entry of `about`."""


class Stale(TypedDict):
    """The memories whose code has changed or is gone, sorted by key."""

    memories: list[StaleMemory]
    count: Count
    """How many memories there are."""


class Contradiction(TypedDict):
    """Two memories that contradict each other."""

    newer: Target
    older: Target


Review = TypedDict(
    "Review",
    {
        "from": CommitId | None,
        "to": CommitId | None,
        "since": str | None,
        "changes": list[Difference],
        "stale": list[CodeMemory],
        "disputes": list[Contradiction],
        "complete": bool,
    },
)
Review.__doc__ = """What a change does to memory: between two commits of the store, and since a revision of the project.

`since` is null if the code was not compared. `complete` says whether all memories were compared with each other.
"""


ANSWERS: dict[str, type] = {"about": About, "stale": Stale, "confirm": KeyWrite, "review": Review}
