"""What a model is shown of a store: paths, counts and the beginnings of memories, never all of it at once."""

from collections.abc import Sequence
from typing import Protocol

from memoir.index.inventory import Entry
from memoir.taxonomy.paths import Address


def beginning(address: Address, depth: int) -> Address:
    """The prefix that an address counts under in a survey: its first `depth` segments."""
    return address._replace(path=".".join(address.path.split(".")[:depth]))


class Library(Protocol):
    """The memories that a request may find, as pickers see them. Prefixes are addresses too: `preferences.coding`."""

    namespaces: Sequence[str]
    """Those searched; with more than one, paths are written `namespace:path`."""

    def prefixes(self, depth: int, under: Sequence[Address] = ()) -> dict[Address, int]:
        """The first `depth` segments of the paths (below some prefixes), with their numbers of paths, sorted.

        A path shorter than that counts under itself.
        """
        ...

    def entries(self, under: Sequence[Address] = (), limit: int | None = None) -> list[Entry]:
        """The paths at or below some prefixes (all without one), sorted; the first `limit` of them."""
        ...

    def described(self, paths: Sequence[Address]) -> list[Entry]:
        """The entries of those paths that there are, sorted."""
        ...

    def ranked(self, under: Sequence[Address], limit: int, *, quickly: bool = False) -> list[Address]:
        """The best paths at or below some prefixes (anywhere without one) for the query without a model, best first.

        `quickly` is by words alone, which will do to narrow what a model is shown.
        """
        ...
