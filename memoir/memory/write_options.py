"""The options that every write takes, and the check of a commit message."""

from typing import NamedTuple


class WriteOptions(NamedTuple):
    """The options that every write takes.

    Attributes:
        message: The commit message; None for one that memoir writes.
        branch: The branch to write to; None for the current one.
        dry_run: Refuse and answer as the write would, and write nothing.
        allow_secrets: Store text even if it looks like a credential.
    """

    message: str | None = None
    branch: str | None = None
    dry_run: bool = False
    allow_secrets: bool = False


DEFAULTS = WriteOptions()


def check_message(options: WriteOptions) -> None:
    """Refuse a commit message that looks like a credential: history keeps it.

    Raises:
        InvalidInput: the message looks like one, and the options do not allow that.
    """
    if options.message and not options.allow_secrets:
        from memoir.secrets.secrets import check

        check(options.message, "the message", hint="write the message without it")
