"""What is settled of the modes `agent` and `deep` before they begin."""

from typing import NamedTuple


class AgentPlan(NamedTuple):
    """How mode `agent` searches: `strategy` is `auto`, `direct`, `split` or `chain`."""

    strategy: str = "auto"
    attempts: int = 3
    """The most searches of a chain."""
    confidence: float = 0.8
    """How sure a model must be of its evidence to end a chain."""
    queries: int = 6
    """The most questions that one is split into, beside itself."""
    fallback: str = "chain"
    """The strategy where a model names none."""


class DeepPlan(NamedTuple):
    """The questions of mode `deep` to a model, if there is one."""

    sufficiency: bool = True
    """Whether the memories that were found are judged first."""
    expansion: bool = True
    """Whether the question is expanded."""
    rerank: bool = False
    """Whether the best memories are put in order at the end."""
    strong_score: float = 0.85
    """The relevance from which the first memory saves all of that, ..."""
    strong_gap: float = 0.15
    """... if it is so much more relevant than the second."""
