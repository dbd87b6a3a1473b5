"""Words as the lexicon compares them: by their bases, without the endings of plurals and tenses."""

import re
from functools import cache, lru_cache

from memoir.english.patterns import word_set

_WORDS = r"[^\W_]+(?:\+\+|#)?"
_VOWELS = frozenset("aeiouy")


def split(text: str) -> list[str]:
    """The words of a text as they are compared, `c++` and `c#` among them."""
    return pattern().findall(text)


@cache
def pattern() -> re.Pattern[str]:
    """What a word is."""
    return re.compile(_WORDS)


_NOUNS = word_set(
    """
    banking blues booking boxing clothing coating cooling dining earnings earring evening expecting fasting fencing
    flooring gating glasses goods grounding hearing heating hedging housing inning ironing journaling lodging meeting
    morning mourning naming news offspring outgoing outing paged parking piercing planting plating pudding
    rigging rowing scared screening seasoning series shelved smoking sourcing sparring species spelling spending
    starring striping teething texting topping vendoring watering wedding worming
    """
)
"""Words that are no forms of what they seem to come from: an evening is not even, and who parks is in no park."""
_OF_NOUNS = {"booked": "booking"}


@lru_cache(maxsize=20_000)
def base(word: str) -> str:
    """A word in small letters without the ending of a plural or a tense: unlike a stem, it keeps nouns and verbs apart.

    It need not be a word (`releas`). A short word keeps its `e`, so that `care` is no `car`, and `caring` gets it back.
    """
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    word = _OF_NOUNS.get(word, word)
    if word in _NOUNS:
        return word
    word = _without_plural(word)
    if len(word) <= 3 or word in _NOUNS:
        return word
    rest = _without_tense(word).removesuffix("e")
    return f"{rest}e" if word.endswith(("e", "ing", "ed")) and rest != word and _needs_e(rest, word) else rest


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _needs_e(rest: str, word: str) -> bool:
    """Whether what is left of a word is the form before an `e`: else its consonant would have been doubled."""
    is_doubled = not word.endswith("e") and word[len(rest) : len(rest) + 1] == rest[-1:]
    return not is_doubled and _is_short(rest)


def _is_short(word: str) -> bool:
    """Whether a word is one syllable that ends in one vowel and one consonant, which an ending would double."""
    return word[-2:-1] in _VOWELS and word[-1] not in _VOWELS.union("wx") and _VOWELS.isdisjoint(word[:-2])


def _without_tense(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWELS.intersection(rest):
            if word.endswith("ied"):
                return rest[:-1] + "y"
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    return word
