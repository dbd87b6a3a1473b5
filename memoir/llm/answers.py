"""Finding JSON in a model's answer, which may have other words or a code fence around it."""

import json
import re
from typing import Any

_BEGINS_LINE = r"^[ \t]*(?=[\[{])"
_OBJECT = r"(?=\{)"


def find_json(answer: str) -> Any:
    """The first JSON array or object that begins a line, or None."""
    return _decode(answer, _BEGINS_LINE)


def find_object(answer: str) -> dict[str, Any]:
    """The first JSON object, wherever it begins; an empty one if there is none."""
    found = _decode(answer, _OBJECT)
    return found if isinstance(found, dict) else {}


def _decode(answer: str, opening: str) -> Any:
    start = re.search(opening, answer, re.MULTILINE)
    try:
        return json.JSONDecoder().raw_decode(answer, start.end())[0] if start else None
    except (ValueError, RecursionError):
        return None
