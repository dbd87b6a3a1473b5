"""The answers of `prove`, `verify` and `purge`."""

from typing import Annotated, TypedDict

from memoir.answers.contract import Count, Schema
from memoir.answers.contract.history import AtCommit
from memoir.answers.contract.shapes import CommitId, Instant, Place, Signature, Value


class Subject(AtCommit, Place):
    """What is proved."""

    found: bool
    """Whether the commit has memories at the key; if false, that it has none is proved."""


class Prove(Subject):
    """A proof of what is at a key. Without --json, its text alone is printed."""

    proof: str
    """The text of the proof, one line, which docs/format.md specifies; 'memoir verify' takes it in a file."""


class Verify(Subject):
    """What was proved: that this commit has this record at this key, or none."""

    record: str | None
    """The bytes of the record, as text; null if there is none."""
    value: Value | None
    """The memories of the record; null if there is none, or if its form is unknown to this memoir."""
    author: str
    """The author, as the commit says; only a signature shows who it was."""
    email: str
    date: Instant
    message: str
    expected: bool | None
    """true with --commit: the proof is of that commit. Else null, and it is for the reader to decide what to trust."""
    signature: Signature | None
    """With --signers: who signed the commit. Else null."""


class PurgedMemory(Place):
    """A path at which something went."""

    action: Annotated[str, Schema(enum=["removed", "reduced", "blotted"])]
    """removed: the whole record; reduced: some memories of it; blotted: some words."""


class MovedRef(TypedDict):
    """A ref whose commits were rewritten."""

    ref: str
    old: CommitId
    new: CommitId | None
    """null if the ref was removed: what was fetched is fetched again when the remote is clean."""


class RemoteTrace(TypedDict):
    """A branch of a remote, or a writer's ref there, that had it when it was last fetched; or a tag it may have."""

    remote: str
    branch: str
    """The full name, such as `refs/memoir/writers/WRITER/BRANCH`, if it is a writer's, or a tag."""
    commit: CommitId
    """Where the branch was."""
    command: str
    """The command that replaces it there, unless it has moved since."""


class Searched(TypedDict):
    """How much was searched afterwards."""

    objects: Count
    files: Count


class Purge(TypedDict):
    """What was purged, or would be. Exit status 1 if something of it is left."""

    dry_run: bool
    memories: list[PurgedMemory]
    """By namespace and key."""
    count: Count
    """How many there are."""
    commits: Count
    """How many commits were rewritten."""
    refs: list[MovedRef]
    map: str | None
    """The file to which the ids of rewritten commits were added: old and new, a pair a line."""
    signatures_lost: list[CommitId]
    """The commits and tags whose signatures the rewritten ones lack."""
    files: list[str]
    """The logs, captures, caches and drafts of an editor that lost it."""
    too_short: list[str]
    """The contents that were too short to be sought inside other texts."""
    absent: list[str]
    """The keys and namespaces of which there was nothing."""
    remotes: list[RemoteTrace]
    searched: Searched | None
    """null with --dry-run."""
    left: list[str]
    """The objects and files that still have it."""


ANSWERS: dict[str, type] = {"prove": Prove, "verify": Verify, "purge": Purge}
