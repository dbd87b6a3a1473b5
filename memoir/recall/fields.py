"""The fields of a query as callers write them, read into `Options`."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, TypedDict

from memoir.errors import InvalidInput
from memoir.recall.options import Options, check
from memoir.recall.query import Boost
from memoir.recall.weights import parse_weight
from memoir.setting import TEXT
from memoir.settings import TAU
from memoir.times import end_of, now, parse_date


class QueryFields(TypedDict, total=False):
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
    gather: bool
    layers: bool
    sources: str | None
    joined: bool
    cache: bool


FIELDS = ("query", *QueryFields.__annotations__)
"""The fields of a question as people write it, named as the options of `memoir recall`."""


_TEXTS: tuple[Literal["mode", "at", "model", "person", "rerank", "planner", "strategy", "sources"], ...] = (
    "mode", "at", "model", "person", "rerank", "planner", "strategy", "sources",
)  # fmt: skip
_NUMBERS: tuple[Literal["limit", "max_chars", "context", "max_attempts", "llm_calls", "llm_tokens"], ...] = (
    "limit", "max_chars", "context", "max_attempts", "llm_calls", "llm_tokens",
)  # fmt: skip
_SHARES: tuple[Literal["threshold", "min_confidence"], ...] = ("threshold", "min_confidence")


def parse_fields(fields: Mapping[str, Any]) -> tuple[str, Options]:
    """Read the fields of a question; None stands for one that is not given.

    `namespace`, `keys`, `where`, `weight` and `boost` are strings or lists of strings; dates are as people type them.

    Raises:
        InvalidInput: an unknown field, or a value of the wrong type or range.
    """
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise InvalidInput(f"unknown field {unknown[0]!r}", f"the fields are {', '.join(FIELDS)}")
    values = {name: value for name, value in fields.items() if value is not None}
    options: Options = {**_values(values), **_lists(values), **_times(values)}
    return check(values.get("query"), options), options


def _values(fields: Mapping[str, Any]) -> Options:
    """The fields of one value, which are checked with the other options."""
    options: Options = {"prompts": fields.get("prompts", {})}
    for text in _TEXTS:
        options[text] = _string(text, fields)
    for number in _NUMBERS:
        options[number] = fields.get(number)
    for share in _SHARES:
        if share in fields:
            options[share] = fields[share]
    if "tau" in fields:
        options["tau"] = TAU.parse(str(fields["tau"]), "tau")
    options["joined"] = fields.get("joined", True) is not False
    options["gather"] = fields.get("gather", False) is not False
    options["layers"] = fields.get("layers", False) is not False
    options["cache"] = fields.get("cache", True) is not False
    return options


def _lists(fields: Mapping[str, Any]) -> Options:
    return {
        "namespaces": _strings("namespace", fields),
        "globs": tuple(_strings("keys", fields)),
        "metadata": tuple(parse_field(text) for text in _strings("where", fields)),
        "weights": dict(parse_weight(text) for text in _strings("weight", fields)),
        "boosts": tuple(parse_boost(text) for text in _strings("boost", fields)),
    }


def _times(fields: Mapping[str, Any]) -> Options:
    base = _date("now", fields) or now()
    return {
        "now": base.timestamp(),
        "since": _seconds(_date("since", fields, base)),
        "until": _seconds(_date("until", fields, base, end=True)),
    }


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


def _string(name: str, fields: Mapping[str, Any]) -> str | None:
    value: str | None = fields.get(name)
    if value is not None:
        TEXT.check(value, name)
    return value


def _strings(name: str, fields: Mapping[str, Any]) -> list[str]:
    value = fields.get(name, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise InvalidInput(f"{name} must be a string or a list of strings, not {value!r}")
    return values


def _date(name: str, fields: Mapping[str, Any], base: datetime | None = None, *, end: bool = False) -> datetime | None:
    text = _string(name, fields)
    if text is None:
        return None
    return (end_of(text, base) if end else parse_date(text, base)).astimezone(UTC)


def _seconds(date: datetime | None) -> float | None:
    return date.timestamp() if date else None
