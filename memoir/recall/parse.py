"""Read a question, its fields and the settings into a `Query`; they are combined only here."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC
from typing import Any

from memoir.english.requests import asks_for_an_overview
from memoir.errors import InvalidInput
from memoir.index.filters import Filter
from memoir.recall import channels
from memoir.recall.associations import HOP
from memoir.recall.query import Boost, Query, QueryFields
from memoir.records.origins import check_origin
from memoir.setting import POSITIVE, SHARE, TEXT, Config, Kind, number, whole, words
from memoir.setting_rules import check_together, decay_days
from memoir.settings import (
    AGENT_ATTEMPTS,
    AGENT_CONFIDENCE,
    AGENT_STRATEGY,
    CANDIDATE_POOL,
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
)  # fmt: skip
from memoir.taxonomy.paths import check_namespace
from memoir.times import now, parse_date, seconds_of

FIELDS = ("query", *QueryFields.__annotations__)
"""The fields of a JSON line with a question."""
MAX_QUERY = 100_000
"""The most characters of a question."""
GATHER_LIMIT = 40
"""The default limit of a list."""
_GATHER_POOL = 3
"""The candidates per memory of a list: many are further passages of a turn."""
_LAYERED_MODES = ("deep", "agent")
"""The modes whose answers always include insights and captions."""
_WEIGHT = number(0)
_FLAG = Kind("true or false", bool, accepts=lambda value: isinstance(value, bool))


def parse_boost(text: str) -> Boost:
    """Read `GLOB=FACTOR`.

    Raises:
        InvalidInput: the form is wrong, or the factor is not a number from 0 up.
    """
    glob, equals, factor = text.rpartition("=")
    try:
        return Boost(glob, _WEIGHT.parse(factor if equals and glob else ""))
    except ValueError as error:
        raise InvalidInput(f"not a boost: {text!r}", "write it as 'preferences.*=1.5'") from error


def parse_condition(text: str) -> tuple[str, str]:
    """Read `KEY=VALUE`, a field that a memory's metadata must have.

    Raises:
        InvalidInput: the form is wrong.
    """
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InvalidInput(f"not a field: {text!r}", "write it as 'source=review'")
    return name, value


def parse_weight(text: str) -> tuple[str, float]:
    """Read `NAME=X` (NAME may also be the title of a leg), and return the part's name and weight.

    Raises:
        InvalidInput: the form is wrong, there is no such leg or channel, or X is not a number from 0 up.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"not a weight: {text!r}", "write it as 'vectors=0.5'")
    names = titles()
    if name not in names and name not in names.values():
        raise InvalidInput(f"no part of a ranking is named {name!r}", f"the names are {', '.join(names)}")
    try:
        return names.get(name, name), _WEIGHT.parse(value)
    except ValueError as error:
        raise InvalidInput(f"the weight of {name} must be {_WEIGHT.form}, not {value!r}") from error


def titles() -> dict[str, str]:
    """The names of the legs, the channels and the hop, by the titles shown to people."""
    legs = {leg.title: leg.name for leg in channels.LEGS}
    return legs | {each.name: each.name for each in (*channels.CHANNELS, HOP)}


_OF_TYPES: dict[object, Kind[Any]] = {bool: _FLAG, str | None: TEXT}
"""The kinds of fields that are checked by type alone."""
_KINDS: dict[str, Kind[Any]] = {
    **{name: _OF_TYPES[each] for name, each in QueryFields.__annotations__.items() if each in _OF_TYPES},
    "mode": RECALL_MODE.kind, "rerank": RERANK.kind, "strategy": AGENT_STRATEGY.kind,
    "planner": words("auto", "rules"), "sources": words("yes", "only", "no"),
    "limit": POSITIVE, "max_chars": POSITIVE, "context": whole(0), "max_attempts": AGENT_ATTEMPTS.kind,
    "llm_calls": whole(0), "llm_tokens": whole(0), "threshold": SHARE, "min_confidence": AGENT_CONFIDENCE.kind,
}  # fmt: skip
"""The fields with one value."""
_LISTS: dict[str, Callable[[str], object]] = {
    "namespace": check_namespace, "keys": str, "where": parse_condition, "weight": parse_weight, "boost": parse_boost,
    "origin": check_origin,
}  # fmt: skip
"""The fields with one string or several, and the parser of each."""
_AGENT = ("strategy", "max_attempts", "min_confidence")
"""The fields of mode `agent`."""


def read_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Parse and check each given field by itself; None counts as not given.

    Raises:
        InvalidInput: an unknown field, or a value of the wrong type or range.
    """
    if unknown := sorted(fields.keys() - QueryFields.__annotations__.keys()):
        raise InvalidInput(f"unknown field {unknown[0]!r}", f"the fields are {', '.join(FIELDS)}")
    given = {name: value for name, value in fields.items() if value is not None}
    for name, value in given.items():
        if name in _LISTS:
            given[name] = tuple(_LISTS[name](text) for text in _strings(name, value))
        elif name in _KINDS:
            _KINDS[name].check(value, name.replace("_", "-"))
    if "tau" in given:
        given["tau"] = TAU.parse(str(given["tau"]), "tau")
    _check_prompts(given.get("prompts", {}))
    return given | _read_times(given)


def _strings(name: str, value: object) -> list[str]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise InvalidInput(f"{name} must be a string or a list of strings, not {value!r}")
    return values


def _read_times(given: Mapping[str, str]) -> dict[str, float]:
    """The times of a question in seconds since 1970; relative ones count from its own `now`."""
    base = parse_date(given["now"]).astimezone(UTC) if "now" in given else now()
    ends = zip(("since", "until"), seconds_of(given.get("since"), given.get("until"), base), strict=True)
    return {"now": base.timestamp(), **{name: time for name, time in ends if time is not None}}


def _check_prompts(texts: object) -> None:
    if not isinstance(texts, Mapping):
        raise InvalidInput(f"prompts must be an object of steps and texts, not {texts!r:.80}")
    if unknown := sorted(texts.keys() - PROMPT_FILES):
        raise InvalidInput(f"there is no step {unknown[0]!r} of a model", f"the steps are {', '.join(PROMPT_FILES)}")
    for step, text in texts.items():
        TEXT.check(text, f"the prompt of {step}")


def check_text(text: object) -> str:
    """Check the text of a question, and return it.

    Raises:
        InvalidInput: it is not a string, blank, or too long.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"query must be a string, not {text!r:.80}" if text is not None else "no query given")
    if len(text) > MAX_QUERY:
        raise InvalidInput(f"a query may have {MAX_QUERY:,} characters, not {len(text):,}", "ask in fewer words")
    if not text.strip():
        raise InvalidInput("nothing to recall: the query is blank", "ask in your own words, or list with 'memoir ls'")
    return text


