"""The subject of a commit: what was done at which path, and the first words of the memory."""

from collections.abc import Sequence

from memoir.errors import MemoirError

_MOST_NAMES = 3
_LONGEST = 50
_READ_CHARACTERS = 4096
"""Characters of a memory that are read, enough to find a credential that begins in the words shown."""


def subject(deed: str, content: str) -> str:
    """A subject such as `remember people.bob: Bob is in Busan`: one line, no control characters, no credential."""
    from memoir.secrets.secrets import redact  # what scans is loaded for writing alone

    text = redact(content[:_READ_CHARACTERS])
    words = "".join(char if char.isprintable() else " " for char in text).split()
    line = " ".join(words)
    return f"{deed}: {shorten(line, _LONGEST)}" if line else deed


def first_few(names: Sequence[str]) -> str:
    """The first names of some, and how many more there are.

    Raises:
        MemoirError: there is no name.
    """
    if not names:
        raise MemoirError("no path given")
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def shorten(line: str, most: int) -> str:
    """A line of at most so many characters, cut between words if it can be."""
    if len(line) <= most:
        return line
    start = line[: most - 1]
    return (start.rpartition(" ")[0] or start) + "…"
