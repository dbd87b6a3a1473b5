"""How a memory is quoted for an agent: in a primer, and in the answer to a prompt."""

from collections.abc import Mapping
from typing import Any, Protocol

from memoir.memory.active import Facet
from memoir.memory.origin import said, source
from memoir.primer.length import quote, quote_name
from memoir.taxonomy.memory_address import MemoryAddress
from memoir.taxonomy.paths import Address

_LONGEST_SOURCE = 60
_LONGEST_DISPUTED = 80


class Words(Protocol):
    """What a memory of a store and one that recall has found have in common."""

    @property
    def content(self) -> str:
        """The text."""

    @property
    def timestamp(self) -> str:
        """Since when it is true."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What else is known of it."""


def line(place: Address | MemoryAddress, memory: Words, most: int) -> str:
    """A line that quotes a memory: its path, who says what, cut to some characters, and since when.

    If nobody remembered it by hand, it names its source, too.
    """
    name, day = source(memory.metadata), memory.timestamp[:10]
    origin = f"from {quote(name, _LONGEST_SOURCE)}" if name else ""
    notes = ", ".join(filter(None, (origin, day)))
    return f"- {quote_name(place.short_key)}: {quote(said(memory.content, memory.metadata), most)} ({notes})"


def dispute(newer: Facet, older: Facet) -> str:
    """Two memories that contradict each other, the newer one first."""
    return f"{disputed(newer)} disputes the older {disputed(older)}"


def disputed(each: Facet) -> str:
    """A memory that another contradicts: its address, its day, and how it begins."""
    words = quote(said(each.memory.content, each.memory.metadata), _LONGEST_DISPUTED)
    return f"{quote_name(each.target.short_key)} ({each.memory.timestamp[:10]}: {words})"
