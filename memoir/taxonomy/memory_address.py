"""Addresses of single memories: `KEY#id`, where `id` is the beginning of the id of a memory at the path.

`#` is in neither alphabet of an address, so what follows it is an id. `memoir.memory.facets` makes the ids.
"""

import re
from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, address

ID_DIGITS = 8
"""The hexadecimal digits of an id, as many as people are shown of a commit's."""
MARK = "#"
SHORTENED = "~"
"""What stands, in the key of a passage, for the beginning that recall has said once."""
_SOURCES = ":raw"
"""How the namespace ends that has the segments of sources."""
PASSAGE_ID = r"p[1-9]\d{0,5}(?:-[1-9]\d{0,5})?"
"""The id of a passage of a segment, or of several: `p2`, `p2-4` (see `memoir.memory.passages`)."""


class MemoryAddress(NamedTuple):
    """A path and the beginning of the id of one memory there; without an id, everything at the path is meant."""

    place: Address
    id: str = ""

    @property
    def namespace(self) -> str:
        """The namespace of the path."""
        return self.place.namespace

    @property
    def path(self) -> str:
        """The path, without the id."""
        return self.place.path

    @property
    def full_key(self) -> str:
        """`namespace:path`, or `namespace:path#id`, which `memory_address` reads back."""
        return self.place.full_key + self._suffix

    @property
    def short_key(self) -> str:
        """The shortest form that `memory_address` reads back: a passage, which only sources have, needs no layer."""
        if self.names_passage and self.namespace == DEFAULT_NAMESPACE + _SOURCES:
            return self.label
        return self.place.short_key + self._suffix

    @property
    def label(self) -> str:
        """The path, and the id if there is one: as the messages of commits have it."""
        return self.path + self._suffix

    @property
    def names_passage(self) -> bool:
        """Whether the id is that of a passage."""
        return self.id.startswith("p")

    @property
    def names_memory(self) -> bool:
        """Whether it is that of one memory among several at its path."""
        return bool(self.id) and not self.names_passage

    @property
    def _suffix(self) -> str:
        return MARK + self.id if self.id else ""


def memory_address(text: str, namespace: str = DEFAULT_NAMESPACE) -> MemoryAddress:
    """Read `path`, `namespace:path`, or one of them with `#id`.

    Raises:
        InvalidInput: the address or the id is malformed.
    """
    key, mark, identity = text.partition(MARK)
    if mark and not re.fullmatch(f"[0-9a-fA-F]{{1,{ID_DIGITS}}}|{PASSAGE_ID}", identity):
        raise InvalidInput(
            f"not the id of a memory: {identity!r}: an id is 1 to {ID_DIGITS} digits, 0 to 9 and a to f",
            f"'memoir get {key}' shows the ids of the memories there" if key else None,
        )
    if identity.startswith("p") and ":" not in key and not namespace.endswith(_SOURCES):
        namespace += _SOURCES
    return MemoryAddress(address(key, namespace), identity.lower())
