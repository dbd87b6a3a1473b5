"""Read a model's answer, which may have other words, thoughts or a code fence around the requested part."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

_BEGINS_LINE = r"^[ \t]*(?=[\[{])"
_TAG = re.compile(r"<(/?)(think|thinking|thought|reasoning|reflection|scratchpad)\b[^<>]*>", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:```|~~~)\s*[\w-]*\s*")
_DRESS = re.compile(r"\s*(?:[-*•>#]+\s+|\(?\d{1,3}[.):]\)?\s+|\*\*)*")
_QUOTES = "\"'`“”‘’* \t"
_TRIES = 100
_NUMBER = re.compile(r"(?:^|[\[,])\s*[-*•]?\s*\[?(\d{1,6})\b", re.MULTILINE)


def without_thoughts(answer: str) -> str:
    """Remove a model's thoughts before its answer, even if only their end is marked."""
    tags = [(tag, tag[1] == "/", tag[2].casefold()) for tag in _TAG.finditer(answer)]
    last_end = {name: tag.start() for tag, closes, name in tags if closes}
    parts, at, inside = list[str](), 0, ""
    for tag, closes, name in tags:
        if closes and name == inside:
            at, inside = tag.end(), ""
        elif closes and not inside:  # the beginning is unmarked
            parts, at = [], tag.end()
        elif not inside and tag.start() < last_end.get(name, 0):
            parts.append(answer[at : tag.start()])
            inside = name
    return "".join([*parts, answer[at:]]).strip()


def find_json(answer: str) -> Any:
    """The first JSON array or object at the beginning of a line, or None."""
    start = re.search(_BEGINS_LINE, answer, re.MULTILINE)
    return _decode(answer, start.end())[0] if start else None


def find_object(answer: str, *keys: str) -> dict[str, Any]:
    """The first JSON object; with keys, the last one that has any of them; empty without one.

    The last one, because a model that thinks aloud writes drafts first.
    """
    objects = [each for each in _objects(answer) if not keys or any(key in each for key in keys)]
    return objects[-1 if keys else 0] if objects else {}


def find_rows(answer: str, key: str) -> list[Mapping[str, Any]] | None:
    """The objects in the list under a key of an answer's object; None without such a list."""
    rows = find_object(answer, key).get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else None


def find_lines(answer: str) -> list[str]:
    """The non-blank lines of an answer, without bullets, numbers, quotes and fences."""
    lines = (_DRESS.sub("", line, count=1).strip(_QUOTES) for line in answer.splitlines() if not _FENCE.fullmatch(line))
    return [line for line in lines if line]


def find_numbers(answer: str, most: int) -> list[int]:
    """The distinct numbers from 1 to `most` at the beginnings of lines or in a list."""
    return [number for number in dict.fromkeys(map(int, _NUMBER.findall(answer))) if 1 <= number <= most]


def read_number(text: str, most: int) -> int | None:
    """A text read as a number from 1 to `most`, perhaps in brackets; else None."""
    digits = text.strip(" []")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(most))):
        return None
    return number if 1 <= (number := int(digits)) <= most else None


def read_text(value: Any, longest: int) -> str | None:
    """A text on one line, with single blanks; None if it is not a text, is blank or too long."""
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if 0 < len(text) <= longest else None


def read_flag(value: Any) -> bool | None:
    """A boolean, also as a word; None for anything else."""
    if isinstance(value, str):
        return {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().casefold())
    return value if isinstance(value, bool) else None


def find_word(answer: str, words: Collection[str]) -> str | None:
    """The lower-case word that an answer chooses: the last one alone on a line, else the only one."""
    lines = [line.casefold().strip(".!:,; ") for line in find_lines(answer)]
    alone = [line for line in lines if line in words]
    among = {word for word in re.findall(r"[\w-]+", answer.casefold()) if word in words}
    if alone:
        return alone[-1]
    return among.pop() if len(among) == 1 else None


def _objects(answer: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost JSON objects; only the first `_TRIES` braces are tried."""
    end = 0
    for start in islice(re.finditer(r"\{", answer), _TRIES):
        if start.start() >= end:
            value, after = _decode(answer, start.start())
            if isinstance(value, dict):
                end = after
                yield value


def _decode(answer: str, start: int) -> tuple[Any, int]:
    """The JSON value at a position, and its end; None if there is none."""
    try:
        return json.JSONDecoder().raw_decode(answer, start)
    except (ValueError, RecursionError):
        return None, start
