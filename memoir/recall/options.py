"""The options of a query, checked."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from memoir.errors import InvalidInput
from memoir.recall.query import Boost, BoostFn
from memoir.recall.weights import check_weights
from memoir.setting import SHARE, Kind, Setting, require_positive, whole, words
from memoir.settings import AGENT_ATTEMPTS, AGENT_CONFIDENCE, AGENT_STRATEGY, RECALL_MODE, RERANK, TAU
from memoir.taxonomy.paths import check_namespace

SOURCES = words("yes", "only", "no")
"""Whether passages of sources are searched beside memories, alone, or not at all."""
PLANNERS = words("auto", "rules")
"""Who plans in the modes that reason: a model if one is configured, or rules alone."""
AGENT: dict[Literal["strategy", "max_attempts", "min_confidence"], Setting[Any]] = {
    "strategy": AGENT_STRATEGY,
    "max_attempts": AGENT_ATTEMPTS,
    "min_confidence": AGENT_CONFIDENCE,
}
"""The options of mode `agent`, and the settings that hold without them."""
MAX_QUERY = 100_000
"""How many characters a question may have."""
_NUMBERS: dict[str, Kind[Any]] = {
    "llm_calls": whole(0), "llm_tokens": whole(0), "tau": TAU.kind, "context": whole(0), "threshold": SHARE,
}  # fmt: skip


class SearchOptions(TypedDict, total=False):
    """The options of a query that need no more words. Times are seconds since 1970, `tau` is in days.

    `llm_calls` and `llm_tokens` bound what a model may cost. `prompts` replaces the instructions of a model's steps.
    `metadata` are fields that a memory must have, as (name, value); `weights` are those of legs and channels.
    """

    globs: tuple[str, ...]
    since: float | None
    until: float | None
    threshold: float
    max_chars: int | None
    metadata: tuple[tuple[str, str], ...]
    weights: Mapping[str, float]
    context: int | None
    gather: bool
    layers: bool
    sources: str | None
    joined: bool
    boosts: tuple[Boost, ...]
    boost_fn: BoostFn | None
    tau: float | None
    rerank: str | None
    strategy: str | None
    max_attempts: int | None
    min_confidence: float | None
    llm_calls: int | None
    llm_tokens: int | None
    prompts: Mapping[str, str]
    planner: str | None
    cache: bool


class Options(SearchOptions, total=False):
    """Everything that may be said of a query beside its text; the settings decide what is left out, or None."""

    now: float
    mode: str | None
    at: str | None
    model: str | None
    namespaces: Sequence[str]
    person: str | None
    limit: int | None


def check(text: Any, options: Options) -> str:
    """Check a query's text and options, and return the text.

    Raises:
        TypeError: there is no such option.
    """
    if unknown := options.keys() - Options.__annotations__.keys():
        raise TypeError(f"recall has no option {min(unknown)!r}")
    _check_words(options)
    _check_text(text)
    for name in options.get("namespaces", ()):
        check_namespace(name)
    check_weights(options.get("weights", {}))
    _check_numbers(options)
    return str(text)


def _check_words(options: Options) -> None:
    if (mode := options.get("mode")) is not None:
        RECALL_MODE.parse(mode, "mode")
    if (planner := options.get("planner")) is not None:
        PLANNERS.check(planner, "planner")
    if (sources := options.get("sources")) is not None:
        SOURCES.check(sources, "sources")
    if (rerank := options.get("rerank")) is not None:
        RERANK.parse(rerank, "rerank")


def _check_text(text: Any) -> None:
    if not isinstance(text, str):
        raise InvalidInput(f"query must be a string, not {text!r:.80}" if text is not None else "no query given")
    if len(text) > MAX_QUERY:
        raise InvalidInput(f"a query may have {MAX_QUERY:,} characters, not {len(text):,}", "ask in fewer words")
    if not text.strip():
        raise InvalidInput("nothing to recall: the query is blank", "ask in your own words, or list with 'memoir ls'")


def _check_numbers(options: Options) -> None:
    require_positive(**{"limit": options.get("limit"), "max-chars": options.get("max_chars")})
    kinds: dict[str, Kind[Any]] = _NUMBERS | {name: setting.kind for name, setting in AGENT.items()}
    for name, kind in kinds.items():
        if (value := options.get(name)) is not None:
            kind.check(value, name.replace("_", "-"))
    since, until = options.get("since"), options.get("until")
    if since is not None and until is not None and since > until:
        raise InvalidInput("--since must not be later than --until")
