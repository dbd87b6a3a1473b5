"""Replaces misspelt words of a query by words that occur in memories.

A word counts as misspelt if no memory has it, the vocabulary of `static` lacks it, and one edit turns it into a word of
some memory: a letter added, left out, replaced, or exchanged with the next one (Damerau, "A technique for computer
detection and correction of spelling errors", CACM 1964). The first two letters are assumed to be right. Names and
identifiers are never changed.
"""

import re
from collections.abc import Iterator

from memoir.embedders import static
from memoir.errors import EmbedderUnavailable
from memoir.index.lexical import Terms

MOST = 2
"""The most words of a query that are corrected, because each takes its own search."""
_RIGHT = 2
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # as in `string`, whose import would take longer than correcting a word
_LONG = range(5, 31)
"""The lengths of words that are corrected; a shorter word is near too many others."""
_BEFORE, _AFTER = "\"'(", "\"').,;:!?"
"""The punctuation that may stand before and after such a word."""


def correct(terms: Terms, text: str) -> str:
    """A text with its misspelt words replaced."""
    alone = (chunk.lstrip(_BEFORE).rstrip(_AFTER) for chunk in text.split())
    words = dict.fromkeys(word for word in alone if len(word) in _LONG and word.isascii() and word.isalpha())
    unknown = [word for word in words if word.islower() and _is_unknown(terms, word)]
    for word in unknown[:MOST]:
        text = re.sub(rf"(?<![^\s{_BEFORE}]){word}(?=[{_AFTER}]*(?:\s|$))", _nearest(terms, word), text)
    return text


def _is_unknown(terms: Terms, word: str) -> bool:
    """Whether neither a memory nor the vocabulary has a word."""
    try:
        return not terms[word].documents and not static.is_word(word)
    except EmbedderUnavailable:  # without a vocabulary nothing is corrected
        return False


def _nearest(terms: Terms, word: str) -> str:
    """The word one edit away that occurs in the most memories; the word itself if none does."""
    beginning = word[:_RIGHT]
    holders = terms.count_holders(sorted({beginning + rest for rest in _edits(word[_RIGHT:])}), beginning)
    return max(holders, key=lambda each: (holders[each], static.is_word(each)), default=word)


def _edits(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        yield from (head + letter + tail for letter in _LETTERS)
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _LETTERS)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
