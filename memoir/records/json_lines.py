"""The JSON line of one facet, as imports read it and exports write it."""

import re
from typing import Any

import orjson

from memoir.errors import InvalidInput
from memoir.records.record import Memory
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE, Address, address

FIELDS = ("namespace", "path", "content", "timestamp", "confidence", "status", "metadata")
_KNOWN_FIELDS = frozenset(FIELDS)


def format_line(place: Address, facet: Memory) -> bytes:
    """Write a facet and where it lies."""
    fields = facet.as_dict() | {"namespace": place.namespace, "path": place.path}
    return orjson.dumps({field: fields[field] for field in FIELDS}) + b"\n"


def parse_line(line: bytes, namespace: str, default_time: str) -> tuple[Address, Memory]:
    """Read a line that `format_line` could have written; only `path` and `content` are required."""
    fields = _fields(line)
    place = _place(fields.pop("path", None), fields.pop("namespace", None) or namespace)
    values = {name: value for name, value in fields.items() if value is not None}
    return place, Memory.of(**{"content": None, "timestamp": default_time, **values})


def _fields(line: bytes) -> dict[str, Any]:
    try:
        fields = orjson.loads(line)
    except ValueError as error:
        raise InvalidInput(f"not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise InvalidInput("not a JSON object")
    if fields.get("metadata") and re.search(rb"[0-9]{19}", line) and _has_large_integer(line):
        raise InvalidInput("an integer needs more than 64 bits; write it as a string")
    if not fields.keys() <= _KNOWN_FIELDS:
        unknown = min(fields.keys() - _KNOWN_FIELDS)
        raise InvalidInput(f"unknown field {unknown!r}; put your own fields into 'metadata'")
    if "path" not in fields:
        raise InvalidInput("'path' is missing")
    return fields


def _place(path: object, namespace: object) -> Address:
    if not isinstance(namespace, str):
        raise InvalidInput("'namespace' must be a string")
    if not isinstance(path, str):
        raise InvalidInput("'path' must be a string")
    if ":" in path:
        raise InvalidInput(f"not a path: {path!r}: a segment cannot hold ':'")
    place = address(path, namespace)
    if place.namespace == TAXONOMY_NAMESPACE and place.path.count(".") > 1:
        raise InvalidInput(f"{TAXONOMY_NAMESPACE} is for categories, and a category has two levels at most")
    return place


def _has_large_integer(line: bytes) -> bool:
    """Whether JSON has an integer of more than 64 bits, which orjson would change to the nearest float."""
    import json

    integers: list[int] = []
    json.loads(line, parse_int=lambda digits: integers.append(int(digits)))
    return any(not -(2**63) <= number < 2**64 for number in integers)
