"""The parts of an answer besides its memories: neighbours, insights, captions, instructions, evidence, metrics."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from memoir.index.documents import Place
from memoir.memory.speaker import speaker
from memoir.records.record import Memory
from memoir.taxonomy.paths import Address, MemoryAddress


class ContextMemory(NamedTuple):
    """A memory beside a found one; `distance` counts places after it in its sequence (before it, if negative)."""

    distance: int
    path: str
    content: str
    metadata: dict[str, Any]
    namespace: str
    confidence: float
    timestamp: str
    id: str = ""

    @property
    def address(self) -> MemoryAddress:
        """Its address, which `get` reads."""
        return MemoryAddress(Address(self.namespace, self.path), self.id)

    @property
    def speaker(self) -> str | None:
        """Who says it."""
        return speaker(self.metadata)

    @classmethod
    def of(cls, place: Place, memory: Memory, distance: int, number: str = "") -> "ContextMemory":
        """Make a neighbour of a stored memory."""
        (namespace, path), _ = place
        metadata = dict(memory.metadata)
        return cls(distance, path, memory.content, metadata, namespace, memory.confidence, memory.timestamp, number)


class AgentMetrics(NamedTuple):
    """The work of mode `agent`: the strategy, the queries, and a model's verdicts.

    `confidences` are the model's after each search, `evidence` the memories that it cited. Times are in seconds.
    """

    strategy: str
    queries: tuple[str, ...]
    searches: int
    confidences: tuple[float, ...]
    evidence: tuple[Address, ...]
    search_seconds: float
    model_seconds: float


class FoundInsight(NamedTuple):
    """An insight, and how well it answers the query (0 to 1).

    `sources` are the addresses that it is built from; `stale` is true if one of them has changed since. `store` is
    `project` or `user`.
    """

    address: Address
    content: str
    level: str
    by: str
    relevance: float
    stale: bool
    sources: tuple[Address, ...]
    store: str = "project"


class StandingInstruction(NamedTuple):
    """A lasting wish that a user told an assistant: a `directive` or a `preference`, and its passage.

    `relevance` is its similarity to the question. `store` is `project` or `user`.
    """

    kind: str
    content: str
    address: MemoryAddress
    source: str
    speaker: str
    timestamp: str
    relevance: float
    store: str = "project"


class Caption(NamedTuple):
    """The caption of a segment, and the paths of the answer's memories from it.

    `relevance` (0 to 1) is that of the segment, or of the best of these memories. `store` is `project` or `user`.
    """

    address: Address
    text: str
    relevance: float
    items: tuple[str, ...]
    store: str = "project"


class Evidence(NamedTuple):
    """Evidence named by a model: a text, and the address of its memory, insight or segment, if any."""

    text: str
    address: Address | None = None


T = TypeVar("T", ContextMemory, StandingInstruction)


def all_that_fit(parts: Iterable[T], room: float) -> Iterator[T]:
    """Yield, in order, every part that still fits into `room` characters."""
    for each in parts:
        if len(each.content) <= room:
            yield each
            room -= len(each.content)
