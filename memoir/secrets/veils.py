r"""What hides a credential from a scan and not from its reader, and where in a text is what a scan finds without it.

Invisible characters; the backslashes by which Markdown and JSON say that a sign is only a sign, as in `ghp\_…`;
references to characters, as `&#95;` is to `_`; letters in another width or style. Converters of HTML and of office
documents write the second everywhere.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\r")
# Unicode's Default_Ignorable_Code_Point, and the control characters that are not white space.
_INVISIBLE = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]+"
)
_REFERENCE = r"&(?:#0{0,5}\d{2,3}|#[xX]0{0,5}[0-9a-fA-F]{2}|[A-Za-z]{2,9});"
_ESCAPE = r"\\(?<!\\\\)\\*+(?=[!-/:-@\[\]-`{-~])"
"""Backslashes before a sign of ASCII, all in a row: a text may have been escaped again. It begins with a letter of its
own, without which a search takes ten times as long."""
_STYLES = "[\u2010\u2011\uff01-\uff5e\u24b6-\u24e9\U0001d400-\U0001d7ff]+"
"""Letters and signs of full width, circled ones, those of mathematics, and hyphens that are not that of ASCII."""
_FEW = 20
_UNUSUAL = f"{_INVISIBLE[:-2]}{_STYLES[1:-1]}"


class Credential(NamedTuple):
    """Where a credential begins and ends, and the rule that found it."""

    start: int
    end: int
    rule: str


class _Veil(NamedTuple):
    """A part of a text that hides something: where it begins and ends, and the character that it stands for, if any."""

    start: int
    end: int
    sign: str = ""


def bare(text: str) -> str:
    """A text without what could hide a credential from the rules."""
    if text.isascii():
        text = _without_invisible(text)
    elif len(unusual := {*re.findall(_UNUSUAL, text)}) > _FEW:
        text = _without_styles(_without_invisible(text))
    else:
        for char in unusual:  # a few are replaced faster so
            text = text.replace(char, _without_styles(_without_invisible(char)))
    text = _lift(text, _references(text)) if "&" in text else text
    return re.sub(_ESCAPE, "", text) if "\\" in text else text


def place(text: str, credentials: list[Credential]) -> list[Credential]:
    """Where the credentials that were found in a bare text are in the whole text."""
    visible = _without_styles(_without_invisible(text))
    unescaped = _lift(visible, _references(visible))
    for veils in (_veils(_ESCAPE, unescaped), _references(visible), _veils(_INVISIBLE, text)):
        credentials = _place(veils, credentials)
    return credentials


def _without_invisible(text: str) -> str:
    if text.isascii():
        return text.encode().translate(None, _CONTROLS).decode()
    return re.sub(_INVISIBLE, "", text)


def _without_styles(text: str) -> str:
    """A text of the same length with plain letters and hyphens for those in another width or style."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return re.sub(_STYLES, lambda run: normalize("NFKC", run[0]).replace("\u2010", "-"), text)


def _veils(pattern: str, text: str) -> Iterator[_Veil]:
    return (_Veil(*match.span()) for match in re.finditer(pattern, text))


def _references(text: str) -> Iterator[_Veil]:
    """The references to printable characters of ASCII."""
    from html import unescape

    signs: dict[str, str] = {}
    for match in re.finditer(_REFERENCE, text):
        sign = signs.get(match[0]) or signs.setdefault(match[0], unescape(match[0]))
        if len(sign) == 1 and "!" <= sign <= "~":
            yield _Veil(*match.span(), sign)


def _lift(text: str, veils: Iterable[_Veil]) -> str:
    """A text with the characters that parts of it stand for in their places."""
    parts, at = list[str](), 0
    for veil in veils:
        parts += [text[at : veil.start], veil.sign]
        at = veil.end
    return "".join([*parts, text[at:]]) if parts else text


def _place(veils: Iterable[_Veil], credentials: list[Credential]) -> list[Credential]:
    """Where the credentials found in a text without its veils are in the text with them."""
    starts, shifts = [0], [0]  # positions without the veils, and how much further on each one is with them
    ends, shifts_of_ends = [0], [0]  # the same for positions behind a character, which a sign makes wider
    shift = 0
    for start, end, sign in veils:
        at = start - shift + len(sign)
        shift += end - start - len(sign)
        starts.append(at)
        shifts.append(shift)
        ends.append(at if sign else at + 1)
        shifts_of_ends.append(shift)

    def begin(at: int) -> int:
        return at + shifts[bisect_right(starts, at) - 1]

    def end_at(at: int) -> int:
        return at + shifts_of_ends[bisect_right(ends, at) - 1]

    return [Credential(begin(one.start), end_at(one.end), one.rule) for one in credentials]
