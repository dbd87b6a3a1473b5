"""The types of an error's fields in JSON, apart from `memoir.errors` because making them takes time at every start."""

from typing import Any, Literal, TypedDict

Code = Literal[
    "failure",
    "invalid_input",
    "no_store",
    "not_found",
    "conflict",
    "no_step",
    "llm_unavailable",
    "embedder_unavailable",
    "damaged_store",
    "unsafe_store",
    "read_only",
    "not_proven",
    "busy",
    "git_failed",
    "unauthorized",
    "interrupted",
]
"""The name of a kind of error in JSON."""


class BadLine(TypedDict):
    """A line that cannot be imported."""

    line: int
    message: str


class ConflictingMemory(TypedDict):
    """A memory, or memories, of a path that both sides changed differently, with an id to choose by."""

    id: str
    base: str | None
    ours: str | None
    theirs: str | None
    metadata: dict[str, dict[str, Any]]


class ConflictingPath(TypedDict):
    """A path that both sides of a merge changed differently: its content on each side, None if a side has no memory."""

    key: str
    namespace: str
    base: str | None
    ours: str | None
    theirs: str | None
    memories: list[ConflictingMemory]


class Details(TypedDict, total=False):
    """The further fields of an error in JSON; `memoir.answers.contract.failure` describes them."""

    rule: str
    line: int
    lines: list[BadLine]
    conflicts: list[ConflictingPath]
    existing: str
    keys: list[str]
    revision: str
