"""One memory that a recall found, and the steps by which it was found."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.records.record import Memory
from memoir.taxonomy.paths import Address, MemoryAddress

if TYPE_CHECKING:
    from memoir.memory.active import Facet
    from memoir.recall.findings import ContextMemory


class Stage(NamedTuple):
    """One step of a recall."""

    stage: str
    """What is done, such as `hop`."""
    method: str
    """By what: a leg, a rule, or `model`."""
    input_count: int = 0
    """How many memories, or questions, came in."""
    candidate_count: int = 0
    """How many memories it looked at."""
    result_count: int = 0
    """How many memories, or questions, went out."""
    degraded: str | None = None
    """What fell back and why; None if nothing did."""
    skipped: str | None = None
    """Why it was not done; None if it was."""

    @property
    def status(self) -> str:
        """`done`, `degraded` or `skipped`."""
        return "skipped" if self.skipped else "degraded" if self.degraded else "done"


_NONE: Mapping[str, Any] = {}


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
