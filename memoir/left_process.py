"""Work that is left to a process which outlives the one that began it, because nobody has to wait for it."""

import _signal as raw  # type: ignore[import-not-found, unused-ignore]
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

_MOST_DESCRIPTORS = 256


def leave(work: Callable[[], None], seconds: int) -> None:
    """Do something in a process and a session of its own, which the kernel ends after some seconds.

    It has nothing of this process open, for who started that may wait until all of it is closed. Only a process without
    threads may call this: the other is forked from it.
    """
    if os.fork():
        return
    try:
        os.setsid()
        os.closerange(0, _MOST_DESCRIPTORS)
        for number in (0, 1, 2):
            assert os.open(os.devnull, os.O_RDWR) == number
        raw.alarm(seconds)
        work()
    finally:
        os._exit(0)


_left: "list[Popen[bytes]]" = []
"""Processes that nobody waited for to their end; those that have ended meanwhile are reaped at the next start."""


def ask(module: str, *arguments: str, seconds: float) -> bytes | None:
    """Run a module of memoir in a process and a session of its own, also from a process with threads.

    Returns what it prints, or None if it has not ended after some seconds; then it goes on, and what it prints is lost.
    """
    from select import select
    from subprocess import DEVNULL, PIPE, Popen

    _left[:] = [process for process in _left if process.poll() is None]
    # -P: the folder that the user works in may hold a `memoir` or `json.py` of somebody else's
    command = [sys.executable, "-P", "-m", module, *arguments]
    process = Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True)
    assert process.stdout
    with process.stdout as output:
        if select([output], [], [], seconds)[0]:
            answer = output.read()
            process.wait()
            return answer
    _left.append(process)
    return None
