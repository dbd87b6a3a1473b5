"""Other forms of words: split identifiers (`cacheDir`, `E0308`), text without spaces, short forms and synonyms.

A full-text index splits a text at everything but letters and digits, so it finds `cacheDir` neither by `cache` nor by
`cache_dir`. This module adds the parts of a word (`cache`, `dir`) and the whole identifier without its joints
(`cachedir`). Chinese, Japanese and Korean words are found by pairs of characters.

A question may use a short form or a synonym of a memory's word. The synonyms were made from a model's vectors of single
words (`scripts/distil.py`), so they include opposites and related words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

from memoir.english.sorted_lines import contents, lines_after

LONGEST = 64
"""The most characters of an identifier; a longer one is only split at its marks."""
_RUN = r"[^\W_]+(?:[-_.:/]+[^\W_]+)*"
_POINTS = ".,;:!?"
_JOINTS = str.maketrans("-_.:/", "     ")
_UNSPACED_SCRIPTS = (range(0x3040, 0x3100), range(0x3400, 0xA000), range(0xAC00, 0xD7B0), range(0x20000, 0x31350))
"""Code points of kana, Chinese characters and Hangul."""


def forms(text: str) -> Iterator[str]:
    """Yield the forms that find a text besides its words: parts of words, and whole identifiers."""
    for run in _runs(text):
        yield from _wholes(run)
        for word in _words(run):
            yield from _parts(word)
            yield from filter(_is_unspaced, word) if len(word) > 1 and not word.isascii() else ()


def wholes(text: str) -> Iterator[str]:
    """Yield the identifiers of a text, each joined to one word; for a path also its segments."""
    for run in _runs(text):
        yield from _wholes(run)


def finest(text: str) -> str:
    """Replace the words of a text by their parts."""
    if _has_only_plain_words(text):
        return text
    return re.sub(_RUN, lambda run: run[0] if _is_plain(run[0]) else " ".join(map(_finest, _words(run[0]))), text)


def _runs(text: str) -> Iterable[str]:
    """The runs of words and joining marks in a text that may have other forms."""
    return () if _has_only_plain_words(text) else (run for run in re.findall(_RUN, text) if not _is_plain(run))


def _has_only_plain_words(text: str) -> bool:
    """Whether all words are plain, as in most questions; tested before a pattern is compiled."""
    return all(_is_plain(word.rstrip(_POINTS)) for word in text.split())


def _is_plain(word: str) -> bool:
    """Whether a word certainly has one part: ASCII letters, with only the first or all capital."""
    return word.isalpha() and word.isascii() and (word[1:].islower() or word.isupper() or len(word) == 1)


def _is_unspaced(character: str) -> bool:
    return any(ord(character) in block for block in _UNSPACED_SCRIPTS)


def _words(run: str) -> list[str]:
    return run.translate(_JOINTS).split()


def _wholes(run: str) -> Iterator[str]:
    if len(run) <= LONGEST:
        for segment in dict.fromkeys((run, *run.split("/"))):
            words = _words(segment)
            if len(words) > 1:
                yield "".join(words)


def _finest(word: str) -> str:
    return " ".join(_parts(word)) or word


def _parts(word: str) -> list[str]:
    """The parts of a word; empty if it has only one. Single letters and digits are left out."""
    if word.isascii():
        parts = _humps(word)
    else:
        stretches = [(is_unspaced, "".join(group)) for is_unspaced, group in groupby(word, _is_unspaced)]
        parts = [part for is_unspaced, text in stretches for part in (_pairs(text) if is_unspaced else _humps(text))]
    return parts if parts != [word] else []


def _humps(word: str) -> list[str]:
    """Split a word at capitals and digits."""
    if _is_plain(word) or len(word) > LONGEST:
        return [word]
    return [hump for hump in _hump().findall(word) if len(hump) > 1]


def _pairs(text: str) -> list[str]:
    """The pairs of adjacent characters; a single character alone."""
    return [text[at : at + 2] for at in range(len(text) - 1)] or [text]


@cache
def _hump() -> re.Pattern[str]:
    """The pattern of a part, compiled on first use because most questions need none."""
    return re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[^\W_]")


def other_forms(words: str) -> list[str]:
    """The words of the other forms (short or long) of phrases in lower-case text, without duplicates."""
    text = f" {words} "
    forms = [long for short, long in _short_forms() if f" {short} " in text]
    forms += [short for short, long in _short_forms() if f" {long} " in text]
    return [word for word in dict.fromkeys(" ".join(forms).split()) if f" {word} " not in text]


@cache
def _short_forms() -> Sequence[list[str]]:
    """Pairs of a short form and its long form."""
    return [line.split(": ") for line in Path(__file__).with_name("short_forms.txt").read_text("utf-8").splitlines()]


FILE = Path(__file__).with_name("synonyms.txt")
"""Sorted lines: a lower-case word and its synonyms, nearest first, none of them a form of another."""


def synonyms(word: str) -> list[str]:
    """The synonyms of a lower-case word, nearest first; most rare words have none."""
    lines = lines_after(contents(FILE, "the list of synonyms"), f"{word} ")
    return lines[0].split() if lines else []
