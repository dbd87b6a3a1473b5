"""Make texts of a store safe to show, so that none can move the cursor, ring the bell, reorder a line or hide words.

Terminals, the primer, hooks and the tools of agents all use it. Characters that emoji and scripts need stay unchanged.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

# C0 and C1 controls save the tab, DEL, lone surrogates, and the marks that change the direction of text.
_CONTROLS = "\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
# Unicode's default-ignorable characters, and blanks that Python counts as letters or signs: they are invisible, so that
# a text can be hidden in them, or look empty.
_INVISIBLE = (
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\u2800\U00013441\U00013442\U00016fe4\U0001d159"
)
# The scripts whose writing needs joiners: Arabic to Myanmar, Khmer, Mongolian, and their later blocks.
_JOINING_SCRIPTS = "\u0600-\u109f\u1780-\u180a\u1810-\u18af\ua800-\uabff\U00010a00-\U00010fff\U00011000-\U00011fff"
_EMOJI = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2934\u2935\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff"
)
_IN_USE = (
    f"(?<=[{_EMOJI}])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    f"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])|(?<=[{_JOINING_SCRIPTS}])[\u200c\u200d](?=[{_JOINING_SCRIPTS}])"
    "|(?<=[\u2801-\u28ff])\u2800(?=[\u2801-\u28ff])"
)
"""Invisible characters that writing needs: after an emoji, or joining two emoji or letters; blanks between Braille
words."""


_PLAIN = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0xAD), *range(0xAE, 0x250), *range(0x2010, 0x2028))))
"""The Latin letters, and signs such as `…`, of which most texts consist."""


def neutralise(text: str) -> str:
    r"""Show control characters and invisible characters as escapes (`\x1b`, `\u202e`, `\u200b`)."""
    return _unsafe().sub(_escape, text) if _may_be_unsafe(text) else text


def escape_json(text: str) -> str:
    r"""Escape control and invisible characters in JSON as `\u....`, keeping the value and the line breaks."""
    if not _may_be_unsafe(set(text) - {"\n"}):
        return text
    return _unsafe().sub(lambda match: match[0] if match[0] in "\n" else _json_escape(match), text)


def neutralise_all(value: Any) -> Any:
    """Neutralise all strings in a JSON value, line by line."""
    if isinstance(value, str):
        return "\n".join(map(neutralise, value.replace("\r\n", "\n").split("\n")))
    if isinstance(value, Mapping):
        return {neutralise(name): neutralise_all(each) for name, each in value.items()}
    return [neutralise_all(each) for each in value] if isinstance(value, list | tuple) else value


def _may_be_unsafe(chars: Iterable[str]) -> bool:
    """Whether any of the characters is one that `_unsafe` may find; a quick check, because its pattern is slow.

    Emoji and most letters of other scripts are none.
    """
    return any(first <= char <= last for char in set(chars) - _PLAIN for first, last in _ranges())


@cache
def _ranges() -> list[tuple[str, str]]:
    """The first and the last of each range of characters that `_unsafe` finds."""
    return [(first, last or first) for first, last in re.findall("(?s)(.)(?:-(.))?", _CONTROLS + _INVISIBLE)]


@cache
def _unsafe() -> "re.Pattern[str]":
    return re.compile(f"{_IN_USE}|([{_CONTROLS}{_INVISIBLE}])")


def _escape(match: "re.Match[str]") -> str:
    if match[1] is None:
        return match[0]
    code = ord(match[1])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(match: "re.Match[str]") -> str:
    if match[1] is None:
        return match[0]
    units = match[1].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
