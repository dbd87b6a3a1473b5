"""Corrections of filing: where somebody moved a memory that memoir had filed, and where memoir had put it.

It stands in the memory's own metadata, `filing`, so it is versioned, merged and pushed with the memory.
"""

from collections.abc import Mapping
from typing import Any

from memoir.records.record import DamagedRecord, Memory, decode, encode
from memoir.taxonomy.paths import Address

FILING = "filing"
"""The field of metadata that says how a memory was filed."""
BY, MOVE, FROM = "by", "move", "from"
_MENTION = f'"{FILING}"'.encode()


def note_correction(data: bytes, old: Address) -> bytes:
    """A record that is moved away from an address, as it is stored: its memories that memoir filed say so.

    A record that cannot be read is moved as it is.
    """
    if _MENTION not in data:
        return data
    try:
        return encode(_correct(memory, old) for memory in decode(data))
    except DamagedRecord:
        return data


def first_path(metadata: Mapping[str, Any]) -> str | None:
    """The path that memoir filed a memory at, if somebody has moved it since; else None."""
    filing = metadata.get(FILING)
    if not isinstance(filing, Mapping) or filing.get(BY) != MOVE:
        return None
    path = filing.get(FROM)
    return path if isinstance(path, str) else None


def _correct(memory: Memory, old: Address) -> Memory:
    if FILING not in memory.metadata:
        return memory
    filing = {BY: MOVE, FROM: first_path(memory.metadata) or old.path}
    return memory._replace(metadata={**memory.metadata, FILING: filing})
