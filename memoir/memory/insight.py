"""The metadata of an insight: its level, its writer, and digests of all its sources and of those it cites.

{"insight": {"level": "leaf", "by": "claude-opus-4-5", "terms": [...], "size": 3, "sources": "5f0c...",
                 "cited": "5f0c..."},
 "links": {"derives_from": ["default:project.apollo", ...]}}
"""

from collections.abc import Iterable, Mapping
from typing import Any

from memoir.git.digest import blake2b
from memoir.memory.record import Memory
from memoir.taxonomy.paths import Address

FIELD = "insight"
LEAF, BRANCH, ROOT = "leaf", "branch", "root"
"""The levels: a leaf rests on memories, a branch on leaves, the root on branches."""
EXTRACTIVE = "extractive"
"""Who wrote an insight that older versions made by rules; it is no insight, only a quotation."""
DIGEST_BYTES = 8


def insight_fields(memory: Memory) -> Mapping[str, Any] | None:
    """The facts in an insight's metadata; None for a memory that is no insight."""
    fields = memory.metadata.get(FIELD)
    return fields if isinstance(fields, Mapping) else None


def is_extractive(memory: Memory) -> bool:
    """Whether a memory is an insight that rules wrote."""
    return (insight_fields(memory) or {}).get("by") == EXTRACTIVE


def digest_of(sources: Iterable[tuple[Address, bytes]]) -> str:
    """The digest of some sources, each with a digest of its content."""
    lines = sorted(f"{address.full_key}\n".encode() + digest for address, digest in sources)
    return blake2b(b"\n\n".join(lines), size=DIGEST_BYTES).hex()
