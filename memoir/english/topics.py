"""The topics of a text: weighted stems that it may share with other texts about the same thing.

Stop words and chatter are no topics, and a name weighs more than another word. Topics depend on the text alone, so they
do not change as other memories come.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from memoir.english.stopwords import CHATTER, STOP_WORDS
from memoir.english.words import is_plain, stems

NAME, WORD, PATH = 2.0, 1.0, 0.5
"""The weights of a name or a word in both text and path, of any other word, and of one in the path alone."""
MOST = 60
"""The most topics of one text; the first are kept."""
_READ_CHARACTERS = 4000
"""Characters of a text that are read: a long text names its topics early."""
_SHORTEST, _LONGEST = 3, 64

_TELLS_NOTHING = STOP_WORDS | CHATTER
_SENTENCES = re.compile(r"(?<=[.!?:])\s+|\n")
_WORDS = re.compile(r"[^\W_](?:[\w'’+#-]*[\w+#])?")
_IDENTIFIER = re.compile(r"\w[A-Z]|\w_\w|[^\W\d_].*\d|\d.*[^\W\d_]")
"""A capital, an underscore or a digit inside a word."""


class Topic(NamedTuple):
    """A topic: its stem, the word as first written in this text, and its weight."""

    stem: str
    word: str
    weight: float


def topics(text: str, path: str = "", without: Collection[str] = ()) -> list[Topic]:
    """The distinct topics of a text and its path, in order.

    Args:
        text: A memory's content.
        path: Its path; a word of it counts less where the text lacks it, and as a name where the text has it.
        without: Case-folded words that are not topics, such as the names of the people that the text is about.
    """
    by_stem: dict[str, Topic] = {}
    for word, weight in _words(text[:_READ_CHARACTERS]):
        stem = _stem(word)
        if stem and word.casefold() not in without and (stem not in by_stem or by_stem[stem].weight < weight):
            by_stem[stem] = Topic(stem, word, weight)
    for word in re.split(r"[._-]", path)[1:]:  # the first segment is a category, the kind of memory
        if stem := _stem(word):
            by_stem[stem] = by_stem[stem]._replace(weight=NAME) if stem in by_stem else Topic(stem, word, PATH)
    return list(by_stem.values())[:MOST]


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str | None:
    """The stem of a topic word; None for any other word."""
    lower = word.casefold()
    if lower in _TELLS_NOTHING or lower.isdigit() or len(lower) > _LONGEST:
        return None
    stem = "".join(stems(word)[-1:])
    is_class = stem.startswith("{")
    return None if is_class or stem in STOP_WORDS or len(stem) < _SHORTEST else stem


def _words(text: str) -> Iterator[tuple[str, float]]:
    for sentence in _SENTENCES.split(text):
        for position, word in enumerate(_WORDS.findall(sentence)):
            bare = word[:-2] if word.endswith(("'s", "’s")) else word
            yield bare, NAME if (position > 0 and bare[0].isupper()) or _is_identifier(bare) else WORD


def _is_identifier(word: str) -> bool:
    return not is_plain(word) and bool(_IDENTIFIER.search(word[:_LONGEST]))
