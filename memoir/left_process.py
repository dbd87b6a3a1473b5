"""Work that is left to a process which outlives the one that began it, because nobody has to wait for it."""

import _signal as raw  # type: ignore[import-not-found, unused-ignore]
import os
from collections.abc import Callable

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