def parse(text: object, fields: Mapping[str, Any], config: Config) -> Query:
    """Make a query of its text and its fields; settings are the defaults.

    A field named like one of `Query` is copied, unless the query needs another form of it.
    """
    given = read_fields(fields)
    check_together(config)
    values = {
        **_settings(given, config),
        **{name: value for name, value in given.items() if name in Query._fields},
        "strict": given.get("strict", False) or given.get("gather", False),  # a list filters its hits itself
        "where": _read_filter(given),
        "weights": _weights(given.get("weight", ()), config),
        "boosts": given.get("boost", ()),
        "prompts": tuple(given.get("prompts", {}).items()),
    }
    insists = ("rerank" if values["mode"] == "simple" else "mode") in given
    query = Query(check_text(text), limit_is_given="limit" in given, insists=insists, **values)
    query = _with_plans(_with_extent(query, given, config), given, config)
    _check_fit(query, given)
    return _with_prompts(query, config) if query.asks_model or query.may_ask_model else query


def _with_prompts(query: Query, config: Config) -> Query:
    """Add the user's own instructions for model steps; those of the caller win."""
    from memoir.llm.model import read_instructions

    return query._replace(prompts=tuple(sorted({**read_instructions(config), **dict(query.prompts)}.items())))


def _weights(given: Iterable[tuple[str, float]], config: Config) -> dict[str, float]:
    """The weight of each part of a ranking, by name: the given one, else the setting."""
    own = dict(given)
    weights = channels.weights(config) | own
    if own and not any(weights[leg.name] for leg in channels.LEGS):
        legs = " and ".join(leg.title for leg in channels.LEGS)
        raise InvalidInput(f"the weights of {legs} are all 0, so nothing can be found")
    return weights


def _read_filter(given: Mapping[str, Any]) -> Filter:
    namespaces = tuple(sorted(set(given.get("namespace", ()))))
    person, since, until = given.get("person"), given.get("since"), given.get("until")
    metadata, sources = given.get("where", ()), given.get("sources", "yes")
    return Filter(
        namespaces, given.get("keys", ()), person, since, until, metadata=metadata, sources=sources,
        origins=given.get("origin", ()),
    )  # fmt: skip


def _settings(given: Mapping[str, Any], config: Config) -> dict[str, Any]:
    """The settings for the fields that are not given."""
    settings: dict[str, Callable[[Config], object]] = {
        "mode": RECALL_MODE.read,
        "limit": (lambda _: GATHER_LIMIT) if given.get("gather") else RECALL_LIMIT.read,
        "max_chars": MAX_CHARS.read_if_set,
        "fusion": FUSION.read,
        "rrf_k": RRF_K.read,
        "tau": decay_days,
        "rerank": RERANK.read,
    }
    return {name: read(config) for name, read in settings.items() if name not in given}


def _with_extent(query: Query, given: Mapping[str, Any], config: Config) -> Query:
    """Set how many candidates the query needs, and how many insights and captions."""
    has_layers = given.get("layers", False) or query.mode in _LAYERED_MODES
    return query._replace(
        pool=max(CANDIDATE_POOL.read(config), query.limit * (_GATHER_POOL if query.gather else 1)),
        breadth=query.where.sources != "no" and (query.gather or asks_for_an_overview(query.text)),
        insights=RECALL_INSIGHTS.read(config) if has_layers else 0,
        captions=RECALL_CAPTIONS.read(config) if has_layers else 0,
    )


def _with_plans(query: Query, given: Mapping[str, Any], config: Config) -> Query:
    """Set the plans of the modes `agent` and `deep`."""
    if query.mode not in ("agent", "deep"):
        return query
    from memoir.recall.plans import agent_plan, deep_plan  # other modes do without them

    return query._replace(
        agent=agent_plan(given, config) if query.mode == "agent" else None,
        deep=deep_plan(config) if query.mode == "deep" else None,
    )


def _check_fit(query: Query, given: Collection[str]) -> None:
    if query.mode != "agent" and (names := [name for name in _AGENT if name in given]):
        raise InvalidInput(f"{names[0].replace('_', '-')} is for the mode agent, not {query.mode}", "add --mode agent")
    if "rerank" in given and query.rerank != "none" and query.mode in ("single", "tiered"):
        raise InvalidInput(f"the mode {query.mode} takes no rerank", "use mode simple, deep or agent, or leave it out")
    if query.gather and query.mode in ("single", "tiered"):
        raise InvalidInput(f"the mode {query.mode} gathers no list", "use mode simple, deep or agent, or leave it out")
    if query.model is not None and not query.asks_model and not query.may_ask_model:
        raise InvalidInput("the mode simple uses no model", "add --mode single or tiered, or leave out the model")
