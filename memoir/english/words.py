"""Split English text into words or stems, expand contractions, and compare texts regardless of white space.

A class such as `{time}` replaces words that no list can contain: times of day, ports, dates, files, identifiers.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from memoir.times import MONTHS, WEEKDAYS


def as_written(text: str) -> str:
    """A text with its white space normalised, so that texts differing only in it become equal.

    Line breaks and indentation carry meaning, as in code, so a text of several lines keeps them.
    """
    if "\n" in text.strip():
        return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    return flat(text)


def flat(text: str) -> str:
    """A text with each run of white space, line breaks included, as one blank, and none at the ends."""
    return " ".join(text.split())


def same_as_written(one: str, other: str) -> bool:
    """Whether two texts differ only in white space.

    The first and last words are compared first, because most texts differ there.
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
"""Contractions and their words; a longer one comes before the shorter one that it ends in."""
_AMBIGUOUS = (("'d", " would"), ("'s", ""))
"""Endings with several meanings, and the likeliest: "I'd" as "I would", "manager's" as the possessive."""
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
_DAYS = (*WEEKDAYS, "weekday", "mon", "tue", "tues", "wed", "weds", "thu", "thur", "thurs", "fri")
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
    """The stems and classes of a text's words, in order; an identifier gives both."""
    spelt = spell_out(text)
    plain = [chunk.rstrip(_POINTS) for chunk in spelt.split()]
    if all(map(is_plain, plain)):
        return list(map(_stem_or_class, plain))
    return [word for match in _pattern().finditer(spelt) for word in _tokens_of(match)]


def spell_out(text: str) -> str:
    """Replace contractions by their words: "don't" by "do not", "manager's" by "manager"."""
    text = text.replace("’", "'")
    if "'" in text or "cannot" in text:
        for short, whole in (*CONTRACTIONS, *_AMBIGUOUS):
            text = text.replace(short, whole)
    return text


def split_contraction(chunk: str) -> list[str]:
    """Split a contraction, keeping its case; any other token is returned unchanged.

    Unlike `spell_out` it leaves ambiguous tokens: quoted text, endings with several meanings.
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

    A stem may not be a word ("cach"); a word with a digit or a mark is its own stem.
    """
    return _stemmer()(word) if word.isalpha() else word


@cache
def _stemmer() -> Callable[[str], str]:
    """The stemmer, imported on first use: recall imports this module without needing it."""
    from Stemmer import Stemmer

    stem_word: Callable[[str], str] = Stemmer("english", 0).stemWord  # 0: `stem` has a cache of its own
    return stem_word


def is_plain(chunk: str) -> bool:
    """Whether a token is one word of letters, with at most the first one a capital."""
    return chunk.isalpha() and (chunk[1:].islower() or len(chunk) == 1)


@cache
def _pattern() -> re.Pattern[str]:
    """The pattern of all tokens, compiled on first use, because that takes longer than filing."""
    return re.compile(_TOKENS, re.VERBOSE)


def _stem_or_class(word: str) -> str:
    lower = word.casefold()
    return _CLASSES.get(lower) or _CLASSES.get(word) or stem(lower)


def _tokens_of(match: re.Match[str]) -> Iterator[str]:
    kind, text = match.lastgroup, match.group()
    if kind == "given":
        yield text
    elif kind == "word":
        yield _stem_or_class(text)
    else:
        yield f"{{{kind}}}"
        if kind == "name":
            yield stem(text.casefold())
