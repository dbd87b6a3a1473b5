"""Stop words that are also names, where only a name fits: "we switched from just to nox", "run `just`"."""

import re
from functools import cache

_NAMES = ("just",)
QUOTED = "|".join(f"`{name}`" for name in _NAMES)
"""A pattern of these names in code quotes, lower-case."""


def with_names_quoted(text: str) -> str:
    """Put code quotes around the stop words that are names in a text."""
    return _bare_name().sub(r"\1`\2`", text) if any(name in text.lower() for name in _NAMES) else text


def stop_word_names(text: str) -> set[str]:
    """The stop words that are names in a text, lower-case."""
    quoted = with_names_quoted(text).lower()
    return {name for name in _NAMES if f"`{name}`" in quoted}


@cache
def _bare_name() -> re.Pattern[str]:
    """A name after a word that needs an object, before the end of its clause or the beginning of another part."""
    return re.compile(
        rf"""
        (\b(?: from | to | with | via | by | use | uses | using | prefer | prefers | than | instead\ of ) \s)
        ({"|".join(_NAMES)})
        (?= \W*$ | [.,;:)!?]\s | \s(?: to | for | and | or | over | instead | rather | because | since | not | now | on
          | (?: in | as | from | with )(?! \s(?: time | case | well | now )\b ) )\b )
        """,
        re.VERBOSE | re.IGNORECASE | re.MULTILINE,
    )
