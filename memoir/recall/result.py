"""One memory that a recall found, and the steps by which it was found."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.memory.speaker import role_of
from memoir.records.record import Memory
from memoir.taxonomy.paths import Address, MemoryAddress

if TYPE_CHECKING:
    from memoir.memory.active import Facet
    from memoir.recall.findings import ContextMemory


class Stage(NamedTuple):
    """One step of a recall."""

    stage: str
    """The name of the step, such as `hop`."""
    method: str
    """Who does it: a leg, a rule, or `model`."""
    input_count: int = 0
    """The number of memories, or questions, that came in."""
    candidate_count: int = 0
    """The number of memories that were considered."""
    result_count: int = 0
    """The number of memories, or questions, that went out."""
    degraded: str | None = None
    """The fallback and its reason; None without one."""
    skipped: str | None = None
    """Why the step was skipped; None if it was done."""

    @property
    def status(self) -> str:
        """`done`, `degraded` or `skipped`."""
        return "skipped" if self.skipped else "degraded" if self.degraded else "done"


_NONE: Mapping[str, Any] = {}


class IntelligentSearchResult(NamedTuple):
    """One memory found. `relevance_score` (0 to 1) scores this query, `confidence` is that of the memory itself.

    `metadata` is the memory's own; memoir adds `mode` and, if wanted, `step_timings` and `llm_prompts`, but overwrites
    no key. `ranking` holds the numbers of its rank. `truncated` is the full length of a content that was cut. `ordinal`
    is its position in the record at its path. `context` are its neighbours, if asked for. `store` is `project` or
    `user`. `id` is its id among the memories at its path; empty if it is the only active one. `disputes` are the
    memories that contradict it, newest first.

    For a passage, `id` is its number in its segment (`p2`; `p2-4` for several), `layer` is `raw`, `source` is the name
    of its source, `speaker` says it, `items` are the full keys of the memories that it replaces, `parts` are its
    passages, `asked` is what another speaker says before it, and `reply` what another says after it.
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
    def role(self) -> str:
        """The role of its speaker: `user`, `assistant`, or `talk` for anybody else."""
        return role_of(self.speaker or "")

    @property
    def key(self) -> str:
        """The shortest form of its address."""
        return self.address.short_key
