"""Other forms of words: identifiers taken apart (`cacheDir`, `E0308`), text without spaces, short forms and synonyms.

A full-text index cuts a text at every character but letters and digits. So it finds `cacheDir` neither by `cache` nor
by `cache_dir`. What it lacks are the parts of a word (`cache`, `dir`), and an identifier as a whole, whatever joins its
words (`cachedir`). Chinese, Japanese and Korean words are found by the pairs of their characters.

A question may have a short form or one of two words that are near in meaning, and a memory the other. The list of
synonyms was made from a model's vectors of single words (`scripts/distil.py`), so it has opposites and words for the
same sort of thing as well.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

from memoir.english.sorted_lines import contents, lines_after

LONGEST = 64
"""Characters of an identifier; what is longer is found only as it is cut at its marks."""
_RUN = r"[^\W_]+(?:[-_.:/]+[^\W_]+)*"
_POINTS = ".,;:!?"
_JOINTS = str.maketrans("-_.:/", "     ")
_UNSPACED_SCRIPTS = (range(0x3040, 0x3100), range(0x3400, 0xA000), range(0xAC00, 0xD7B0), range(0x20000, 0x31350))
"""Code points of kana, Chinese characters and Hangul."""


def forms(text: str) -> Iterator[str]:
    """The forms by which a text is found besides its words: their parts, and its identifiers as wholes."""
    for run in _runs(text):
        yield from _wholes(run)
        for word in _words(run):
            yield from _parts(word)
            yield from filter(_is_unspaced, word) if len(word) > 1 and not word.isascii() else ()


def wholes(text: str) -> Iterator[str]:
    """The identifiers of a text, each joined to one word; a path also by its segments."""
    for run in _runs(text):
        yield from _wholes(run)


def finest(text: str) -> str:
    """A text in which the words that have parts are replaced by them."""
    if _has_only_plain_words(text):
        return text
    return re.sub(_RUN, lambda run: run[0] if _is_plain(run[0]) else " ".join(map(_finest, _words(run[0]))), text)


def _runs(text: str) -> Iterable[str]:
    """The words of a text, with the marks that join them, that may have other forms."""
    return () if _has_only_plain_words(text) else (run for run in re.findall(_RUN, text) if not _is_plain(run))


def _has_only_plain_words(text: str) -> bool:
    """Whether every word is plain, as in most questions: that is told before a pattern is compiled."""
    return all(_is_plain(word.rstrip(_POINTS)) for word in text.split())


def _is_plain(word: str) -> bool:
    """Whether a word is surely in one part: ASCII letters with at most the first one a capital, or all of them."""
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
    """The parts of a word; none if it has one alone. Single letters and digits say too little, and are left out."""
    if word.isascii():
        parts = _humps(word)
    else:
        stretches = [(is_unspaced, "".join(group)) for is_unspaced, group in groupby(word, _is_unspaced)]
        parts = [part for is_unspaced, text in stretches for part in (_pairs(text) if is_unspaced else _humps(text))]
    return parts if parts != [word] else []


def _humps(word: str) -> list[str]:
    """The parts that capitals and digits show."""
    if _is_plain(word) or len(word) > LONGEST:
        return [word]
    return [hump for hump in _hump().findall(word) if len(hump) > 1]


def _pairs(text: str) -> list[str]:
    """The pairs of neighbours; the character of a text of one."""
    return [text[at : at + 2] for at in range(len(text) - 1)] or [text]


@cache
def _hump() -> re.Pattern[str]:
    """Compiled only for a word that may have parts, because most questions have none."""
    return re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[^\W_]")


def other_forms(words: str) -> list[str]:
    """The words of the other forms, short or long, of what stands in some words in small letters, each once."""
    text = f" {words} "
    forms = [long for short, long in _short_forms() if f" {short} " in text]
    forms += [short for short, long in _short_forms() if f" {long} " in text]
    return [word for word in dict.fromkeys(" ".join(forms).split()) if f" {word} " not in text]


@cache
def _short_forms() -> Sequence[list[str]]:
    """The short forms of the trade, each with what it stands for."""
    return [line.split(": ") for line in Path(__file__).with_name("short_forms.txt").read_text("utf-8").splitlines()]


FILE = Path(__file__).with_name("synonyms.txt")
"""Sorted lines: a word in small letters, and its synonyms, the nearest first. None is a form of another in its line."""


def synonyms(word: str) -> list[str]:
    """The synonyms of a word in small letters, the nearest first; most rare words have none."""
    lines = lines_after(contents(FILE, "the list of synonyms"), f"{word} ")
    return lines[0].split() if lines else []
