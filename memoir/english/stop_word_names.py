"""Stop words that are names, too, where only a name can stand: "we switched from just to nox", "run `just`"."""

import re
from functools import cache

_NAMES = ("just",)
QUOTED = "|".join(f"`{name}`" for name in _NAMES)
"""A pattern of them in code quotes, in small letters."""


def with_names_quoted(text: str) -> str:
    """A text in which the stop words that are names in it stand in code quotes."""
    return _bare_name().sub(r"\1`\2`", text) if any(name in text.lower() for name in _NAMES) else text


def stop_word_names(text: str) -> set[str]:
    """The stop words that are names in a text, in small letters."""
    quoted = with_names_quoted(text).lower()
    return {name for name in _NAMES if f"`{name}`" in quoted}


@cache
def _bare_name() -> re.Pattern[str]:
    """A name after a word that is not complete without one, before the end of a clause or what begins another part."""
    return re.compile(
        rf"""
        (\b(?: from | to | with | via | by | use | uses | using | prefer | prefers | than | instead\ of ) \s)
        ({"|".join(_NAMES)})
        (?= \W*$ | [.,;:)!?]\s | \s(?: to | for | and | or | over | instead | rather | because | since | not | now | on
          | (?: in | as | from | with )(?! \s(?: time | case | well | now )\b ) )\b )
        """,
        re.VERBOSE | re.IGNORECASE | re.MULTILINE,
    )
