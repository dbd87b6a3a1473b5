"""A request from loosely typed fields: the options of a command line, or one line of a batch."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.recall.request import Request, boost, checked
from memoir.settings import RECALL_MODE, TAU
from memoir.times import end_of, now, parse_date


class Asked(NamedTuple):
    """A request, and what it is put to. The mode and the model are the settings' where None."""

    request: Request
    mode: str | None
    at: str | None
    model: str | None


FIELDS = (
    "query", "mode", "limit", "namespace", "at", "keys", "person", "since", "until", "now", "tau", "threshold",
    "model", "max_chars", "rerank", "boost", "cache",
)  # fmt: skip


def asked(fields: Mapping[str, Any]) -> Asked:
    """Read the fields of a question, named as the options of `memoir recall`; None stands for one not given.

    `namespace`, `keys` and `boost` are texts or lists of texts; dates are as people type them.

    Raises:
        InvalidInput: an unknown field, or a value of the wrong type or range.
    """
    if unknown := sorted(set(fields) - set(FIELDS)):
        raise InvalidInput(f"unknown field {unknown[0]!r}", f"known are {', '.join(FIELDS)}")
    given = {name: value for name, value in fields.items() if value is not None}
    base = _date("now", given) or now()
    if (mode := _text("mode", given)) is not None:
        RECALL_MODE.parse(mode, "mode")
    options: dict[str, Any] = {
        "globs": tuple(_texts("keys", given)),
        "person": _text("person", given),
        "since": _seconds(_date("since", given, base)),
        "until": _seconds(_date("until", given, base, whole=True)),
        "boosts": tuple(boost(text) for text in _texts("boost", given)),
        "rerank": _text("rerank", given),
        "cache": given.get("cache", True) is not False,
        "limit": _whole("limit", given),
        "max_chars": _whole("max_chars", given),
    }
    if "threshold" in given:
        options["threshold"] = _number("threshold", given)
    if "tau" in given:
        options["tau"] = TAU.parse(str(given["tau"]), "tau")
    request = checked(given.get("query"), now=base, namespaces=_texts("namespace", given), **options)
    return Asked(request, mode, _text("at", given), _text("model", given))


def _text(name: str, given: Mapping[str, Any]) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text, not {value!r}")
    return value


def _texts(name: str, given: Mapping[str, Any]) -> list[str]:
    value = given.get(name, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise InvalidInput(f"{name} must be a text or a list of texts, not {value!r}")
    return values


def _number(name: str, given: Mapping[str, Any]) -> float:
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInput(f"{name} must be a number, not {value!r}")
    return value


def _whole(name: str, given: Mapping[str, Any]) -> int | None:
    value = given.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise InvalidInput(f"{name} must be a whole number, not {value!r}")
    return value


def _date(name: str, given: Mapping[str, Any], base: datetime | None = None, *, whole: bool = False) -> datetime | None:
    text = _text(name, given)
    if text is None:
        return None
    return (end_of(text, base) if whole else parse_date(text, base)).astimezone(UTC)


def _seconds(date: datetime | None) -> float | None:
    return date.timestamp() if date else None
