"""The options that every write takes, and the messages of their commits."""

from collections.abc import Sequence
from typing import NamedTuple

from memoir.errors import InvalidInput

_MOST_NAMES = 3
_LONGEST = 50
_READ_CHARACTERS = 4096
"""The characters of a memory that are scanned: enough to find a credential that begins in the words shown."""


def subject(deed: str, content: str) -> str:
    """A subject such as `remember people.bob: Bob is in Busan`: the deed, then the beginning of the content."""
    words = beginning(content)
    return f"{deed}: {words}" if words else deed


def beginning(content: str) -> str:
    """The beginning of a content: one line, without control characters and credentials."""
    from memoir.secrets.secrets import redact  # only writes load the scanner

    text = redact(content[:_READ_CHARACTERS])
    words = "".join(char if char.isprintable() else " " for char in text).split()
    return shorten(" ".join(words), _LONGEST)


def first_few(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    if not names:
        raise InvalidInput("no path given", "name at least one")
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def shorten(line: str, most: int) -> str:
    """A line cut to a limited length, between words if possible."""
    if len(line) <= most:
        return line
    start = line[: most - 1]
    return (start.rpartition(" ")[0] or start) + "…"


class WriteOptions(NamedTuple):
    """The options that every write takes."""

    message: str | None = None
    """The commit message; None for one that memoir writes."""
    branch: str | None = None
    """The branch to write to, which must exist (`Repository.open` creates its branch); None for the current one."""
    dry_run: bool = False
    """Check and answer like the real write, but write nothing."""
    allow_secrets: bool = False
    """Store text even if it looks like a credential."""


DEFAULTS = WriteOptions()


def check_message(options: WriteOptions) -> None:
    """Refuse a commit message that looks like a credential: history keeps it."""
    if options.message and not options.allow_secrets:
        from memoir.secrets.secrets import check

        check(options.message, "the message", hint="write the message without it")
