"""Misspelt words of a query, replaced by words that memories hold.

A word is taken for misspelt if no memory holds it, if it is not in the vocabulary of `static` either, and if one edit
makes a word of it that some memory holds: a letter added, left out, replaced, or exchanged with the next one (Damerau,
"A technique for computer detection and correction of spelling errors", CACM 1964). The first two letters are taken to
be right. Names and identifiers are left alone.
"""

import re
from collections.abc import Iterator

from memoir.embedders import static
from memoir.errors import EmbedderUnavailable
from memoir.index.lexical import Terms

MOST = 2
"""How many words of a query are corrected, because each one takes a search of its own."""
_RIGHT = 2
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # those of `string`, which takes longer to import than to correct a word
_LONG = range(5, 31)
"""The letters of a word that is corrected: one of fewer could be too many others."""
_BEFORE, _AFTER = "\"'(", "\"').,;:!?"
"""What may stand before and after such a word, in small letters, between two spaces."""


def correct(terms: Terms, text: str) -> str:
    """A text with its misspelt words replaced."""
    alone = (chunk.lstrip(_BEFORE).rstrip(_AFTER) for chunk in text.split())
    words = dict.fromkeys(word for word in alone if len(word) in _LONG and word.isascii() and word.isalpha())
    unknown = [word for word in words if word.islower() and _is_unknown(terms, word)]
    for word in unknown[:MOST]:
        text = re.sub(rf"(?<![^\s{_BEFORE}]){word}(?=[{_AFTER}]*(?:\s|$))", _nearest(terms, word), text)
    return text


def _is_unknown(terms: Terms, word: str) -> bool:
    """Whether no memory holds a word, and the vocabulary does not either."""
    try:
        return not terms[word].documents and not static.is_word(word)
    except EmbedderUnavailable:  # without a vocabulary nothing is corrected
        return False


def _nearest(terms: Terms, word: str) -> str:
    """The word one edit away that most memories hold; the word itself if they hold none."""
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
