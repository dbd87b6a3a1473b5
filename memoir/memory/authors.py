"""The authors of memories that came from a remote, where anyone who can push can write any `origin`.

Before a memory is shown, it is marked with the author of the commit that wrote its words or its origins, unless that is
the user. A store without a remote needs no marks and is not searched. The marks are never stored.
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
"""The author of a memory for which the search was given up."""
Placed = tuple[Address, Memory]
_Identity = tuple[str, str, tuple[str, ...]]
"""What identifies a memory in the history: its words, its time and its origins."""


def mark_authors(store: Store, snapshot: Snapshot, placed: Sequence[Placed], *, hurried: bool = False) -> list[Memory]:
    """The memories, with those of other authors marked, if the store has a remote.

    With `hurried`, for hooks, no table of a long history is built; an author not found without it becomes `SOMEBODY`.
    """
    own = _own_name(store)
    if own is None or snapshot.commit is None or not placed:
        return [memory for _, memory in placed]
    names = find_authors(store, snapshot, placed, hurried=hurried)
    return [_mark(memory, name or SOMEBODY, own) for (_, memory), name in zip(placed, names, strict=True)]


def find_authors(
    store: Store, snapshot: Snapshot, placed: Sequence[Placed], *, hurried: bool = False
) -> list[str | None]:
    """The authors of the commits that wrote the memories, as `Name <email>`; None where none was found.

    Moves and merges are skipped: they carry what another commit wrote. With `hurried`, no table of a long history is
    built.
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
    """The user's own name and email; empty if they are malformed, None in a store without a remote."""
    if not store.has_remotes:
        return None
    from memoir.store.identity import name_and_email

    with suppress(InvalidInput):  # who writes is malformed, so nothing here is theirs
        return "{} <{}>".format(*name_and_email(store))
    return ""


def _mark(memory: Memory, name: str, own: str) -> Memory:
    if name == own:
        return memory
    return memory._replace(metadata={**memory.metadata, AUTHOR: AuthorName(name)})


def _identity(memory: Memory) -> _Identity:
    return memory.content, memory.timestamp, origins_of(memory.metadata)


class _Authors:
    """Finds the authors of memories by going through the versions of their paths, newest first."""

    def __init__(self, snapshot: Snapshot, placed: Sequence[Placed]) -> None:
        self.open: dict[bytes, set[_Identity]] = {}
        """The memories whose author is not found yet, by key."""
        self._snapshot = snapshot
        self._found: dict[tuple[bytes, _Identity], str] = {}
        for address, memory in placed:
            self.open.setdefault(address.key, set()).add(_identity(memory))

    def name(self, address: Address, memory: Memory) -> str | None:
        """The author of a memory, as `Name <email>`; None if not found."""
        return self._found.get((address.key, _identity(memory)))

    def take(self, key: bytes, version: "KeyVersion") -> None:
        """Read one version: its author wrote the memories that the version before it lacks."""
        if key not in self.open or version.operation in ("moved", "merged"):
            return
        work = self.open[key] & self._identities_in(version.value) - self._identities_in(version.before)
        author = version.commit.author
        self._found |= dict.fromkeys(((key, said) for said in work), f"{author.name} <{author.email}>")
        self.open[key] -= work
        if not self.open[key]:
            del self.open[key]

    def _identities_in(self, value: "Oid | None") -> set[_Identity]:
        return set(map(_identity, past_record(self._snapshot.blobs([value])[value]))) if value else set()
