"""The turns that the stores of one machine take at a repository there."""

import os
import random
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import unquote, urlsplit

from memoir.exchange.remotes import is_local
from memoir.git.lock import try_lock

TURN_SECONDS = 20.0
"""How long to wait for a turn; after that it is tried without one."""
_LOOK = 0.03
"""Seconds between two looks, on average."""


@contextmanager
def turn(url: str) -> Iterator[None]:
    """Hold the turn at the repository of a URL, if it is on this machine; for one elsewhere, chance decides.

    A push is refused if another one came first; without turns, eight clones that send at the same time begin again a
    dozen times. The lock is on a file that every repository has, which is only opened for reading: nothing is written
    there, git takes no notice, and the kernel frees the lock however its holder ends.
    """
    descriptor = _open(url) if is_local(url) else None
    try:
        end = time.monotonic() + TURN_SECONDS
        while descriptor is not None and not try_lock(descriptor) and time.monotonic() < end:
            time.sleep(random.uniform(0, 2 * _LOOK))  # noqa: S311 (no secret)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _open(url: str) -> int | None:
    folder = unquote(urlsplit(url).path) if url.startswith("file:") else url
    for name in ("HEAD", ".git/HEAD"):
        with suppress(OSError, ValueError):
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(os.path.join(folder, name), flags)
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return descriptor
            os.close(descriptor)
    return None
