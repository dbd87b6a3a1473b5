"""A store's own words: a project's names for things, which override the lexicon.

    barn, the barn = staging cluster, preprod

The names on the left and the words on the right mean one thing. A name takes the words' meaning in place of its usual
one; the words keep theirs, and mean the name as well. A text may define a name itself: "the staging cluster, aka the
barn".
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from memoir.english.lexicon import table
from memoir.english.lexicon.table import NAME, RELATED, WORD, Entry, base, split
from memoir.english.patterns import alternatives
from memoir.english.stopwords import STOP_WORDS
from memoir.errors import InvalidInput

MOST_LINES = 1000
"""The most lines read from a store."""
MOST_PHRASES = 20
"""The most names, and the most words, of a line."""
LONGEST_PHRASE, MOST_WORDS = 60, 5
"""The most characters and words of a phrase on either side."""
MARK = "="
"""The prefix of the concepts of own words; the lexicon's concepts never have it."""
_EXAMPLE = "memoir lexicon add barn = staging cluster, preprod"
_SIGNS = str.maketrans({"+": "_p", "#": "_s"})

Phrase = tuple[str, ...]
"""The words of a name, by their bases."""


class OwnLine(NamedTuple):
    """Names of one thing, and other words for it."""

    names: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The line, as `parse` reads it."""
        return f"{', '.join(self.names)} = {', '.join(self.words)}"

    @property
    def spoken(self) -> set[Phrase]:
        """The phrases of both sides, in lower case."""
        return {tuple(split(each.lower())) for each in (*self.names, *self.words)}


def parse(text: str) -> OwnLine:
    """Read a line.

    Raises:
        InvalidInput: the form is wrong, a phrase is too long, cannot occur in a text, or is on both sides.
    """
    left, equals, right = " ".join(unicodedata.normalize("NFC", text).split()).partition("=")
    if not equals or "=" in right:
        problem = "more than one" if equals else "no"
        raise InvalidInput(f"{_short(text)} has {problem} '=' between a name and words for it", f"such as: {_EXAMPLE}")
    line = OwnLine(_side(left, "before"), _side(right, "after"))
    if both := {phrase_of(name) for name in line.names}.intersection(map(phrase_of, line.words)):
        raise InvalidInput(f"{' '.join(min(both))!r} stands on both sides of '='", f"such as: {_EXAMPLE}")
    return line


def problem(text: str) -> str | None:
    """The fault of a line; None if there is none."""
    try:
        line = parse(text)
    except InvalidInput as error:
        return error.message
    return None if line.text == text else f"it is not written as memoir writes it: {_short(line.text)}"


def path_of(name: str) -> str:
    """The path of the line of a name: `the-barn`, and `c_p_p` for `c++`."""
    return "-".join(split(name.lower())).translate(_SIGNS)


def phrase_of(text: str) -> Phrase:
    """The base forms of a phrase, by which texts are searched."""
    return tuple(base(word.lower()) for word in split(text))


def _side(text: str, which: str) -> tuple[str, ...]:
    phrases = {phrase_of(part): part for each in reversed(text.split(",")) if (part := each.strip())}
    if not 0 < len(phrases) <= MOST_PHRASES:
        raise InvalidInput(
            f"there are {len(phrases)} phrases {which} '=', and 1 to {MOST_PHRASES} are allowed", f"such as: {_EXAMPLE}"
        )
    for phrase, part in phrases.items():
        if reason := _reason_against(phrase, part):
            raise InvalidInput(f"{_short(part)} {reason}", f"such as: {_EXAMPLE}")
    return tuple(reversed(phrases.values()))


def _reason_against(phrase: Phrase, text: str) -> str | None:
    if not phrase:
        return "has no letter or digit"
    if len(text) > LONGEST_PHRASE or len(phrase) > MOST_WORDS:
        return f"is too long: {LONGEST_PHRASE} characters and {MOST_WORDS} words are allowed"
    if any(unicodedata.category(char)[0] == "C" for char in text):
        return "has a character that cannot be seen"
    return "says nothing alone" if set(map(str.lower, split(text))) <= STOP_WORDS else None


def _short(text: str) -> str:
    return repr(text if len(text) <= LONGEST_PHRASE else f"{text[:LONGEST_PHRASE]}…")


class OwnWords:
    """All own lines of a store, indexed for lookup."""

    def __init__(self, lines: Iterable[OwnLine]) -> None:
        self.lines = tuple(lines)

    @cached_property
    def _names(self) -> Mapping[Phrase, list[OwnLine]]:
        return _by_phrase((name, line) for line in self.lines for name in line.names)

    @cached_property
    def _words(self) -> Mapping[Phrase, list[OwnLine]]:
        return _by_phrase((word, line) for line in self.lines for word in line.words)

    @cached_property
    def _firsts(self) -> Mapping[str, list[Phrase]]:
        firsts: dict[str, list[Phrase]] = {}
        for phrase in dict.fromkeys((*self._names, *self._words)):
            firsts.setdefault(phrase[0], []).append(phrase)
        return firsts

    @cached_property
    def _lines(self) -> Mapping[str, list[OwnLine]]:
        lines: dict[str, list[OwnLine]] = {}
        for line in self.lines:
            lines.setdefault(concept_of(line), []).append(line)
        return lines

    @cached_property
    def _entries(self) -> dict[str, Sequence[Entry]]:
        return {}

    def entries(self, first: str) -> Sequence[Entry]:
        """The own and the lexicon's entries whose first word has this base, the longest first."""
        if first not in self._firsts:
            return table.entries(first)
        if first not in self._entries:
            own = [*map(self._entry, self._firsts[first])]
            self._entries[first] = sorted([*own, *table.entries(first)], key=lambda each: -len(each.words))
        return self._entries[first]

    def lines_of(self, concept: str) -> Sequence[OwnLine]:
        """The lines of an own concept; empty for one of the lexicon."""
        return self._lines.get(concept, ())

    def _entry(self, phrase: Phrase) -> Entry:
        """The concepts of a phrase: a name has those of its line's words, a word its usual ones."""
        names, words = self._names.get(phrase, ()), self._words.get(phrase, ())
        texts = {word for line in names for word in line.words}
        texts = texts or {word for line in words for word in line.words if phrase_of(word) == phrase}
        meaning: dict[str, float] = {}
        for concept, weight in (each for text in texts for each in _shipped(split(text.lower()))):
            meaning[concept] = max(meaning.get(concept, 0.0), weight)
        own = {concept_of(line): 1.0 for line in (*names, *words)}
        return Entry(NAME if names else WORD, phrase, {**own, **meaning})


