"""Spotting: the words, phrases and names of a text that the lexicon knows, and the concepts they speak of."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from memoir.english.lexicon import table
from memoir.english.lexicon.source import RELATED
from memoir.english.lexicon.table import FREQUENT, ORDINARY, WORD, Entry
from memoir.english.stopwords import STOP_WORDS

_WORDS = r"[^\W_]+(?:\+\+|#)?"
_READ_CHARACTERS = 10_000
"""Characters of a text that are read."""
_SHORT = 300
"""Characters of a text that is told the classes of its names."""
_MOST_CLASSES = 6
_BESIDE = 0.5
"""The weight of an ordinary word in small letters that stands beside a name of the same kind: "isort and black"."""
_VOWELS = frozenset("aeiouy")


class Spot(NamedTuple):
    """Some words of a text in small letters, the weights of the concepts they speak of, and whether they are a name."""

    words: tuple[str, ...]
    concepts: Mapping[str, float]
    is_term: bool


class _Word(NamedTuple):
    """A word of a text; `is_name` says that it has a capital which the beginning of a sentence does not explain."""

    text: str
    base: str
    is_name: bool


def spot(text: str, *, asks: bool = False) -> list[Spot]:
    """What a text speaks of, in its order: the longest phrases first, no word twice.

    A name that is an ordinary word too counts with a capital, in small letters only beside a name of the same kind; in
    a text that `asks`, small letters are enough unless the word is a frequent one.
    """
    words = _read(text[:_READ_CHARACTERS])
    found = list(_find(words, asks=asks))
    sure = {concept for entry, _, is_sure in found if is_sure and entry.kind != WORD for concept in entry.concepts}
    return [
        Spot(its, entry.concepts if is_sure else dict.fromkeys(entry.concepts, _BESIDE), entry.kind != WORD)
        for entry, its, is_sure in found
        if is_sure or sure.intersection(entry.concepts)
    ]


def concepts_of(spots: Iterable[Spot]) -> dict[str, float]:
    """The concepts of some spots and those related to them, each with its greatest weight."""
    weights = dict[str, float]()
    for each in spots:
        for concept, weight in each.concepts.items():
            weights[concept] = max(weights.get(concept, 0.0), weight)
            for other in table.related(concept):
                weights[other] = max(weights.get(other, 0.0), weight * RELATED)
    return weights


def with_classes(text: str) -> str:
    """A text with the classes of the names in it, for an embedder that may not know them; mostly the text alone.

    A long text says itself what its names are.
    """
    if len(text) > _SHORT:
        return text
    meant = (name for each in spot(text) if each.is_term for name, weight in each.concepts.items() if weight == 1)
    classes = list(dict.fromkeys(meant))[:_MOST_CLASSES]
    return f"{text} ({', '.join(classes)})" if classes else text


def _find(words: list[_Word], *, asks: bool) -> Iterator[tuple[Entry, tuple[str, ...], bool]]:
    """The entries that a text has, with its words for each, and whether each is surely meant."""
    at = 0
    while at < len(words):
        entry = next((each for each in table.entries(words[at].base) if _stands(each, words, at)), None)
        if entry:
            here = words[at : at + len(entry.words)]
            yield entry, tuple(word.text for word in here), _is_sure(entry, here[0], asks=asks)
        at += len(entry.words) if entry else 1


def _stands(entry: Entry, words: list[_Word], at: int) -> bool:
    here = words[at : at + len(entry.words)]
    if entry.kind == WORD:
        is_alone = len(here) == 1 and here[0].text in STOP_WORDS
        return not is_alone and entry.words == tuple(word.base for word in here)
    return entry.words == tuple(word.text for word in here)


def _is_sure(entry: Entry, word: _Word, *, asks: bool) -> bool:
    if entry.kind == FREQUENT:
        return word.is_name
    return entry.kind != ORDINARY or word.is_name or asks


def _read(text: str) -> list[_Word]:
    words, end = list[_Word](), 0
    for match in _pattern().finditer(text):
        word, between = match.group(), text[end : match.start()]
        begins = not words or any(mark in between for mark in ".!?:\n")
        lower = word.lower()
        words.append(_Word(lower, base(lower), word[0].isupper() and not begins))
        end = match.end()
    return words


def split(text: str) -> list[str]:
    """The words of a text as they are compared, `c++` and `c#` among them."""
    return _pattern().findall(text)


@cache
def _pattern() -> re.Pattern[str]:
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
