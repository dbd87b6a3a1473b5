"""Find words that may be names: with a capital inside a sentence, or spelt as an identifier.

A single text is not enough, because headings have capitals, too; counts over many texts are (`is_name`).
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from memoir.english.stopwords import STOP_WORDS

LEAST_CAPITAL = 0.6
"""The share of a name's occurrences inside sentences that must have a capital."""

_IDENTIFIER = r"""
          (?= \w* [^\W\d_] ) \w+ (?: [./-] \w+ )* _ \w+ (?: [./-] \w+ )*  # read_timeout, app/main_loop.py
        | [^\W\d_]* [a-z] [0-9]* [A-Z] [^\W_]*                          # getUser, GitHub
        | [^\W\d_]+ -? \d [\w.-]*                                       # v2.1, E1234, ADR-7
        | v? \d+ (?: \. \d+ ){2,}                                       # 2.0.1
        | /? (?: [\w.-]+ / ){2,} [\w.-]* | [\w/-]* \w{2} \. [a-z]{1,5}  # src/app/cli, main.py
    """
_JOINTS = frozenset("_./")
"""Every identifier contains one of these, unless it is letters with a digit or capital among them."""
_LONGEST = 100
"""Characters of the longest identifier."""
_ENDS = tuple(".!?:;")
_CLOSING_MARKS = "\"'”’)]}*`"
_MARKS = ".,;:!?…" + _CLOSING_MARKS + "“‘([{<>-–—"


class WordCounts(NamedTuple):
    """Counts of lower-case words in texts, without stop words and numbers.

    `texts` counts the texts with a word, `inside` its occurrences inside sentences, `capitals` those of them with a
    capital, and `identifiers` its occurrences as an identifier. The first word of a sentence, or after a colon, does
    not count as inside, because it has a capital anyway.
    """

    texts: Counter[str]
    inside: Counter[str]
    capitals: Counter[str]
    identifiers: Counter[str]


def is_name(inside: int, capitals: int, identifiers: int) -> bool:
    """Whether a word is a name, by its `WordCounts`."""
    return identifiers > 0 or (capitals > 0 and capitals >= LEAST_CAPITAL * inside)


def count_words(texts: Iterable[str]) -> WordCounts:
    """Count the words of some texts."""
    lists: tuple[list[str], ...] = ([], [], [], [])
    for text in texts:
        words: _Words = [], [], [], []
        for line in text.split("\n"):
            _read(line, words)
        for whole, part in zip(lists, (set().union(*words), *words[:3]), strict=True):
            whole += part
    counts = WordCounts(*map(Counter, lists))
    for counter in counts:
        for word in STOP_WORDS & counter.keys():
            del counter[word]
    return counts


def tokens(text: str) -> Iterator[tuple[str, list[str]]]:
    """The tokens of a text: what each is if it is an identifier, else "", and its words otherwise; in small letters."""
    for token in text.split():
        core = _core(token)
        yield core.lower() if _may_be_identifier(core) else "", _small(_words_of(core))


def holds_word(text: str, words: Collection[str]) -> bool:
    """Whether `count_words` would find any of the lower-case words in a text; many times faster."""
    wanted = set(words) - STOP_WORDS
    parts = re.compile("|".join(map(re.escape, {word.casefold() for word in wanted})) or "(?!)")
    tokens = (token for token in text.split() if parts.search(token.casefold()))
    return any(not wanted.isdisjoint(part) for token in tokens for part in _split(token, begins=False)[0])


_Words = tuple[list[str], list[str], list[str], list[str]]
"""Lists of lower-case words with repetitions: inside sentences, those of them with a capital, identifiers, and words
that begin sentences."""


def _read(line: str, words: _Words) -> None:
    """Add the words of a line to `words`; a line begins a sentence."""
    begins = True
    for token in line.split():
        if token.isalpha() and token[1:].islower():  # a shortcut for plain words, which are most
            _add_plain(token, words, begins=begins)
            begins = False
            continue
        found, ends_sentence = _split(token, begins=begins)
        for whole, part in zip(words, found, strict=True):
            whole += part
        begins = begins if ends_sentence is None else ends_sentence


def _add_plain(word: str, words: _Words, *, begins: bool) -> None:
    inside, capitals, _, first = words
    (first if begins else inside).append(small := word.lower())
    if not begins and word[0].isupper():
        capitals.append(small)


@cache
def _identifier() -> re.Pattern[str]:
    return re.compile(_IDENTIFIER, re.VERBOSE)  # slow to compile, and plain words do without


def _is_identifier(text: str) -> bool:
    return len(text) <= _LONGEST and _may_be_identifier(text) and _identifier().fullmatch(text) is not None


def _may_be_identifier(text: str) -> bool:
    """A quick test that every identifier passes, but few words do."""
    if text.isalpha():
        return not text[1:].islower() and not text.isupper()
    begins = text[:1].isalnum() and not text[0].isdecimal()
    has_digit = text.isalnum() or any(map(str.isdecimal, text))
    return (begins and has_digit) or not _JOINTS.isdisjoint(text)


@lru_cache(maxsize=20_000)
def _split(spelling: str, *, begins: bool) -> tuple[_Words, bool | None]:
    """The words of a token, and whether it ends a sentence; None if it is only punctuation."""
    core = _core(spelling)
    ends = spelling.rstrip(_CLOSING_MARKS).endswith(_ENDS) if core else None
    if _is_identifier(core):
        return ([], [], [core.lower()], []), ends
    words = _words_of(core)
    inside, first = words[begins:], words[:begins]
    capitals = [word for word in inside if word[0].isupper()]
    return (_small(inside), _small(capitals), [], _small(first)), ends


def _core(token: str) -> str:
    """A token without the marks around it, and without the ending of an owner."""
    return token.strip(_MARKS).removesuffix("'s").removesuffix("’s")


def _words_of(core: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", core) if not word[0].isdigit()]


def _small(words: Iterable[str]) -> list[str]:
    return list(map(str.lower, words))
