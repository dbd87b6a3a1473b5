"""A memory as the words that evidence is counted in: its stems, between two marks that its beginning gives it."""

import re

from memoir.english.stopwords import AUTHORS, IRREGULAR_PAST, LATELY
from memoir.english.words import spell_out, stems

START, PAST = "{start}", "{past}"
_READ = 2_000
"""Characters of a memory that are read: its beginning says what it is about."""
_OPENING = 80
"""Characters among which its first verb is looked for."""


def of_memory(text: str) -> list[str]:
    """The words of a memory, after the mark of its start; `PAST` follows if its first verb reports what was done.

    The taxonomy's examples and cues are read as the same words, and may name the marks.
    """
    return [START, *stems(text[:_READ]), *([PAST] if _is_past(text[:_OPENING]) else [])]


def _is_past(beginning: str) -> bool:
    """Whether a text begins with what was done: "(we) (recently) moved"."""
    words = spell_out(beginning).casefold().split()
    if words[:2] == ["the", "team"]:
        words = words[2:]
    elif words and words[0] in AUTHORS:
        words = words[1:]
    if words and words[0] in LATELY:
        words = words[1:]
    verb = re.match(r"\w*", words[0]) if words else None
    return verb is not None and (verb[0] in IRREGULAR_PAST or (len(verb[0]) > 3 and verb[0].endswith("ed")))
