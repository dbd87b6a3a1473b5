"""The answers of `prove`, `verify` and `purge`."""

from typing import Annotated, TypedDict

from memoir.answers.contract import Count, Schema
from memoir.answers.contract.history import AtCommit
from memoir.answers.contract.shapes import CommitId, Instant, Place, Signature, Value


class Subject(AtCommit, Place):
    """The key whose memories, or lack of them, are proved."""

    found: bool
    """Whether the commit has memories at the key; if false, the proof shows that it has none."""


class Prove(Subject):
    """A proof of what is at a key. Without --json, its text alone is printed."""

    proof: str
    """The text of the proof, one line, which docs/format.md specifies; 'memoir verify' takes it in a file."""


class Verify(Subject):
    """What was proved: that this commit has this record at this key, or none."""

    record: str | None
    """The bytes of the record, as text; null if there is none."""
    value: Value | None
    """The memories of the record; null if there is none, or if this memoir does not know its format."""
    author: str
    """The author named in the commit; only a signature proves who it was."""
    email: str
    date: Instant
    message: str
    expected: bool | None
    """true with --commit: the proof is of that commit. Else null: the reader decides whether to trust the commit."""
    signature: Signature | None
    """With --signers: who signed the commit. Else null."""


class PurgedMemory(Place):
    """A path at which something was purged."""

    action: Annotated[str, Schema(enum=["removed", "reduced", "blotted"])]
    """removed: the whole record is gone; reduced: some memories of it are; blotted: some words are."""


class MovedRef(TypedDict):
    """A ref whose commits were rewritten."""

    ref: str
    old: CommitId
    new: CommitId | None
    """null if the ref was removed, such as a remote branch, which is fetched again once the remote is clean."""


class RemoteTrace(TypedDict):
    """A remote's branch or writer's ref that had the purged text when last fetched, or a tag that may have it."""

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
    """How many paths there are."""
    commits: Count
    """How many commits were rewritten."""
    refs: list[MovedRef]
    map: str | None
    """The file to which the ids of rewritten commits were added: old and new, a pair a line."""
    signatures_lost: list[CommitId]
    """The commits and tags whose signatures the rewritten ones lack."""
    files: list[str]
    """The cleaned files: logs, captures, caches and an editor's drafts."""
    too_short: list[str]
    """The contents that were too short to search other texts for."""
    absent: list[str]
    """The keys and namespaces at which nothing was found."""
    remotes: list[RemoteTrace]
    searched: Searched | None
    """null with --dry-run."""
    left: list[str]
    """The objects and files that still have it."""


ANSWERS: dict[str, type] = {"prove": Prove, "verify": Verify, "purge": Purge}
