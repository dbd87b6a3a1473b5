"""The lines of memories, each with its date and with who says it."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memoir.memory.layer_namespaces import RAW
from memoir.memory.origin import speaker
from memoir.records.record import Memory, Record, active_facets
from memoir.taxonomy.paths import Address


class Line(NamedTuple):
    """A line of a record: its number (from 1), its text, since when it is true or was said, and who says it."""

    address: Address
    number: int
    text: str
    timestamp: str
    speaker: str | None

    @property
    def said(self) -> str:
        """The text after the name of who says it."""
        is_named = self.speaker is None or self.text.startswith(f"{self.speaker}:")
        return self.text if is_named else f"{self.speaker}: {self.text}"


def lines_of(address: Address, record: Record) -> Iterator[Line]:
    """The lines of a record's active memories, as its projection has them."""
    number = 0
    for memory in active_facets(record):
        for name, text in _spoken(memory, is_segment=address.namespace.endswith(f":{RAW}")):
            number += 1
            yield Line(address, number, text, memory.timestamp, name)


def _spoken(memory: Memory, *, is_segment: bool) -> Iterator[tuple[str | None, str]]:
    """The lines of a memory with their speakers: in a conversation, the last one whose name began a line."""
    names = _names(memory.metadata) if is_segment else []
    name = None if is_segment else speaker(memory.metadata)
    for text in memory.content.split("\n"):
        name = next((each for each in names if text.startswith(f"{each}:")), name)
        yield name, text


def _names(metadata: Mapping[str, Any]) -> list[str]:
    names = metadata.get("speakers")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
