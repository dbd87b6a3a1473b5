"""The answers of `prove` and `verify`."""

from typing import TypedDict

from memoir.answers.contract.shapes import CommitId, Instant, Place, Signature, Value


class OfCommit(TypedDict):
    """The commit that something is proved of."""

    commit: CommitId


class Subject(OfCommit, Place):
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


ANSWERS: dict[str, type] = {"prove": Prove, "verify": Verify}
