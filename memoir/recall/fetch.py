"""From documents to memories: what an answer shows comes from the store, never from the index."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from memoir.index.index import IndexLiesError
from memoir.memory.read import records
from memoir.memory.record import Memory
from memoir.recall.result import IntelligentSearchResult
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address


class Found(NamedTuple):
    """A memory by its place in the record of a path, how relevant it is, and the numbers it carries."""

    address: Address
    ordinal: int
    relevance: float
    numbers: dict[str, Any]


def fetch(snapshot: Snapshot, found: Sequence[Found], mode: str) -> list[IntelligentSearchResult]:
    """The memories, in the order given.

    Raises:
        IndexLiesError: the store has no such memory.
    """
    stored = records(snapshot, (item.address for item in found), listed=True)
    if any(item.ordinal >= len(stored.get(item.address, ())) for item in found):
        raise IndexLiesError
    return [_result(item, stored[item.address][item.ordinal], mode) for item in found]


def _result(item: Found, memory: Memory, mode: str) -> IntelligentSearchResult:
    return IntelligentSearchResult(
        path=item.address.path,
        content=memory.content,
        metadata={**memory.metadata, **({} if "mode" in memory.metadata else {"mode": mode})},
        relevance_score=round(item.relevance, 4),
        namespace=item.address.namespace,
        confidence=memory.confidence,
        timestamp=memory.timestamp,
        ranking=item.numbers,
    )


def within(
    results: Sequence[IntelligentSearchResult], characters: int | None
) -> tuple[list[IntelligentSearchResult], int]:
    """The first results whose contents fit into so many characters together, and how many were left out.

    The one that no longer fits is cut there, and says so: `truncated` is its whole length.
    """
    kept: list[IntelligentSearchResult] = []
    left = characters
    for result in results:
        if left is None or len(result.content) <= left:
            kept.append(result)
        elif left:
            kept.append(replace(result, content=result.content[:left], truncated=len(result.content)))
        else:
            break
        left = None if left is None else max(left - len(result.content), 0)
    return kept, len(results) - len(kept)
