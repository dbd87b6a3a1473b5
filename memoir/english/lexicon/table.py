"""The compiled lexicon: sorted lines, looked up by the base form of a phrase's first word.

An entry is `FIRST<tab>KIND<tab>WORDS<tab>CONCEPTS`: the base form of the first word, the kind, all words (base forms or
as spelt), and the concepts, with a `~` if only related. A line `=CONCEPT<tab>RELATED` lists related concepts. The first
line, after a `!`, is the version, which indexes are checked against.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from memoir.english.patterns import word_set
from memoir.english.sorted_lines import contents, damaged, lines_after

_WORDS = r"[^\W_]+(?:\+\+|#)?"
_VOWELS = frozenset("aeiouy")


def split(text: str) -> list[str]:
    """The words of a text for comparison, `c++` and `c#` among them."""
    return pattern().findall(text)


@cache
def pattern() -> re.Pattern[str]:
    """The pattern of a word."""
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
"""Words that only look like inflections: an evening is not even, and parking is not about parks."""
_OF_NOUNS = {"booked": "booking"}


@lru_cache(maxsize=20_000)
def base(word: str) -> str:
    """The base form of a lower-case word, without plural or tense; unlike a stem, it keeps nouns and verbs apart.

    It may not be a word (`releas`). Short words keep their `e`, so that `care` is not `car`, and `caring` gets it back.
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
    """Whether a word without its ending lost an `e`; otherwise its consonant would have been doubled."""
    is_doubled = not word.endswith("e") and word[len(rest) : len(rest) + 1] == rest[-1:]
    return not is_doubled and _is_short(rest)


def _is_short(word: str) -> bool:
    """Whether a word is one syllable ending in vowel and consonant, which an ending would double."""
    return word[-2:-1] in _VOWELS and word[-1] not in _VOWELS.union("wx") and _VOWELS.isdisjoint(word[:-2])


def _without_tense(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWELS.intersection(rest):
            if word.endswith("ied"):
                return rest[:-1] + "y"
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    return word


RELATED = 0.4
"""The weight of a related concept; that of a direct one is 1."""
FILE = Path(__file__).with_name("table.txt")
_WHAT = "the lexicon"
WORD, TERM, ORDINARY, FREQUENT = "wtof"
"""Kinds: a word or phrase; a name; a name that is also an ordinary word; one that is also a frequent word."""
NAME = "n"
"""The kind of a store's own name (`memoir.english.lexicon.own_words`); the table has none."""


class Entry:
    """Words and their concepts; the words are base forms in the kinds `WORD` and `NAME`, else lower-case."""

    def __init__(self, kind: str, words: tuple[str, ...], concepts: Mapping[str, float]) -> None:
        self.kind, self.words, self.concepts = kind, words, concepts
        self.second = words[1] if len(words) > 1 else None
        """The second word, to rule out most phrases that begin with a frequent word."""

    def stands_at(self, position: int, words: Sequence[str], bases: Sequence[str]) -> bool:
        """Whether the entry matches a text (its lower-case words and their base forms) at a position."""
        its = bases if self.kind in (WORD, NAME) else words
        return tuple(its[position : position + len(self.words)]) == self.words


@lru_cache(maxsize=5000)
def entries(first: str) -> Sequence[Entry]:
    """The entries whose first word has this base form, the longest first, names before words."""
    try:
        found = [_entry(line) for line in _lines(first)]
    except (ValueError, IndexError) as reason:
        raise damaged(_WHAT, reason) from reason
    return sorted(found, key=lambda entry: (-len(entry.words), entry.kind == WORD))


def is_common(word: str) -> bool:
    """Whether a word alone expresses a concept: `snapshot`, but not the name `grafana`."""
    return any(entry.kind == WORD and len(entry.words) == 1 for entry in entries(base(word)))


def is_known(word: str) -> bool:
    """Whether a lower-case word alone is an entry: a name such as `grafana`, or a word such as `snapshot`."""
    return is_common(word) or any(entry.words == (word,) for entry in entries(base(word)))


@lru_cache(maxsize=5000)
def related(concept: str) -> Sequence[str]:
    """The related concepts of a concept."""
    try:
        return [name for line in _lines(f"={concept}") for name in line.split(",")]
    except UnicodeDecodeError as reason:
        raise damaged(_WHAT, reason) from reason


@cache
def version() -> str:
    """The first eight digits of the lexicon's digest."""
    return contents(FILE, _WHAT)[1:9].decode()


def _entry(line: str) -> Entry:
    kind, words, concepts = line.split("\t")
    weights = {each.lstrip("~"): RELATED if each[0] == "~" else 1.0 for each in concepts.split(",")}
    return Entry(kind, tuple(words.split(" ")), weights)


def _lines(first: str) -> list[str]:
    """The rests of all lines that begin with a key."""
    return lines_after(contents(FILE, _WHAT), f"{first}\t")
