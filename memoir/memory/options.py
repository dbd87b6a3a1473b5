"""What a caller may say about any write."""

from typing import NamedTuple


class WriteOptions(NamedTuple):
    """How to write, whatever is written.

    Attributes:
        message: The commit's message; None for one that memoir makes.
        branch: The branch to write to; None for the one that is worked on.
        dry_run: Refuse what the write would refuse, answer what it would answer, and write nothing.
        allow_secrets: Store text even if it looks like a credential.
    """

    message: str | None = None
    branch: str | None = None
    dry_run: bool = False
    allow_secrets: bool = False


DEFAULTS = WriteOptions()
