"""Background work in a process that outlives the one that started it."""

import _signal as raw  # type: ignore[import-not-found, unused-ignore]
import os
import sys
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from subprocess import Popen

_MOST_DESCRIPTORS = 256


def has_threads() -> bool:
    """Whether this process has, or may have, other threads, so that it must not be forked."""
    try:
        return len(os.listdir("/proc/self/task")) > 1
    except OSError:  # only Linux tells
        return True


def leave(work: Callable[[], None], seconds: int, keep: Collection[int] = ()) -> int:
    """Do work in a process and session of its own, which the kernel ends after some seconds; return its id.

    It closes all descriptors except those to `keep`, since the parent's caller may wait until all are closed. Only a
    process without threads may call this, because it forks.
    """
    if process := os.fork():
        return process
    try:
        os.setsid()
        first = 0
        for kept in (*sorted(keep), _MOST_DESCRIPTORS):
            os.closerange(first, kept)
            first = kept + 1
        for number in (0, 1, 2):
            assert os.open(os.devnull, os.O_RDWR) == number
        raw.alarm(seconds)
        work()
    finally:
        os._exit(0)


_left: "list[Popen[bytes]]" = []
"""Processes that were not waited for; those that have ended are reaped at the next start."""


def ask(module: str, *arguments: str, seconds: float) -> bytes | None:
    """Run a module of memoir in a process and a session of its own, also from a process with threads.

    Returns its output, or None if it has not ended after some seconds; then it goes on, and its output is lost.
    """
    from select import select
    from subprocess import DEVNULL, PIPE, Popen

    _left[:] = [process for process in _left if process.poll() is None]
    # -P: the working folder may contain an alien `memoir` or `json.py`
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
