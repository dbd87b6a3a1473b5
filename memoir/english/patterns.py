"""Build word lists and phrase patterns from plain text.

A phrase is a regular expression; a line break between phrases works like `|`. Patterns ignore case.
"""

import re


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def anywhere(phrases: str) -> "re.Pattern[str]":
    """A pattern of phrases anywhere in a text, but not inside an identifier or a compound."""
    return re.compile(rf"(?<![#/-])\b(?:{alternatives(phrases)})\b(?![-/]\w)", re.IGNORECASE)


def at_start(phrases: str) -> "re.Pattern[str]":
    """A pattern of phrases at the beginning of a text, for `match`."""
    return re.compile(rf"(?:{alternatives(phrases)})\b", re.IGNORECASE)


def alternatives(phrases: str) -> str:
    """Join the phrases of a text as alternatives."""
    return "|".join(line.strip() for line in phrases.strip().splitlines())
