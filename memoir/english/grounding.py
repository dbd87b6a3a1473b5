"""Whether texts say what another text claims to have from them."""

import re
from collections.abc import Sequence

from memoir.english.names import count_words
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words, stem

_LEAST_SHARE = 0.4
"""The least share of a text's words that must stand in its sources; it may put things in words of its own."""


def is_grounded(text: str, sources: Sequence[str]) -> bool:
    """Whether sources say what a text says: all of its names and numbers, and enough of its words."""
    own, theirs = count_words([text]), count_words(sources)
    names = {*own.capitals, *own.identifiers}
    whole = " ".join(sources)
    numbers = set(re.findall(r"\d+", text)) - set(re.findall(r"\d+", whole))
    share = share_of_words(text, whole)
    return names <= theirs.texts.keys() and not numbers and share >= _LEAST_SHARE


def share_of_words(text: str, source: str) -> float:
    """The share of a text's telling words that stand in another; 0 if it has none."""
    words = {stem(word) for word in plain_words(text) if word not in STOP_WORDS}
    return len(words & {stem(word) for word in plain_words(source)}) / len(words) if words else 0.0
