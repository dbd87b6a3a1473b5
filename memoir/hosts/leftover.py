"""Work that a hook leaves for after its end: the host waits for the hook only, and ends what the hook started."""

import _signal as raw  # type: ignore[import-not-found, unused-ignore]
import os
from collections.abc import Callable

END_SECONDS = 150
"""When the kernel ends the process that was left behind, should it still be there."""
_MOST_DESCRIPTORS = 256


def leave(work: Callable[[], None]) -> None:
    """Do something in a process of its own: in a session of its own, with nothing open, and for a bounded time."""
    if os.fork():
        return
    try:
        os.setsid()
        os.closerange(0, _MOST_DESCRIPTORS)
        for number in (0, 1, 2):
            assert os.open(os.devnull, os.O_RDWR) == number
        raw.alarm(END_SECONDS)
        work()
    finally:
        os._exit(0)
