"""The parts of an answer: its memories, and beside them neighbours, insights, captions, evidence, and its steps."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.index.documents import Place
from memoir.memory.origin import speaker
from memoir.records.record import Memory
from memoir.taxonomy.memory_address import MemoryAddress
from memoir.taxonomy.paths import Address

if TYPE_CHECKING:
    from memoir.memory.active import Facet


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
        return cls(
            distance,
            path,
            memory.content,
            dict(memory.metadata),
            namespace,
            memory.confidence,
            memory.timestamp,
            number,
        )


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


class Stage(NamedTuple):
    """One step of a recall.

    Attributes:
        stage: What is done, such as `hop`.
        method: By what: a leg, a rule, or `model`.
        input_count: How many memories, or questions, came in.
        candidate_count: How many memories it looked at.
        result_count: How many memories, or questions, went out.
        degraded: What fell back and why; None if nothing did.
        skipped: Why it was not done; None if it was.
    """

    stage: str
    method: str
    input_count: int = 0
    candidate_count: int = 0
    result_count: int = 0
    degraded: str | None = None
    skipped: str | None = None

    @property
    def status(self) -> str:
        """`done`, `degraded` or `skipped`."""
        return "skipped" if self.skipped else "degraded" if self.degraded else "done"


_NONE: Mapping[str, Any] = MappingProxyType({})


class IntelligentSearchResult(NamedTuple):
    """One memory found. `relevance_score` (0 to 1) scores this query, `confidence` is that of the memory itself.

    `metadata` is the memory's own; memoir adds `mode` and, if wanted, `step_timings` and `llm_prompts`, never over a
    key that is there. `ranking` holds the numbers of its rank. `truncated` is the length of a content that was cut.
    `ordinal` is its position among the memories of its path; `context` is what stands beside it, if that was asked for.
    `store` is the one of two stores that holds it: `project` or `user`. `id` is its id among the memories of its path,
    empty if it alone is active there. `disputes` are the newest memories that contradict it, newest first.
    Of a passage `id` says which of its segment it is (`p2`; `p2-4` for several), `layer` is `raw`, `source` is the name
    of its source, `speaker` who says it, `items` are the full keys of the memories that were found in it, `parts`
    are the passages that it is made of, `asked` is what somebody else says before it, and `reply` what one says next.
    """

    path: str
    content: str
    metadata: dict[str, Any]
    relevance_score: float
    namespace: str
    confidence: float = 1.0
    timestamp: str = ""
    ranking: Mapping[str, Any] = _NONE
    truncated: int | None = None
    ordinal: int = 0
    context: "tuple[ContextMemory, ...] | None" = None
    store: str = "project"
    id: str = ""
    layer: str | None = None
    source: str | None = None
    speaker: str | None = None
    items: tuple[str, ...] = ()
    disputes: tuple["Facet", ...] = ()
    parts: tuple["Memory", ...] = ()
    asked: "Memory | None" = None
    reply: "Memory | None" = None

    @property
    def address(self) -> MemoryAddress:
        """Its address, which `get` reads."""
        return MemoryAddress(Address(self.namespace, self.path), self.id)

    @property
    def facet(self) -> "Facet":
        """The memory with its place."""
        from memoir.memory.active import Facet

        memory = Memory(self.content, self.confidence, self.timestamp, metadata=self.metadata)
        return Facet(self.address.place, self.ordinal, memory, self.id)

    @property
    def key(self) -> str:
        """The shortest form of its address."""
        return self.address.short_key
