"""The answers of `remember`, `edit`, `mv`, `forget`, `restore`, `pin` and `unpin`."""

from typing import Annotated, TypedDict

from memoir.answers.contract import Count, Schema, shapes


class RememberConflict(shapes.Target):
    """A path that held a memory before; the id is that of the new memory, or of the one that it confirms."""

    policy: Annotated[str, Schema(enum=["append", "replace", "confidence_gated", "llm_merge", "confirmed"])]
    superseded: list[str]
    """The contents of the superseded memories; the new memory's, if the old one has a higher confidence."""
    beside: str | None
    """The newest other memory at the path that is not in `similar`, if the new one was added to them."""
    beside_more: Count
    """How many more such memories there are."""


class Remember(TypedDict):
    """One memory, at one or more paths, in one commit."""

    key: shapes.Path
    """The first path."""
    keys: Annotated[list[shapes.Path], Schema(minItems=1)]
    """All paths, in the order of the request."""
    full_key: shapes.FullKey
    confidence: shapes.Confidence
    commit_hash: shapes.WrittenCommit
    commit_date: shapes.WrittenDate
    namespace: shapes.Namespace
    """The first path's namespace."""
    content: str
    conflicts: list[RememberConflict]
    """The paths that held a memory before, and the merge policy that was used there."""
    filing: shapes.Filing | None
    """How the memory was filed, if no path was given; else null."""
    similar: list[shapes.SimilarMemory]
    """The memories that stay active although the new one contradicts them or is near to them, the likeliest first."""
    moved_from: shapes.Target | None
    """The path that the memory left, if it was stored already: the inbox, or with --replace-similar any path."""
    named: list[shapes.NamedFile]
    """The files that the text names, if the memory is not tied to any."""
    degraded: shapes.Degraded
    dry_run: bool


class Replace(shapes.Target, shapes.Written):
    """The memory that replaced another, at its place now."""

    content: str
    superseded: list[str]
    """The content of the old memory."""
    old: shapes.Target
    """The address of the old memory."""
    new: shapes.Target
    """Where the new memory was."""


class KeyWrite(shapes.Written):
    """The keys that were written, or in a dry run would be."""

    keys: list[shapes.Target]
    count: Count
    """How many keys there are."""


class MovedTarget(shapes.Move):
    """The old and the new key of a moved memory."""

    id: shapes.MemoryId | None
    """The id in KEY#id, if one memory of the old key moved; null if all did."""
    new_id: shapes.MemoryId | None
    """The memory's id at the new key, if others are there; null also if several moved."""


class Mv(shapes.Written):
    """Each key that was moved, or with --dry-run would be."""

    moves: list[MovedTarget]
    count: Count
    """How many keys there are."""


ANSWERS: dict[str, type] = {
    "remember": Remember,
    "replace": Replace,
    "edit": KeyWrite,
    "mv": Mv,
    "forget": KeyWrite,
    "restore": KeyWrite,
    "pin": KeyWrite,
    "unpin": KeyWrite,
}
