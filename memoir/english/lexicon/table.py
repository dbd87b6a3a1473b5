"""The compiled lexicon: sorted lines, looked up by the first word of what they speak of.

An entry is `FIRST<tab>KIND<tab>WORDS<tab>CONCEPTS`: the base of the first word; what kind it is; all words, by their
bases or as they are spelt; the concepts, each with a `~` if it is only related. A line `=CONCEPT<tab>RELATED` has the
concepts related to one. The first line, after a `!`, is the version, by which an index knows whether it is of this
lexicon.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from memoir.english.sorted_lines import contents, damaged, lines_after

RELATED = 0.4
"""The weight of a concept that is only related, beside that of one that is meant."""
FILE = Path(__file__).with_name("table.txt")
_WHAT = "the lexicon"
WORD, TERM, ORDINARY, FREQUENT = "wtof"
"""Kinds: a word or phrase of a concept; a name; a name that is an ordinary word too; one that is a frequent word."""
NAME = "n"
"""The kind of a name that a store gives to something; the table has none (`memoir.english.lexicon.own_words`)."""


class Entry(NamedTuple):
    """What some words speak of: those of a concept or of a store by their bases, those of a term in small letters."""

    kind: str
    words: tuple[str, ...]
    concepts: Mapping[str, float]

    def stands_at(self, place: int, words: Sequence[str], bases: Sequence[str]) -> bool:
        """Whether the words of a text, in small letters and by their bases, are those of the entry from a place on."""
        its = bases if self.kind in (WORD, NAME) else words
        return tuple(its[place : place + len(self.words)]) == self.words


@lru_cache(maxsize=5000)
def entries(first: str) -> Sequence[Entry]:
    """The entries that begin with a word, by its base, the longest first, and names before words."""
    try:
        found = [_entry(line) for line in _lines(first)]
    except (ValueError, IndexError) as reason:
        raise damaged(_WHAT, reason) from reason
    return sorted(found, key=lambda entry: (-len(entry.words), entry.kind == WORD))


@lru_cache(maxsize=5000)
def related(concept: str) -> Sequence[str]:
    """The concepts related to one."""
    try:
        return [name for line in _lines(f"={concept}") for name in line.split(",")]
    except UnicodeDecodeError as reason:
        raise damaged(_WHAT, reason) from reason


@cache
def version() -> str:
    """Eight digits of the lexicon's digest."""
    return contents(FILE, _WHAT)[1:9].decode()


def _entry(line: str) -> Entry:
    kind, words, concepts = line.split("\t")
    weights = {each.lstrip("~"): RELATED if each[0] == "~" else 1.0 for each in concepts.split(",")}
    return Entry(kind, tuple(words.split(" ")), weights)


def _lines(first: str) -> list[str]:
    """What follows a key on each of its lines."""
    return lines_after(contents(FILE, _WHAT), f"{first}\t")
