"""A text as the words that evidence is counted in: inflections cut off, figures and names replaced by their class.

A class, such as `{time}`, stands for what the taxonomy's author could not list: times of day, ports, dates, files,
identifiers. The same words are read from memories, from the taxonomy's examples and from its cues.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from memoir.memory.wording import CONTRACTIONS

READ = 2_000
"""Characters of a memory that are read: what it is about stands at its beginning."""
START, PAST = "{start}", "{past}"

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
_POINTS = ".,;:!?"
_WHO = ("i", "we", "they")
_WHEN = frozenset("just recently finally already once accidentally".split())  # noqa: SIM905
_DID = frozenset("built wrote rewrote led lost took gave spoke made went began broke sent spent".split())  # noqa: SIM905
_SPELT = (*CONTRACTIONS, ("'d", " would"), ("'s", ""))
_ENDINGS = ("ings", "ing", "edly", "ed", "es", "s", "e")
_DAYS = "monday tuesday wednesday thursday friday saturday sunday weekday mon tue wed thu fri".split()  # noqa: SIM905
_MONTHS = "January February March April May June July August September October November December".split()  # noqa: SIM905
_CLASSES = (
    dict.fromkeys(_DAYS, "{day}")
    | {f"{day}s": "{day}" for day in _DAYS}
    | dict.fromkeys([month.lower() for month in _MONTHS if month not in ("March", "May")], "{month}")
    | {"March": "{month}", "May": "{month}"}
)


def of_memory(text: str) -> list[str]:
    """The words of a memory, between the class of its start and what its first verb says of the time."""
    return [START, *words(text[:READ]), *([PAST] if _is_past(text[:80]) else [])]


def _is_past(beginning: str) -> bool:
    """Whether a text begins with what was done: "(we) (recently) moved"."""
    opening = spelt_out(beginning).casefold().split()
    if opening[:2] == ["the", "team"]:
        opening = opening[2:]
    elif opening and opening[0] in _WHO:
        opening = opening[1:]
    if opening and opening[0] in _WHEN:
        opening = opening[1:]
    verb = re.match(r"\w*", opening[0]) if opening else None
    return verb is not None and (verb[0] in _DID or (len(verb[0]) > 3 and verb[0].endswith("ed")))


def words(text: str) -> list[str]:
    """The words of a text, in order; an identifier gives its class and itself."""
    spelt = spelt_out(text)
    plain = [chunk.rstrip(_POINTS) for chunk in spelt.split()]
    if all(map(_is_plain, plain)):
        return list(map(_of_word, plain))
    return [word for match in _pattern().finditer(spelt) for word in _of_match(match)]


def _is_plain(chunk: str) -> bool:
    """Whether a text between spaces is one word, and none of the classes that the pattern tells by their spelling."""
    return chunk.isalpha() and (chunk[1:].islower() or len(chunk) == 1)


@cache
def _pattern() -> re.Pattern[str]:
    """Compiled when a text needs it: that takes longer than filing it."""
    return re.compile(_TOKENS, re.VERBOSE)


def _of_word(word: str) -> str:
    lower = word.casefold()
    return _CLASSES.get(lower) or _CLASSES.get(word) or stem(lower)


def spelt_out(text: str) -> str:
    """A text with contractions as the words they stand for: "don't" is "do not", "manager's" is "manager"."""
    text = text.replace("’", "'")
    if "'" in text or "cannot" in text:
        for short, whole in _SPELT:
            text = text.replace(short, whole)
    return text


def _of_match(match: re.Match[str]) -> Iterator[str]:
    kind, found = match.lastgroup, match.group()
    if kind == "given":
        yield found
    elif kind == "word":
        yield _of_word(found)
    else:
        yield f"{{{kind}}}"
        if kind == "name":
            yield stem(found.casefold())


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its inflection, roughly: what is left need not be a word, only the same for all its forms."""
    if len(word) < 4 or not word.isalpha() or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "i"
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") else word