NONE = OwnWords(())
"""No own words."""


def concept_of(line: OwnLine) -> str:
    """The concept of a line's names and words."""
    return MARK + line.names[0].lower()


@lru_cache(maxsize=4)
def compiled(text: str) -> OwnWords:
    """Parse lines of own words; malformed ones are skipped."""
    return OwnWords(parse(line) for line in text.splitlines()[:MOST_LINES] if not problem(line))


def _by_phrase(pairs: Iterable[tuple[str, OwnLine]]) -> dict[Phrase, list[OwnLine]]:
    groups: dict[Phrase, list[OwnLine]] = {}
    for text, line in pairs:
        groups.setdefault(phrase_of(text), []).append(line)
    return groups


def _shipped(words: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield the lexicon's concepts of words, weighted as related if only a part of them is an entry."""
    bases, at = [base(word) for word in words], 0
    while at < len(words):
        entries = table.entries(bases[at])
        fits = (each for each in entries if each.stands_at(at, words, bases))
        if entry := next(fits, None):
            share = 1.0 if len(entry.words) == len(words) else RELATED
            yield from ((concept, share * weight) for concept, weight in entry.concepts.items())
        at += len(entry.words) if entry else 1


_READ_CHARACTERS = 2000
_ONE_WORD = r"[^\W_][\w+#-]*"
_QUOTED = r"\"[^\"]{1,60}\"|“[^”]{1,60}”|'[^']{1,60}'"
_NAME = rf"(?:{_QUOTED}|(?:(?:the|our)\s+)?{_ONE_WORD}(?:\s+{_ONE_WORD})?)"
"""Words in quotation marks, or one or two words."""
_THING = rf"(?:{_QUOTED}|(?:(?:the|our|my|an?)\s+)?{_ONE_WORD}(?:\s+{_ONE_WORD}){{0,3}}?)"
_START = r"(?:^|(?<=[.,;:!?(]\s)|(?<=\n))"
_GOES_ON = "is|are|was|were|has|have|had|and|or|but|which|that|who|when|where|because|since|if|in|on|at"
_END = rf"(?=\s*(?:[,.;:!?)\n]|$|\s(?:{_GOES_ON})\b))"
_TOLD = rf"""
    (?P<thing>{_THING})(?:,\s*|\s*\(\s*)(?:aka|a\.k\.a\.|also\sknown\sas|(?:also|otherwise)\scalled)\s+(?P<name>{_NAME})
    {_START}(?P<name1>{_NAME})\s+is\s+(?:our|the|a)\s+(?:own\s+)?(?:name|nickname|code\s?name|shorthand|word)\s+for\s+(?P<thing1>{_THING})
    {_START}(?P<name2>{_NAME})\s+(?:stands\sfor|is\sshort\sfor)\s+(?P<thing2>{_THING})
    (?i:we)\s+(?:all\s+)?call\s+(?P<thing3>(?:the|our)\s+{_ONE_WORD}(?:\s+{_ONE_WORD}){{0,2}}?)\s+(?P<name3>{_QUOTED}|(?:the|our)\s+{_ONE_WORD})
    (?i:by)\s+(?P<name4>{_NAME})\s+we\s+mean\s+(?P<thing4>{_THING})
    {_START}(?P<name5>{_QUOTED})\s+(?:means|refers\sto)\s+(?P<thing5>{_THING})
"""


def find_other_names(text: str) -> list[OwnLine]:
    """The own-word lines that a text defines: a name, and its meaning."""
    return list(dict.fromkeys(_read_definitions(text[:_READ_CHARACTERS])))


def _read_definitions(text: str) -> Iterator[OwnLine]:
    for match in _pattern().finditer(text):
        sides = {key.rstrip("12345"): _bare(value) for key, value in match.groupdict().items() if value}
        line = OwnLine((sides["name"],), (sides["thing"],))
        if not problem(line.text):
            yield line


def _bare(phrase: str) -> str:
    """A phrase without quotation marks, and without everything up to its last article."""
    return re.split(r"(?i)\b(?:the|our|my|an?)\s", phrase.strip("\"'“”. "))[-1].strip()


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{alternatives(_TOLD)}){_END}")
