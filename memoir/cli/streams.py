"""Standard output and error: UTF-8 whatever the locale, and all of what is written, or an error.

With `PYTHONUNBUFFERED` Python's own streams drop what a pipe or disk does not take at once; without, they fail where a
pipe or terminal may not block, as another program that shares it can have set it.
"""

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Patient(FileIO):
    """A file that waits until it takes something."""

    def write(self, data: "ReadableBuffer", /) -> int:
        while (count := super().write(data)) is None:
            from select import select

            select([], [self], [])
        return count


def open_streams() -> None:
    """Replace the process's streams; take a closed one's number before a file of the store does."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        setattr(sys, name, _whole(stream, name) if stream else open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _whole(stream: TextIOWrapper, name: str) -> TextIOWrapper:
    if isinstance(getattr(stream.buffer, "raw", stream.buffer), FileIO):  # a program that calls this may have others
        file = _Patient(stream.fileno(), "w", closefd=False)
        stream = TextIOWrapper(BufferedWriter(file), line_buffering=name == "stderr" or stream.isatty())
    stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream
