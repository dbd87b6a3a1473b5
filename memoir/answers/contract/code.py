"""The answers of `about`, `stale` and `confirm`."""

from typing import TypedDict

from memoir.answers.contract.schema import Count
from memoir.answers.contract.shapes import AnchorState, Memory, Target
from memoir.answers.contract.write import KeyWrite


class CodeMemory(Target, Memory):
    """A memory about files of the project."""

    about: list[AnchorState]
    """What it is about, and what became of that."""


class About(TypedDict):
    """The memories about a file or a folder, sorted by key."""

    file: str
    """The file or folder of the request."""
    memories: list[CodeMemory]
    count: Count
    """How many memories there are."""


class StaleMemory(CodeMemory):
    """A memory whose code has changed or is gone; `about` has only what is so."""

    diffs: list[str]
    """With --diff: how the lines have changed, for each entry of `about`."""


class Stale(TypedDict):
    """The memories whose code has changed or is gone, sorted by key."""

    memories: list[StaleMemory]
    count: Count
    """How many memories there are."""


class Confirm(KeyWrite):
    """The memory that was confirmed, or with --dry-run would be."""

    dry_run: bool


ANSWERS: dict[str, type] = {
    "about": About,
    "stale": Stale,
    "confirm": Confirm,
}
