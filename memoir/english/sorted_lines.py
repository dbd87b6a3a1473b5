"""Look up sorted lines: in bytes, such as a memory-mapped file, of which a search touches few pages, or in a list."""

import mmap
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from memoir.errors import MemoirError


@cache
def contents(file: Path, what: str) -> mmap.mmap:
    """The bytes of a bundled file; `what` names it in errors.

    Raises:
        MemoirError: it cannot be read.
    """
    try:
        with file.open("rb") as source:
            return mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as reason:  # an empty file cannot be mapped
        raise damaged(what, reason) from reason


def damaged(what: str, reason: Exception) -> MemoirError:
    """The error for a damaged bundled file."""
    return MemoirError(f"{what} cannot be read: {reason}", "install memoir again")


def lines_after(data: mmap.mmap | bytes, beginning: str) -> list[str]:
    """The rests of all lines that begin with `beginning`."""
    key = beginning.encode("utf-8", "replace")

    def begins(position: int) -> bytes:
        start = data.rfind(b"\n", 0, position) + 1  # of the line that contains it
        return data[start : start + len(key)]

    at = bisect_left(range(len(data)), key, key=begins)
    lines = list[str]()
    while data[at : at + len(key)] == key:
        end = data.find(b"\n", at)
        lines.append(data[at + len(key) : end].decode())
        at = end + 1
    return lines


def value_of(lines: Sequence[str], name: str) -> str:
    """The text after a name and a tab on its line; empty if no line has the name."""
    start = f"{name}\t"
    at = bisect_left(lines, start)
    line = lines[at] if at < len(lines) else ""
    return line[len(start) :] if line.startswith(start) else ""
