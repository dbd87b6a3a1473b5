"""Words as the lexicon compares them: by their bases, without the endings of plurals and tenses."""

import re
from functools import cache, lru_cache

_WORDS = r"[^\W_]+(?:\+\+|#)?"
_VOWELS = frozenset("aeiouy")


def split(text: str) -> list[str]:
    """The words of a text as they are compared, `c++` and `c#` among them."""
    return pattern().findall(text)


@cache
def pattern() -> re.Pattern[str]:
    """What a word is."""
    return re.compile(_WORDS)


@lru_cache(maxsize=20_000)
def base(word: str) -> str:
    """A word in small letters without the ending of a plural or a tense: unlike a stem, it keeps nouns and verbs apart.

    It need not be a word (`releas`).
    """
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _without_tense(word).removesuffix("e") if len(word) > 3 else word


def _without_tense(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWELS.intersection(rest):
            if word.endswith("ied"):
                return rest[:-1] + "y"
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    return word
