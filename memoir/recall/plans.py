"""The plans of the modes `agent` and `deep`, made before they start."""

from typing import NamedTuple


class AgentPlan(NamedTuple):
    """How mode `agent` searches: `strategy` is `auto`, `direct`, `split` or `chain`."""

    strategy: str = "auto"
    attempts: int = 3
    """The most searches of a chain."""
    confidence: float = 0.8
    """The confidence from which a model may end a chain."""
    queries: int = 6
    """The most parts that a question is split into, besides itself."""
    fallback: str = "chain"
    """The strategy if a model names none."""


class DeepPlan(NamedTuple):
    """What mode `deep` asks a model, if there is one."""

    sufficiency: bool = True
    """Whether the model judges the first results."""
    expansion: bool = True
    """Whether the model expands the question."""
    rerank: bool = False
    """Whether the model reorders the best memories at the end."""
    strong_score: float = 0.85
    """The relevance from which the first memory needs no model, ..."""
    strong_gap: float = 0.15
    """... if it is this far ahead of the second."""
