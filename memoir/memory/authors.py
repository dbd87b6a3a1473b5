"""Who wrote the memories that came from a remote: whoever can push to one can write any `origin`.

A memory that is about to be shown is marked with the author of the commit that wrote its words or its origins, unless
that is who writes here. A store without a remote has no such memory, and is not looked at. Nothing of that is stored.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memoir.errors import InvalidInput
from memoir.records.damage import past_record
from memoir.records.origins import AUTHOR, AuthorName, origins_of
from memoir.records.record import Memory
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.git.objects import Oid
    from memoir.store.history import KeyVersion

SOMEBODY = "?"
"""Who wrote a memory, where the search was given up."""
Placed = tuple[Address, Memory]
_Said = tuple[str, str, tuple[str, ...]]
"""What a commit must have written of a memory: its words, its time, and who vouches for it."""


def mark_authors(store: Store, snapshot: Snapshot, placed: Sequence[Placed], *, hurried: bool = False) -> list[Memory]:
    """Some memories at their places, those that came from a remote marked with the authors of their commits.

    Who is in a hurry, such as a hook, builds no table of a long history: whoever is not found then is `SOMEBODY`.
    """
    own = _own_name(store)
    if own is None or snapshot.commit is None or not placed:
        return [memory for _, memory in placed]
    names = find_authors(store, snapshot, placed, hurried=hurried)
    return [_marked(memory, name or SOMEBODY, own) for (_, memory), name in zip(placed, names, strict=True)]


def find_authors(
    store: Store, snapshot: Snapshot, placed: Sequence[Placed], *, hurried: bool = False
) -> list[str | None]:
    """The authors of the commits that wrote some memories, as `Name <email>`; None for one that was not found.

    A move or a merge only carries what another commit wrote. Who is in a hurry builds no table of a long history.
    """
    authors = _Authors(snapshot, placed)
    from memoir.store.history import versions_of_all

    versions = versions_of_all(store, snapshot.commit, list(authors.open), hurried=hurried) if snapshot.commit else ()
    for key, version in versions:
        authors.take(key, version)
        if not authors.open:
            break
    return [authors.name(address, memory) for address, memory in placed]


def _own_name(store: Store) -> str | None:
    """Who writes here; None in a store without a remote."""
    if not store.has_remotes:
        return None
    from memoir.store.transaction import name_and_email

    with suppress(InvalidInput):  # who writes is malformed, so nothing here is theirs
        return "{} <{}>".format(*name_and_email(store))
    return ""


def _marked(memory: Memory, name: str, own: str) -> Memory:
    if name == own:
        return memory
    return memory._replace(metadata={**memory.metadata, AUTHOR: AuthorName(name)})


def _said(memory: Memory) -> _Said:
    return memory.content, memory.timestamp, origins_of(memory.metadata)


class _Authors:
    """Finds the authors of memories in the versions of their paths, from the newest on."""

    def __init__(self, snapshot: Snapshot, placed: Sequence[Placed]) -> None:
        self.open: dict[bytes, set[_Said]] = {}
        """What no commit is known to have written, by the keys."""
        self._snapshot = snapshot
        self._found: dict[tuple[bytes, _Said], str] = {}
        for address, memory in placed:
            self.open.setdefault(address.key, set()).add(_said(memory))

    def name(self, address: Address, memory: Memory) -> str | None:
        """Who wrote a memory, as `Name <email>`; None if no commit did."""
        return self._found.get((address.key, _said(memory)))

    def take(self, key: bytes, version: "KeyVersion") -> None:
        """Look at one version: what it did not find there already is its work."""
        if key not in self.open or version.operation in ("moved", "merged"):
            return
        work = self.open[key] & self._said_in(version.value) - self._said_in(version.before)
        author = version.commit.author
        self._found |= dict.fromkeys(((key, said) for said in work), f"{author.name} <{author.email}>")
        self.open[key] -= work
        if not self.open[key]:
            del self.open[key]

    def _said_in(self, value: "Oid | None") -> set[_Said]:
        return set(map(_said, past_record(self._snapshot.blobs([value])[value]))) if value else set()
