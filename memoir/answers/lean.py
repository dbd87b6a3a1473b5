"""Lean JSON for agents, who pay for every token.

Null, empty and default values are omitted. One key replaces the five fields that name a memory. Commit ids and times
are shortened. The numbers of the ranking are left to `explain`. docs/contract.md has the rules.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memoir.answers.answer import LEFT_OUT
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

_USUAL: Mapping[str, Any] = {
    "namespace": DEFAULT_NAMESPACE, "confidence": 1.0, "status": "active", "superseded": 0, "cached": False,
    "omitted": 0, "stale": False, "found": True, "again": False, "cut": False, "below": 0, "ignored": False,
    "weak": False, "dormant": False, "vague": 0,
}  # fmt: skip
"""The default values of fields, which are omitted."""
_MODE = ("mode", "simple")
"""The default mode of recall, omitted."""
_SKIPPED = frozenset(
    ("schema_version", "command", "ranking", "relevance_score", "usage", "query", "embedder", "last_updated")
)
"""Fields that the caller knows already, or that only `explain` and the index need."""
_NAMES = ("address", "full_key", "key", "path")
"""The fields that name a memory, the most exact first."""
_OF_MEMORIES = frozenset(("put", "forget", "disputes", "keys", "sources", "evidence"))
"""The fields that list whole keys."""
_COMMIT = r"[0-9a-f]{64}|[0-9a-f]{40}"
_DIGITS, _DAY = 12, len("2026-01-31")
_FRACTION = r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z"


def lean(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The lean form of an answer; streamed lists stay streamed."""
    return dict(_fields(fields))


def _fields(fields: Mapping[str, Any], around: str | None = None) -> Iterator[tuple[str, Any]]:
    """The fields that are kept; `around` is the key of the memory that these fields belong to, if any."""
    if is_whole := "success" in fields:
        yield "success", fields["success"]
    if (name := _name(fields)) and name != around:
        yield "key", name
    skipped = _SKIPPED | ({"success"} if is_whole else set()) | ({*_NAMES, "namespace", "id"} if name else set())
    for key, value in fields.items():
        if (
            key in skipped
            or (key == "key" and value == around)
            or (key in _USUAL and value == _USUAL[key])
            or (is_whole and (key, value) == _MODE)
        ):
            continue
        small = _own_metadata(value) if is_whole and key == "metadata" else _small(key, value, name or around)
        if key == "metadata" and not is_whole:
            small = _without_speaker(small, fields.get("content"))
        if not _is_empty(small):
            yield key, small


def _without_speaker(metadata: dict[str, Any], content: Any) -> dict[str, Any]:
    """The metadata of a memory, without `person` if the content begins with that name."""
    is_said_twice = isinstance(content, str) and content.startswith(f"{metadata.get('person')}: ")
    return {name: value for name, value in metadata.items() if not (is_said_twice and name == "person")}


def _own_metadata(value: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of an answer as a whole, with `usage` only if a model was used."""
    used = {part: number for part, number in value.get("usage", {}).items() if number}
    return {**lean({part: each for part, each in value.items() if part != "mode"}), **({"usage": used} if used else {})}


def _name(fields: Mapping[str, Any]) -> str | None:
    """The shortest key of the memory that the fields describe; None if they describe none."""
    if not {"namespace", "full_key", "address"} & fields.keys():
        return None
    text = next((fields[name] for name in _NAMES if isinstance(fields.get(name), str)), None)
    if text and ":" not in text and fields.get("namespace", DEFAULT_NAMESPACE) != DEFAULT_NAMESPACE:
        return f"{fields['namespace']}:{text}"
    return text and text.removeprefix(f"{DEFAULT_NAMESPACE}:")


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


def _small(key: str, value: Any, around: str | None = None) -> Any:
    if isinstance(value, Mapping):
        if key == "metadata":
            return {name: _small(name, item) for name, item in value.items() if name != "mode" and not _is_empty(item)}
        return dict(_fields(value, around))
    if isinstance(value, Iterator):
        return (_small(key, item, around) for item in value)
    if isinstance(value, list | tuple):
        return [_small(key, item, around) for item in value]
    if callable(value):
        return lambda: LEFT_OUT if _is_empty(small := _small(key, value())) else small
    if isinstance(value, float):
        return round(value, 2)
    return _short(key, value) if isinstance(value, str) and key != "content" else value


def _short(key: str, value: str) -> str:
    """Shorten a time, a key or a commit id; return any other text unchanged."""
    if key == "timestamp":
        return value[:_DAY]
    if key in _OF_MEMORIES:
        return value.removeprefix(f"{DEFAULT_NAMESPACE}:")
    return value[:_DIGITS] if re.fullmatch(_COMMIT, value) else re.sub(f"^{_FRACTION}$", r"\1Z", value)
