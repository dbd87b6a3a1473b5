"""Which memories a session has been told of, so that none is told twice.

It is a file in the user's cache for each session, and a bounded number of them. One that is lost, or that cannot be
written, costs a repetition and nothing else.
"""

import os
from collections.abc import Iterable
from contextlib import suppress

from memoir import user_cache
from memoir.git.digest import blake2b
from memoir.taxonomy.paths import Address

_PREFIX = "session-"
_MOST_SESSIONS = 100
_MOST_MEMORIES = 2_000
_SIZE = 8


class Mentions:
    """The memories that one session has been told of."""

    def __init__(self, session: str, store: str) -> None:
        self._name = _PREFIX + _digest(f"{session}\n{os.path.realpath(store)}")
        self._digests: dict[str, None] = {}

    def load(self) -> "Mentions":
        """Read what was told before."""
        self._digests = dict.fromkeys((user_cache.read(self._name) or b"").decode("ascii", "replace").split())
        return self

    def add_paths(self, addresses: Iterable[Address]) -> None:
        """Note that everything at some paths was told."""
        self._digests |= dict.fromkeys(_digest(address.full_key) for address in addresses)

    def take(self, address: Address, content: str) -> bool:
        """Note that one memory is told now; False if it, or its whole path, was told before."""
        memory = _digest(f"{address.full_key}\n{content}")
        if memory in self._digests or _digest(address.full_key) in self._digests:
            return False
        self._digests[memory] = None
        return True

    def save(self) -> None:
        """Keep it for the session's next events, and drop the sessions that were not heard of for the longest time."""
        user_cache.write(self._name, "\n".join(list(self._digests)[-_MOST_MEMORIES:]).encode())
        _drop_oldest()


def _drop_oldest() -> None:
    place = user_cache.folder()
    with suppress(OSError):
        files = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(place) if entry.name.startswith(_PREFIX)]
        for _, path in sorted(files)[:-_MOST_SESSIONS]:
            os.unlink(path)


def _digest(text: str) -> str:
    return blake2b(text.encode(errors="replace"), size=_SIZE).hex()
