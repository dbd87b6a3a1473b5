"""What a caller may say of a query: read, checked, and resolved with the settings into a `Query`."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypedDict

from memoir.errors import InvalidInput
from memoir.index.filters import Filter
from memoir.llm.prompts import read_instructions
from memoir.recall.query import AgentPlan, Boost, BoostFn, DeepPlan, Query
from memoir.recall.weights import check_weights, parse_weight, weights
from memoir.setting import SHARE, TEXT, Config, Setting, require_positive, whole, words
from memoir.settings import (
    AGENT_ATTEMPTS,
    AGENT_CONFIDENCE,
    AGENT_FALLBACK,
    AGENT_QUERIES,
    AGENT_STRATEGY,
    CANDIDATE_POOL,
    DEEP_EXPANSION,
    DEEP_RERANK,
    DEEP_STRONG_GAP,
    DEEP_STRONG_SCORE,
    DEEP_SUFFICIENCY,
    FUSION,
    MAX_CHARS,
    PROMPT_FILES,
    RECALL_CAPTIONS,
    RECALL_INSIGHTS,
    RECALL_LIMIT,
    RECALL_MODE,
    RERANK,
    RRF_K,
    TAU,
    check_together,
    decay_days,
)  # fmt: skip
from memoir.taxonomy.paths import check_namespace
from memoir.times import end_of, now, parse_date

PLANNERS = words("auto", "rules")
"""Who plans in the modes that reason: a model if one is configured, or rules alone."""
_AGENT: dict[Literal["strategy", "max_attempts", "min_confidence"], Setting[Any]] = {
    "strategy": AGENT_STRATEGY,
    "max_attempts": AGENT_ATTEMPTS,
    "min_confidence": AGENT_CONFIDENCE,
}
"""The options of mode `agent`, and the settings that hold without them."""
MAX_QUERY = 100_000
"""How many characters a question may have."""
CONTEXT = whole(0)
"""How many neighbours are shown on each side of a memory."""


class Fields(TypedDict, total=False):
    """The fields of a question beside its query, as people write them; None stands for one that is not given."""

    mode: str | None
    limit: int | None
    namespace: str | list[str] | None
    at: str | None
    keys: str | list[str] | None
    person: str | None
    since: str | None
    until: str | None
    now: str | None
    tau: str | float | None
    threshold: float | None
    model: str | None
    max_chars: int | None
    rerank: str | None
    strategy: str | None
    max_attempts: int | None
    min_confidence: float | None
    llm_calls: int | None
    llm_tokens: int | None
    prompts: dict[str, str] | None
    planner: str | None
    boost: str | list[str] | None
    where: str | list[str] | None
    weight: str | list[str] | None
    context: int | None
    layers: bool
    cache: bool


_LAYERED = ("deep", "agent")
"""The modes whose answers always have insights and captions."""

FIELDS = ("query", *Fields.__annotations__)
"""The fields of a question as people write it, named as the options of `memoir recall`."""


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
    layers: bool
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


def parse_fields(fields: Mapping[str, Any]) -> tuple[str, Options]:
    """Read the fields of a question; None stands for one that is not given.

    `namespace`, `keys`, `where`, `weight` and `boost` are strings or lists of strings; dates are as people type them.

    Raises:
        InvalidInput: an unknown field, or a value of the wrong type or range.
    """
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise InvalidInput(f"unknown field {unknown[0]!r}", f"the fields are {', '.join(FIELDS)}")
    given = {name: value for name, value in fields.items() if value is not None}
    base = _date("now", given) or now()
    options: Options = {
        "now": base.timestamp(),
        "mode": _string("mode", given),
        "at": _string("at", given),
        "model": _string("model", given),
        "namespaces": _strings("namespace", given),
        "globs": tuple(_strings("keys", given)),
        "person": _string("person", given),
        "since": _seconds(_date("since", given, base)),
        "until": _seconds(_date("until", given, base, end=True)),
        "metadata": tuple(parse_field(text) for text in _strings("where", given)),
        "weights": dict(parse_weight(text) for text in _strings("weight", given)),
        "boosts": tuple(parse_boost(text) for text in _strings("boost", given)),
        "rerank": _string("rerank", given),
        "cache": given.get("cache", True) is not False,
        "limit": given.get("limit"),
        "max_chars": given.get("max_chars"),
        "context": given.get("context"),
        "planner": _string("planner", given),
        "strategy": _string("strategy", given),
        "max_attempts": given.get("max_attempts"),
        "min_confidence": given.get("min_confidence"),
        "layers": given.get("layers", False) is not False,
        "llm_calls": given.get("llm_calls"),
        "llm_tokens": given.get("llm_tokens"),
        "prompts": given.get("prompts", {}),
        "tau": TAU.parse(str(given["tau"]), "tau") if "tau" in given else None,
    }
    if "threshold" in given:
        options["threshold"] = given["threshold"]
    return check(given.get("query"), options), options


def check(text: Any, options: Options) -> str:
    """Check a query's text and options, and return the text.

    Raises:
        InvalidInput: a value is of the wrong type or range, naming it.
        TypeError: there is no such option.
    """
    if unknown := options.keys() - Options.__annotations__.keys():
        raise TypeError(f"recall has no option {min(unknown)!r}")
    if (mode := options.get("mode")) is not None:
        RECALL_MODE.parse(mode, "mode")
    _check_text(text)
    for name in options.get("namespaces", ()):
        check_namespace(name)
    check_weights(options.get("weights", {}))
    require_positive(**{"limit": options.get("limit"), "max-chars": options.get("max_chars")})
    _check_numbers(options)
    if (planner := options.get("planner")) is not None:
        PLANNERS.check(planner, "planner")
    for name, setting in _AGENT.items():
        if options.get(name) is not None:
            setting.kind.check(options[name], name.replace("_", "-"))
    if (rerank := options.get("rerank")) is not None:
        RERANK.parse(rerank, "rerank")
    return str(text)


def _check_text(text: Any) -> None:
    if not isinstance(text, str):
        raise InvalidInput(f"query must be a string, not {text!r:.80}" if text is not None else "no query given")
    if len(text) > MAX_QUERY:
        raise InvalidInput(f"a query may have {MAX_QUERY:,} characters, not {len(text):,}", "ask in fewer words")
    if not text.strip():
        raise InvalidInput("nothing to recall: the query is blank", "ask in your own words, or list with 'memoir ls'")


def _check_numbers(options: Options) -> None:
    for name in ("llm_calls", "llm_tokens"):
        if options.get(name) is not None:
            whole(0).check(options[name], name.replace("_", "-"))
    tau, threshold = options.get("tau"), options.get("threshold", 0.0)
    since, until = options.get("since"), options.get("until")
    if tau is not None:
        TAU.kind.check(tau, "tau")
    if (context := options.get("context")) is not None:
        CONTEXT.check(context, "context")
    SHARE.check(threshold, "threshold")
    if since is not None and until is not None and since > until:
        raise InvalidInput("--since must not be later than --until")


def resolve(text: str, options: Options, config: Config) -> Query:
    """Make a query of its text, checked options and the settings: the one place where these meet.

    Raises:
        InvalidInput: a bad setting, a rerank in a mode of models, or a model for a recall that needs none.
    """
    check_together(config)
    limit, tau = options.get("limit"), options.get("tau")
    mode = options.get("mode")
    layered = options.get("layers", False) or (mode or RECALL_MODE.read(config)) in _LAYERED
    query = Query(
        text=text,
        now=options["now"] if "now" in options else now().timestamp(),
        weights=weights(options.get("weights", {}), config),
        where=_filter(options),
        mode=mode or RECALL_MODE.read(config),
        at=options.get("at"),
        limit=limit or RECALL_LIMIT.read(config),
        limit_is_given=limit is not None,
        threshold=options.get("threshold", 0.0),
        max_chars=options.get("max_chars") or MAX_CHARS.read_if_set(config),
        insights=RECALL_INSIGHTS.read(config) if layered else 0,
        captions=RECALL_CAPTIONS.read(config) if layered else 0,
        context=options.get("context") or 0,
        fusion=FUSION.read(config),
        rrf_k=RRF_K.read(config),
        pool=CANDIDATE_POOL.read(config),
        tau=decay_days(config) if tau is None else tau,
        boosts=options.get("boosts", ()),
        boost_fn=options.get("boost_fn"),
        rerank=options.get("rerank") or RERANK.read(config),
        model=options.get("model"),
        planner=options.get("planner") or "auto",
        agent=_agent(options, config),
        llm_calls=options.get("llm_calls"),
        llm_tokens=options.get("llm_tokens"),
        prompts=_instructions(options.get("prompts", {}), config),
        deep=_deep(config),
        cache=options.get("cache", True),
    )
    _check_fit(query, options)
    insists = mode is not None if query.mode != "simple" else options.get("rerank") is not None
    return query._replace(insists=insists)


def _filter(options: Options) -> Filter:
    namespaces = tuple(sorted(set(options.get("namespaces", ()))))
    person, since, until = options.get("person"), options.get("since"), options.get("until")
    metadata = tuple(options.get("metadata", ()))
    return Filter(namespaces, tuple(options.get("globs", ())), person, since, until, metadata=metadata)


def _agent(options: Options, config: Config) -> AgentPlan:
    """How mode `agent` searches: what the caller says, else the settings."""
    strategy, attempts, confidence = options.get("strategy"), options.get("max_attempts"), options.get("min_confidence")
    return AgentPlan(
        AGENT_STRATEGY.read(config) if strategy is None else strategy,
        AGENT_ATTEMPTS.read(config) if attempts is None else attempts,
        AGENT_CONFIDENCE.read(config) if confidence is None else confidence,
        AGENT_QUERIES.read(config),
        AGENT_FALLBACK.read(config),
    )


def _deep(config: Config) -> DeepPlan:
    """What mode `deep` asks a model, as the settings say."""
    return DeepPlan(
        DEEP_SUFFICIENCY.read(config),
        DEEP_EXPANSION.read(config),
        DEEP_RERANK.read(config),
        DEEP_STRONG_SCORE.read(config),
        DEEP_STRONG_GAP.read(config),
    )


def _instructions(given: Mapping[str, str], config: Config) -> tuple[tuple[str, str], ...]:
    """The instructions that replace those of steps: the caller's, else the user's files."""
    if not isinstance(given, Mapping):
        raise InvalidInput(f"prompts must be an object of steps and texts, not {given!r:.80}")
    if unknown := sorted(given.keys() - PROMPT_FILES):
        raise InvalidInput(f"there is no step {unknown[0]!r} of a model", f"the steps are {', '.join(PROMPT_FILES)}")
    for step, text in given.items():
        TEXT.check(text, f"the prompt of {step}")
    return tuple(sorted({**read_instructions(config), **given}.items()))


def _check_fit(query: Query, options: Options) -> None:
    if query.mode != "agent" and (given := [name for name in _AGENT if options.get(name) is not None]):
        raise InvalidInput(f"{given[0].replace('_', '-')} is for agent recall, not {query.mode}", "add --mode agent")
    if options.get("rerank") not in (None, "none") and query.mode in ("single", "tiered"):
        raise InvalidInput(f"rerank is not for {query.mode} recall", "use mode simple, deep or agent, or leave it out")
    if query.model is not None and not query.asks_model and not query.may_ask_model:
        raise InvalidInput("simple recall uses no model", "add --mode single or --mode tiered, or leave out the model")


def parse_boost(text: str) -> Boost:
    """Read `GLOB=FACTOR`.

    Raises:
        InvalidInput: it is not that, or the factor is not a number from 0 up.
    """
    glob, equals, factor = text.rpartition("=")
    try:
        value = float(factor) if equals and glob else -1.0
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise InvalidInput(f"not a boost: {text!r}", "write it as 'preferences.*=1.5'")
    return Boost(glob, value)


def parse_field(text: str) -> tuple[str, str]:
    """Read `KEY=VALUE`, a field that a memory's metadata must have.

    Raises:
        InvalidInput: it is not that.
    """
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InvalidInput(f"not a field: {text!r}", "write it as 'source=review'")
    return name, value


def _string(name: str, given: Mapping[str, Any]) -> str | None:
    value: str | None = given.get(name)
    if value is not None:
        TEXT.check(value, name)
    return value


def _strings(name: str, given: Mapping[str, Any]) -> list[str]:
    value = given.get(name, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise InvalidInput(f"{name} must be a string or a list of strings, not {value!r}")
    return values


def _date(name: str, given: Mapping[str, Any], base: datetime | None = None, *, end: bool = False) -> datetime | None:
    text = _string(name, given)
    if text is None:
        return None
    return (end_of(text, base) if end else parse_date(text, base)).astimezone(UTC)


def _seconds(date: datetime | None) -> float | None:
    return date.timestamp() if date else None
