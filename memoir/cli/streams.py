"""Standard output and error that are UTF-8 in any locale, and write everything or raise an error.

Python's own streams lose data: with `PYTHONUNBUFFERED`, what a pipe or disk does not take at once; without, they fail
if another program has made the shared pipe or terminal non-blocking.
"""

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Patient(FileIO):
    """A file whose writes wait until some data is taken."""

    def write(self, data: "ReadableBuffer", /) -> int:
        while (count := super().write(data)) is None:
            from select import select

            select([], [self], [])
        return count


def open_streams() -> None:
    """Replace the process's streams; open a closed one first, before a file of the store gets its number."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        setattr(sys, name, _writer(stream, name) if stream else open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _writer(stream: TextIOWrapper, name: str) -> TextIOWrapper:
    if isinstance(getattr(stream.buffer, "raw", stream.buffer), FileIO):  # a calling program may have other streams
        file = _Patient(stream.fileno(), "w", closefd=False)
        stream = TextIOWrapper(BufferedWriter(file), line_buffering=name == "stderr" or stream.isatty())
    stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return stream
