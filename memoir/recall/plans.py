"""The plans of the modes `agent` and `deep`: how they search, and what they ask a model."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from memoir import settings
from memoir.setting import Config, Setting


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


def agent_plan(given: Mapping[str, Any], config: Config) -> AgentPlan:
    """The plan of mode `agent`: from the caller's fields, else from the settings."""
    own: dict[str, Setting[Any]] = {
        "strategy": settings.AGENT_STRATEGY,
        "max_attempts": settings.AGENT_ATTEMPTS,
        "min_confidence": settings.AGENT_CONFIDENCE,
    }
    strategy, attempts, confidence = (given.get(name, setting.read(config)) for name, setting in own.items())
    queries, fallback = settings.AGENT_QUERIES.read(config), settings.AGENT_FALLBACK.read(config)
    return AgentPlan(strategy, attempts, confidence, queries, fallback)


def deep_plan(config: Config) -> DeepPlan:
    """The plan of mode `deep`, from the settings."""
    return DeepPlan(
        settings.DEEP_SUFFICIENCY.read(config),
        settings.DEEP_EXPANSION.read(config),
        settings.DEEP_RERANK.read(config),
        settings.DEEP_STRONG_SCORE.read(config),
        settings.DEEP_STRONG_GAP.read(config),
    )
