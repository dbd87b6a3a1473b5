"""A query of its text, the caller's options and the settings: the one place where these meet."""

from collections.abc import Mapping

from memoir.english.requests import asks_for_an_overview
from memoir.errors import InvalidInput
from memoir.index.filters import Filter
from memoir.llm.prompts import read_instructions
from memoir.recall.options import AGENT, Options
from memoir.recall.query import AgentPlan, DeepPlan, Query
from memoir.recall.weights import weights
from memoir.setting import TEXT, Config
from memoir.setting_rules import check_together, decay_days
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
)  # fmt: skip
from memoir.times import now

GATHER_LIMIT = 40
"""How many memories a list has unless the caller names the limit."""
_GATHER_POOL = 3
"""How many candidates a list has for each of its memories: many are further passages of a turn."""
_LAYERED_MODES = ("deep", "agent")
"""The modes whose answers always have insights and captions."""


def resolve(text: str, options: Options, config: Config) -> Query:
    """Make a query of its text, checked options and the settings."""
    check_together(config)
    query = Query(
        text,
        options["now"] if "now" in options else now().timestamp(),
        weights(options.get("weights", {}), config),
        _filter(options),
        options.get("mode") or RECALL_MODE.read(config),
        options.get("at"),
    )
    query = _with_model(_with_ranking(_with_extent(query, options, config), options, config), options, config)
    _check_fit(query, options)
    return query


def _with_extent(query: Query, options: Options, config: Config) -> Query:
    """The query with how much it wants to see."""
    limit, gather = options.get("limit"), options.get("gather", False)
    has_layers = options.get("layers", False) or query.mode in _LAYERED_MODES
    return query._replace(
        limit=limit or (GATHER_LIMIT if gather else RECALL_LIMIT.read(config)),
        limit_is_given=limit is not None,
        threshold=options.get("threshold") or 0.0,
        max_chars=options.get("max_chars") or MAX_CHARS.read_if_set(config),
        insights=RECALL_INSIGHTS.read(config) if has_layers else 0,
        captions=RECALL_CAPTIONS.read(config) if has_layers else 0,
        context=options.get("context") or 0,
        joined=options.get("joined", True),
        breadth=query.where.sources != "no" and (gather or asks_for_an_overview(query.text)),
        gather=gather,
    )


def _with_ranking(query: Query, options: Options, config: Config) -> Query:
    """The query with how memories are put in order."""
    tau = options.get("tau")
    return query._replace(
        fusion=FUSION.read(config),
        rrf_k=RRF_K.read(config),
        pool=max(CANDIDATE_POOL.read(config), query.limit * (_GATHER_POOL if query.gather else 1)),
        tau=decay_days(config) if tau is None else tau,
        boosts=options.get("boosts", ()),
        boost_fn=options.get("boost_fn"),
        rerank=options.get("rerank") or RERANK.read(config),
    )


def _with_model(query: Query, options: Options, config: Config) -> Query:
    """The query with what a model may do for it."""
    choice = options.get("mode") if query.mode != "simple" else options.get("rerank")
    return query._replace(
        model=options.get("model"),
        insists=choice is not None,
        planner=options.get("planner") or "auto",
        agent=_agent(options, config) if query.mode == "agent" else AgentPlan(),
        deep=_deep(config) if query.mode == "deep" else DeepPlan(),
        llm_calls=options.get("llm_calls"),
        llm_tokens=options.get("llm_tokens"),
        prompts=_instructions(options.get("prompts", {}), config),
        cache=options.get("cache", True),
    )


def _filter(options: Options) -> Filter:
    namespaces = tuple(sorted(set(options.get("namespaces", ()))))
    person, since, until = options.get("person"), options.get("since"), options.get("until")
    metadata = tuple(options.get("metadata", ()))
    sources = options.get("sources") or "yes"
    return Filter(namespaces, tuple(options.get("globs", ())), person, since, until, metadata=metadata, sources=sources)


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
    """The questions of mode `deep` to a model, as the settings say."""
    return DeepPlan(
        DEEP_SUFFICIENCY.read(config),
        DEEP_EXPANSION.read(config),
        DEEP_RERANK.read(config),
        DEEP_STRONG_SCORE.read(config),
        DEEP_STRONG_GAP.read(config),
    )


def _instructions(texts: Mapping[str, str], config: Config) -> tuple[tuple[str, str], ...]:
    """The instructions that replace those of steps: the caller's, else the user's files."""
    if not isinstance(texts, Mapping):
        raise InvalidInput(f"prompts must be an object of steps and texts, not {texts!r:.80}")
    if unknown := sorted(texts.keys() - PROMPT_FILES):
        raise InvalidInput(f"there is no step {unknown[0]!r} of a model", f"the steps are {', '.join(PROMPT_FILES)}")
    for step, text in texts.items():
        TEXT.check(text, f"the prompt of {step}")
    return tuple(sorted({**read_instructions(config), **texts}.items()))


def _check_fit(query: Query, options: Options) -> None:
    if query.mode != "agent" and (names := [name for name in AGENT if options.get(name) is not None]):
        raise InvalidInput(f"{names[0].replace('_', '-')} is for the mode agent, not {query.mode}", "add --mode agent")
    if options.get("rerank") not in (None, "none") and query.mode in ("single", "tiered"):
        raise InvalidInput(f"the mode {query.mode} takes no rerank", "use mode simple, deep or agent, or leave it out")
    if query.gather and query.mode in ("single", "tiered"):
        raise InvalidInput(f"the mode {query.mode} gathers no list", "use mode simple, deep or agent, or leave it out")
    if query.model is not None and not query.asks_model and not query.may_ask_model:
        raise InvalidInput("the mode simple uses no model", "add --mode single or tiered, or leave out the model")
