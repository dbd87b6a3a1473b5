"""Spotting: find the lexicon's words, phrases and names in a text, with their concepts."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from memoir.english.lexicon import table
from memoir.english.lexicon.own_words import NONE, OwnWords
from memoir.english.lexicon.table import FREQUENT, ORDINARY, RELATED, WORD, Entry, base, pattern
from memoir.english.stopwords import STOP_WORDS

_READ_CHARACTERS = 10_000
"""Characters of a text that are read."""
_SHORT = 300
"""The most characters of a text that the classes of its names are added to."""
_MOST_CLASSES = 6
_BESIDE = 0.5
"""The weight of a lower-case name that is an ordinary word, beside a name of the same kind: "isort and black"."""


class Spot(NamedTuple):
    """Lower-case words of a text, their concepts with weights, and whether they are a name."""

    words: tuple[str, ...]
    concepts: Mapping[str, float]
    is_term: bool


@lru_cache(maxsize=8)  # filing asks for a text's concepts, classes and names
def spot(text: str, own: OwnWords = NONE, *, asks: bool = False) -> Sequence[Spot]:
    """The lexicon's entries in a text, in order: longest phrases first, each word used once.

    A name that is also an ordinary word counts with a capital; in lower case only beside a name of the same kind, or in
    a text that `asks`, unless it is a frequent word. A store's `own` names always count.
    """
    found = list(_find(text[:_READ_CHARACTERS], own, asks=asks))
    sure = {concept for entry, _, is_sure in found if is_sure and entry.kind != WORD for concept in entry.concepts}
    return tuple(
        Spot(its, entry.concepts if is_sure else dict.fromkeys(entry.concepts, _BESIDE), entry.kind != WORD)
        for entry, its, is_sure in found
        if is_sure or sure.intersection(entry.concepts)
    )


def concepts_of(spots: Iterable[Spot]) -> dict[str, float]:
    """The concepts of spots and their related concepts, each with its greatest weight."""
    weights = dict[str, float]()
    for each in spots:
        for concept, weight in each.concepts.items():
            weights[concept] = max(weights.get(concept, 0.0), weight)
            for other in table.related(concept):
                weights[other] = max(weights.get(other, 0.0), weight * RELATED)
    return weights


def with_classes(text: str, own: OwnWords = NONE) -> str:
    """Append the classes of a text's names, for an embedder that may not know them; most texts are unchanged.

    A long text explains its names itself.
    """
    if len(text) > _SHORT:
        return text
    meant = (name for each in spot(text, own) if each.is_term for name, weight in each.concepts.items() if weight == 1)
    told = (word for name in meant for word in [word for line in own.lines_of(name) for word in line.words] or [name])
    classes = list(dict.fromkeys(told))[:_MOST_CLASSES]
    return f"{text} ({', '.join(classes)})" if classes else text


def with_own_words(text: str, own: OwnWords) -> str:
    """Append the store's own words for the names in a text; most texts are unchanged."""
    if not own.lines:
        return text
    names = (name for each in spot(text, own) if each.is_term for name in each.concepts)
    words = dict.fromkeys(word for name in names for line in own.lines_of(name) for word in line.words)
    return f"{text} ({', '.join([*words][:_MOST_CLASSES])})" if words else text


def _find(text: str, own: OwnWords, *, asks: bool) -> Iterator[tuple[Entry, tuple[str, ...], bool]]:
    """Yield the entries in a text, the words matched, and whether the meaning is certain."""
    words = list(pattern().finditer(text))
    texts = [word.group().lower() for word in words]
    bases, at = [base(word) for word in texts], 0
    while at < len(words):
        following = {None, *texts[at + 1 : at + 2], *bases[at + 1 : at + 2]}
        likely = (each for each in own.entries(bases[at]) if each.second in following)
        entry = next((each for each in likely if _matches(each, at, texts, bases)), None)
        if entry:
            yield entry, tuple(texts[at : at + len(entry.words)]), _is_sure(entry, words, at, asks=asks)
        at += len(entry.words) if entry else 1


def _matches(entry: Entry, at: int, texts: Sequence[str], bases: Sequence[str]) -> bool:
    is_common = entry.kind == WORD and len(entry.words) == 1 and texts[at] in STOP_WORDS
    return not is_common and entry.stands_at(at, texts, bases)


def _is_sure(entry: Entry, words: Sequence[re.Match[str]], at: int, *, asks: bool) -> bool:
    if entry.kind == FREQUENT:
        return _is_name(words, at)
    return entry.kind != ORDINARY or asks or _is_name(words, at)


def _is_name(words: Sequence[re.Match[str]], at: int) -> bool:
    """Whether a word has a capital that is not due to the beginning of a sentence."""
    if at == 0 or not words[at].group()[0].isupper():
        return False
    between = words[at].string[words[at - 1].end() : words[at].start()]
    return not any(mark in between for mark in ".!?:\n")
