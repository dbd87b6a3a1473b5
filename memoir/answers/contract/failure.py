"""The fields with which every answer begins, and the answer of a command that failed."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from memoir.answers import SCHEMA_VERSION
from memoir.answers.contract import Positive, Schema
from memoir.answers.contract.shapes import FullKey, MemoryId, Namespace, Path
from memoir.error_fields import Code


class Envelope(TypedDict):
    """The first three fields of every answer, in this order. The command's own fields follow, or 'error'."""

    schema_version: Annotated[int, Schema(const=SCHEMA_VERSION)]
    """Raised when a field is removed or changes its meaning; not when one is added."""
    command: str
    """The command's own name, even if an alias was typed; 'memoir' if no command was given."""
    success: bool
    """Whether the command succeeded. The exit status says more."""


class BadLine(TypedDict):
    """A line that cannot be imported."""

    line: Positive
    """Counted from 1."""
    message: str


class ConflictingMemory(TypedDict):
    """Memories of a path that need one choice; null where a side removed them, or where there was none before."""

    id: MemoryId
    """The id to name in 'merge --choose KEY#id=STRATEGY'."""
    base: str | None
    ours: str | None
    theirs: str | None
    metadata: dict[str, dict[str, Any]]
    """If both sides have the same content: the fields that differ, each with its value in base, ours and theirs."""


class Conflict(TypedDict):
    """A path that both sides changed differently."""

    key: Path
    namespace: Namespace
    base: str | None
    """The content in the common ancestor."""
    ours: str | None
    """The content on the target branch."""
    theirs: str | None
    """The content on the side being merged."""
    memories: list[ConflictingMemory]
    """The memories that are in conflict and for which no side was chosen yet."""


class Error(TypedDict):
    """What went wrong."""

    code: Code
    """The kind of failure. Its exit status is fixed; see the table in contract.md."""
    message: str
    """What went wrong, for people."""
    hint: str | None
    """What to do about it."""
    rule: NotRequired[str]
    """The rule by which the text looks like a credential."""
    line: NotRequired[Positive]
    """recall --batch: the line that failed, counted from 1."""
    lines: NotRequired[Annotated[list[BadLine], Schema(minItems=1)]]
    """import: every line that cannot be imported."""
    conflicts: NotRequired[Annotated[list[Conflict], Schema(minItems=1)]]
    """merge, pull, revert: each path that both sides changed differently; null where a side has no memory."""
    existing: NotRequired[str]
    """remember: the content that the policy 'reject' protected."""
    keys: NotRequired[Annotated[list[FullKey], Schema(minItems=1)]]
    """The keys that hold no memory."""
    revision: NotRequired[str]
    """The revision, branch or date that was not found."""


CODES = {
    "lines": "invalid_input",
    "conflicts": "conflict",
    "existing": "conflict",
    "keys": "not_found",
    "revision": "not_found",
}
"""The fixed error code that goes with a further field."""

_WITH_CODES = {field: {"properties": {"code": {"const": code}}} for field, code in CODES.items()}


class Failure(TypedDict):
    """The answer of any command that fails. The fields after 'hint' are optional."""

    command: str
    success: Literal[False]
    error: Annotated[Error, Schema(dependentSchemas=_WITH_CODES)]
