"""Splitting English text into words or stems, replacing contractions, and comparing texts whatever their white space.

A class, such as `{time}`, replaces words that no list can contain: times of day, ports, dates, files, identifiers.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from memoir.times import MONTHS, WEEKDAYS


def as_written(text: str) -> str:
    """A text with its white space normalised: texts that differ only in white space become the same.

    Line breaks and indentation distinguish facts, as in code, so a text of several lines keeps them.
    """
    if "\n" in text.strip():
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    return flat(text)


def flat(text: str) -> str:
    """A text with one blank for each white space, also at line breaks, and none at its ends."""
    return " ".join(text.split())


def same_as_written(one: str, other: str) -> bool:
    """Whether two texts differ only in white space.

    Most texts differ in their first or last word, so these are compared before the rest is read.
    """
    return one == other or (
        one.split(None, 1)[:1] == other.split(None, 1)[:1]
        and one.rsplit(None, 1)[-1:] == other.rsplit(None, 1)[-1:]
        and as_written(one) == as_written(other)
    )


CONTRACTIONS = (
    ("can't", "can not"), ("won't", "will not"), ("cannot", "can not"), ("n't", " not"), ("'m", " am"), ("'re", " are"),
    ("'ve", " have"), ("'ll", " will"),
)  # fmt: skip
"""Short forms with their words; a longer form comes before the shorter one that it ends in."""
_AMBIGUOUS = (("'d", " would"), ("'s", ""))
"""Endings with several meanings, and the likeliest of them: "I'd" is "I would", and "manager's" is of the manager."""
_SPELLINGS = [(case(short), case(whole)) for short, whole in CONTRACTIONS for case in (str, str.capitalize, str.upper)]
_QUOTES = tuple("\"'“”‘`")
_POINTS = ".,;:!?"

_TOKENS = r"""
      (?P<given> \{ [a-z]+ \} )
    | (?P<channel> (?<!\w) \# [a-z][\w-]* )
    | (?P<file> (?<![\w/]) (?: [a-z_.][\w.-]* / )+ [\w.-]*\.[a-z]{1,5} \b | (?<!\w) [a-z_][\w-]* \.
        (?: py|rs|go|js|ts|tsx|c|h|cpp|java|rb|sh|md|toml|ya?ml|json|sql|lock|cfg|ini ) \b )
    | (?P<setting> \b [A-Z][A-Z0-9]* _ [A-Z0-9_]+ \b | \b [A-Z]{3,} (?= = ) )
    | (?P<time> \b \d\d? (?: : \d\d \b | \s? (?: am|pm|o'clock ) \b ) )
    | (?P<version> \b v? \d+ \. \d [\w.]* )
    | (?P<date> \b \d\d? (?: st|nd|rd|th ) \b | \b \d{4}-\d\d-\d\d \b )
    | (?P<year> \b (?: 19 | 20 ) \d\d \b )
    | (?P<number> \b \d [\d,]* \b )
    | (?P<name> (?<![\w/]) / [a-z][\w/-]+ | \b \w+ \(\) | \b [a-z]\w* _ \w+ | \b [A-Z]?[a-z]+ (?: [A-Z][a-z0-9]+ )+ \b )
    | (?P<word> [^\W_]+ [+\#]* | [=>] )
    """
_DAYS = (*WEEKDAYS, "weekday", "mon", "tue", "wed", "thu", "fri")
_VERBS = ("march", "may")  # as words without a capital
_CLASSES = (
    dict.fromkeys(_DAYS, "{day}")
    | {f"{day}s": "{day}" for day in _DAYS}
    | dict.fromkeys([month for month in MONTHS if month not in _VERBS], "{month}")
    | {month.capitalize(): "{month}" for month in _VERBS}
)


def plain_words(text: str) -> list[str]:
    """The case-folded words of a text, in order: runs of letters, digits and underscores."""
    return re.findall(r"\w+", text.casefold())


def stems(text: str) -> list[str]:
    """The stems and classes of a text's words, in order; an identifier gives its class and itself."""
    spelt = spell_out(text)
    plain = [chunk.rstrip(_POINTS) for chunk in spelt.split()]
    if all(map(is_plain, plain)):
        return list(map(_stem_or_class, plain))
    return [word for match in _pattern().finditer(spelt) for word in _read(match)]


def spell_out(text: str) -> str:
    """Replace contractions by their words: "don't" by "do not", "manager's" by "manager"."""
    text = text.replace("’", "'")
    if "'" in text or "cannot" in text:
        for short, whole in (*CONTRACTIONS, *_AMBIGUOUS):
            text = text.replace(short, whole)
    return text


def split_contraction(chunk: str) -> list[str]:
    """The words of a contraction, in its own case; any other text without white space is returned as it is.

    Unlike `spell_out` it leaves alone what may be something else: a quoted text, an ending of several meanings.
    """
    plain = chunk.replace("’", "'")
    if "'" not in plain and "annot" not in plain and "ANNOT" not in plain:
        return [chunk]
    for short, whole in _SPELLINGS:
        head, middle, tail = plain.partition(short)
        is_quoted = head.startswith(_QUOTES) or not (head or short[0].isalpha())
        if middle and not is_quoted and not tail.strip(_POINTS):
            return f"{head}{whole}{tail}".split()
    return [chunk]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Reduce a word to the stem that its inflections share, by Snowball's algorithm for English (Porter2).

    A stem need not be a word ("cach"); a word with a digit or a mark in it is its own stem.
    """
    return _stemmer()(word) if word.isalpha() else word


@cache
def _stemmer() -> Callable[[str], str]:
    """The stemmer, imported only when a stem is needed: recall uses this module without it."""
    from Stemmer import Stemmer

    stem_word: Callable[[str], str] = Stemmer("english", 0).stemWord  # 0: `stem` has a cache of its own
    return stem_word


def is_plain(chunk: str) -> bool:
    """Whether a text without white space is one word of letters, with at most the first one a capital."""
    return chunk.isalpha() and (chunk[1:].islower() or len(chunk) == 1)


@cache
def _pattern() -> re.Pattern[str]:
    """The pattern of all tokens, compiled only when a text needs it, because compiling takes longer than filing."""
    return re.compile(_TOKENS, re.VERBOSE)


def _stem_or_class(word: str) -> str:
    lower = word.casefold()
    return _CLASSES.get(lower) or _CLASSES.get(word) or stem(lower)


def _read(match: re.Match[str]) -> Iterator[str]:
    kind, text = match.lastgroup, match.group()
    if kind == "given":
        yield text
    elif kind == "word":
        yield _stem_or_class(text)
    else:
        yield f"{{{kind}}}"
        if kind == "name":
            yield stem(text.casefold())
