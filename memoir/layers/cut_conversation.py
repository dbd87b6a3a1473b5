"""Cutting a conversation at pauses and where its topic changes."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words, stem
from memoir.layers.cut_text import MOST, cut
from memoir.layers.turns import Turn
from memoir.memory.passages import first_words

PAUSE = timedelta(minutes=30)
"""A silence that ends a segment: the time after which web analytics, too, begin a new visit."""
_WINDOW = 4
"""How many turns before and after a place are compared."""
_LIKE = 0.1
"""The greatest cosine of two windows between which the topic changes."""
_ENOUGH, _LITTLE = 600, 200
"""The fewest characters of a segment that ends where the words change, and where a turn says that the topic does."""
_SIGNAL = re.compile(
    r"(?:anyway|by the way|btw|on another note|on a different note|changing the subject|to change the subject"
    r"|new topic|different topic|unrelated|one more thing|another thing|next topic)\b",
    re.IGNORECASE,
)


class Talk(NamedTuple):
    """A part of a conversation: turns that belong together, or a piece of one that is long."""

    turns: tuple[Turn, ...]
    text: str
    begins: bool = True
    """Whether the text begins with the first turn, and not within it."""

    @property
    def offsets(self) -> list[int] | None:
        """Where the lines are in the text at which turns begin; None if each line that looks like that is one.

        A turn may quote another one, or hold a line such as `user: root`.
        """
        label, offsets, at = _label(tuple(self.speakers)), list[int](), 0
        for turn in self.turns if self.begins else ():
            match = label.search(turn.text)
            offsets.append(at + (match.start() if match else 0))
            at += len(turn.text)
        return offsets if [match.start() for match in label.finditer(self.text)] != offsets else None

    @property
    def speakers(self) -> list[str]:
        """Who speaks, in the order of their first words."""
        return list(dict.fromkeys(turn.speaker for turn in self.turns))

    @property
    def caption(self) -> str:
        """Who speaks, on which day, and the first turn that says much."""
        first = next((turn for turn in self.turns if turn.time), None)
        day = f", {first.time:%-d %B %Y}" if first and first.time else ""
        longest = max(self.turns, key=lambda turn: min(len(turn.words), 60))
        return f"{' and '.join(self.speakers[:3])}{day}: {first_words(longest.words or self.text)}"


def talks(turns: Sequence[Turn]) -> list[Talk]:
    """The parts of a conversation, each of the size of a segment; joined they are the conversation."""
    words = [Counter(_words(turn.words)) for turn in turns]
    parts: list[Talk] = []
    group: list[Turn] = []
    for at, turn in enumerate(turns):
        if group and _ends(turns, words, at, sum(len(each.text) for each in group)):
            parts.append(_talk(group))
            group = []
        if len(turn.text.rstrip()) > MOST:
            parts += (Talk((turn,), piece, not at) for at, piece in enumerate(cut(turn.text)))
        else:
            group.append(turn)
    return [*parts, _talk(group)] if group else parts


@lru_cache(maxsize=64)
def _label(speakers: tuple[str, ...]) -> "re.Pattern[str]":
    """The beginning of a line that could be taken for that of a turn: a name and a colon, perhaps after a date."""
    names = "|".join(re.escape(name) for name in sorted(speakers, key=len, reverse=True))
    return re.compile(rf"^[ \t\d\[\]T:.,Z+*-]{{0,60}}(?:{names})\**:", re.MULTILINE)


def _talk(turns: Sequence[Turn]) -> Talk:
    return Talk(tuple(turns), "".join(turn.text for turn in turns))


def _ends(turns: Sequence[Turn], words: "Sequence[Counter[str]]", at: int, size: int) -> bool:
    """Whether a segment of some size ends before a turn."""
    before, turn = turns[at - 1], turns[at]
    if size + len(turn.text.rstrip()) > MOST:
        return True
    if turn.time and before.time and abs(turn.time - before.time) >= PAUSE:
        return True
    if size >= _LITTLE and _SIGNAL.match(turn.words):
        return True
    return size >= _ENOUGH and _likeness(words, at) <= _LIKE


def _likeness(words: "Sequence[Counter[str]]", at: int) -> float:
    """The cosine of the words in the turns before and after a place (Hearst, "TextTiling", 1997)."""
    one, two = (sum(part, Counter[str]()) for part in (words[max(at - _WINDOW, 0) : at], words[at : at + _WINDOW]))
    product = sum(count * two[word] for word, count in one.items())
    return product / (sqrt(sum(n * n for n in one.values()) * sum(n * n for n in two.values())) or 1.0)


def _words(text: str) -> Iterator[str]:
    return (stem(word) for word in plain_words(text) if word not in STOP_WORDS)
