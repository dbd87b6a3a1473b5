"""The parts of an answer: its memories, and beside them neighbours, insights, captions, evidence, and its steps."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from memoir.index.documents import Place
from memoir.memory.origin import speaker
from memoir.records.record import Memory
from memoir.taxonomy.paths import Address, MemoryAddress


class ContextMemory(NamedTuple):
    """A memory beside a memory found, and how many places after it in its sequence (before it, if negative)."""

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
        """A stored memory as context."""
        (namespace, path), _ = place
        metadata = dict(memory.metadata)
        return cls(distance, path, memory.content, metadata, namespace, memory.confidence, memory.timestamp, number)


class AgentMetrics(NamedTuple):
    """The work of mode `agent`: the strategy, the queries, and a model's verdicts.

    `confidences` are how sure the model was after each search, `evidence` the memories that it cited. The times are
    in seconds.
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

    `sources` are what it is built from, and `stale` tells whether one of these has changed since. `store` is the one of
    two stores that it is in.
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
    """What a user told an assistant to do from now on: a `directive` or a `preference`, and the passage it is from.

    `relevance` is its likeness to the question. `store` is the one of two stores that it is in.
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
    """The caption of a segment, and the paths of the answer's memories that come from the segment.

    `relevance` (0 to 1) is that of the segment, or of the best of these memories. `store` is the one of two stores that
    it is in.
    """

    address: Address
    text: str
    relevance: float
    items: tuple[str, ...]
    store: str = "project"


class Evidence(NamedTuple):
    """Evidence that a model has named: a text, and the memory, insight or segment that it is from, if it is one."""

    text: str
    address: Address | None = None


T = TypeVar("T", ContextMemory, StandingInstruction)


def all_that_fit(parts: Iterable[T], room: float) -> Iterator[T]:
    """Those of some parts, in their order, that fit into some characters."""
    for each in parts:
        if len(each.content) <= room:
            yield each
            room -= len(each.content)
