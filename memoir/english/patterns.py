"""Lists of words, and patterns of phrases, each written as a text.

A phrase is a regular expression; between phrases a line break is as good as a `|`. Capitals make no difference.
"""

import re


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def anywhere(phrases: str) -> "re.Pattern[str]":
    """A pattern of phrases that stand anywhere in a text, and are not parts of an identifier or of a compound."""
    return re.compile(rf"(?<![#/-])\b(?:{alternatives(phrases)})\b(?![-/]\w)", re.IGNORECASE)


def at_start(phrases: str) -> "re.Pattern[str]":
    """A pattern of phrases that a text begins with; it is for `match`."""
    return re.compile(rf"(?:{alternatives(phrases)})\b", re.IGNORECASE)


def alternatives(phrases: str) -> str:
    """The phrases of a text as the alternatives of a pattern."""
    return "|".join(line.strip() for line in phrases.strip().splitlines())
