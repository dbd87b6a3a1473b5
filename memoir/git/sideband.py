"""The messages of git while it talks to a remote: bounded, kept for the error, never raw on a terminal.

A remote's own messages come through git unchanged, escape sequences included. So nothing of git's reaches the terminal
by itself: each line is handed to whoever shows it.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from subprocess import Popen
from typing import IO

Tell = Callable[[str], None]
"""Shows one line with its end (a carriage return or a line break), after making it harmless."""

KEPT_BYTES = 64 << 10
"""Bytes of git's words that are kept for an error; a remote may send any number."""
_LONGEST = 4096
_PROGRESS = re.compile(rb"(remote: )?[A-Z][\w ]+: +(\d+% \(|\d+[,.\s])")


def listen(pipe: IO[bytes], tell: Tell | None = None) -> bytes:
    """Read git's messages to their end; return the first of them, progress left out.

    What a remote says, and how far git has come, goes to `tell` line by line.
    """
    messages = bytearray()
    for line in _lines(pipe):
        progress = _PROGRESS.match(line)
        if tell and (progress or line.startswith(b"remote: ")):
            tell(line.decode("utf-8", "replace"))
        if not progress and len(messages) < KEPT_BYTES:
            messages += line
    return bytes(messages)


def _lines(pipe: IO[bytes]) -> Iterator[bytes]:
    """Lines with their ends, as soon as they are there; a line without an end comes in pieces."""
    rest = b""
    while chunk := pipe.read1(KEPT_BYTES):  # type: ignore[attr-defined]
        *whole, rest = re.split(rb"(?<=[\r\n])", rest + chunk)
        yield from whole
        while len(rest) > _LONGEST:
            yield rest[:_LONGEST]
            rest = rest[_LONGEST:]
    if rest:
        yield rest


NO_ANSWER = b"no answer within "


def end(process: "Popen[bytes]", *, alone: bool) -> None:
    """End a git, and if it leads a session of its own all that it has started: its helpers may wait for ever."""
    if not alone:  # what ends a session's foreground ends all of it
        process.kill()
        return
    from signal import SIGKILL

    with suppress(OSError):
        os.killpg(process.pid, SIGKILL)


@contextmanager
def within(seconds: float | None, process: "Popen[bytes]") -> Iterator[Callable[[], bytes]]:
    """End a process that leads a session of its own, and all it has started, if the block takes longer than that.

    What it yields says so afterwards; it says nothing if the process ended in time. None leaves it all the time.
    """
    if seconds is None:
        yield lambda: b""
        return
    from threading import Timer

    notes = []

    def give_up() -> None:
        notes.append(NO_ANSWER + b"%g seconds" % seconds)
        end(process, alone=True)

    timer = Timer(seconds, give_up)
    timer.start()
    try:
        yield lambda: b"".join(notes)
    finally:
        timer.cancel()
