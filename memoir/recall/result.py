"""What recall answers."""

from dataclasses import dataclass, field
from typing import Any

from memoir.llm.usage import Usage
from memoir.recall.ranking import Ranking


@dataclass(frozen=True)
class IntelligentSearchResult:
    """One memory found. `relevance_score` (0 to 1) scores this query, `confidence` is how sure the memory itself is.

    `metadata` is the memory's own; memoir adds `mode` and, if asked, `step_timings` and `llm_prompts`, never over a key
    that is there. `ranking` holds the numbers of its rank. `truncated` is the length of a content that was cut.
    """

    path: str
    content: str
    metadata: dict[str, Any]
    relevance_score: float
    namespace: str
    confidence: float = 1.0
    timestamp: str = ""
    ranking: dict[str, Any] = field(default_factory=dict)
    truncated: int | None = None


@dataclass(frozen=True)
class Recalled:
    """An answer: the memories, best first, and how they were found.

    `degraded` says what fell back and why. `timings` are seconds by step, `prompts` the texts sent to a
    model by step. `omitted` counts memories left out by `max_chars`.
    """

    query: str
    mode: str
    memories: list[IntelligentSearchResult]
    degraded: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    embedder: str | None = None
    cached: bool = False
    omitted: int = 0
    timings: dict[str, float] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    ranking: Ranking | None = None
