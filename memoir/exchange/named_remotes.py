"""The remotes that the user has named: by cloning from one, adding one, or sending memories to one.

A store may have come with somebody's project, and the address of its `origin` with it. What memoir sends by itself goes
only where the user has told it to go before. The list is in the user's own folder, as digests.
"""

import os
from contextlib import suppress

from memoir import user_state
from memoir.exchange.remotes import addresses
from memoir.git.digest import blake2b
from memoir.store.store import Store

_FILE = "remotes"
_LARGEST = 1 << 20


def note(store: Store, name: str) -> None:
    """Note that the user has named a remote of a store; without a folder to note it in, it stays unnamed."""
    place = user_state.folder()
    if place is None or is_named(store, name):
        return
    with suppress(OSError):
        user_state.make(place)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(place / _FILE, flags, 0o600), "ab") as file:
            file.write(_digest(store, name) + b"\n")


def is_named(store: Store, name: str) -> bool:
    """Whether the user has named this remote, with these very addresses, of this very store."""
    place = user_state.folder()
    with suppress(OSError):
        if place:
            with open(place / _FILE, "rb") as file:
                return _digest(store, name) in file.read(_LARGEST).split()
    return False


def _digest(store: Store, name: str) -> bytes:
    parts = [os.path.realpath(store.git_dir), name, *addresses(store, name)]
    return blake2b("\0".join(parts).encode(errors="surrogateescape"), size=16).hex().encode()
