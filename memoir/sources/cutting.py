"""Cut a text into pieces that join to the same text again.

A document is cut at its headings: those of Markdown, and lines that are underlined. A conversation is cut at pauses,
and where its topic changes.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from memoir.english.lasting.project_documents import only_weighs
from memoir.english.sentences import NEW_SUBJECT
from memoir.english.stopwords import STOP_WORDS
from memoir.english.words import plain_words, stem
from memoir.memory.passages import first_words
from memoir.sources.turns import Turn
from memoir.times import format_instant

MOST = 2_000
"""The most characters of a segment, without the white space after it."""
_ENDS = (r"\n[ \t]*\n", r"\n", r"[.!?…。！？][\"'”’)\]]*(?=\s)", r"\s")
"""Where to cut a text, the best first: after a paragraph, a line, a sentence, a word."""


def cut(text: str, most: int = MOST) -> list[str]:
    """The pieces of a text, each of at most `most` characters and none blank; only a blank text is one blank piece.

    Joined they are the text again. White space belongs to the piece before it, or at the beginning to the first piece,
    and does not count towards `most`.
    """
    return list(_pieces(text, most)) if len(text) > most else [text]


def _pieces(text: str, most: int) -> Iterator[str]:
    at, begins = 0, _skip(text, 0)
    while begins < len(text):
        ends = _skip(text, _end(text, begins, most))
        yield text[at:ends]
        at = begins = ends
    if not at:
        yield text


def _end(text: str, start: int, most: int) -> int:
    """The end of the piece that begins at `start`: the best place in its second half."""
    stop = start + most
    if len(text) - start <= most:
        return len(text)
    for pattern in _ENDS:
        ends = [match.end() for match in re.finditer(pattern, text[start : stop + 1]) if match.end() > most // 2]
        if ends and (end := start + min(ends[-1], most)):
            return end
    return stop


def _skip(text: str, at: int) -> int:
    """The next place that is not white space."""
    match = re.compile(r"\s*").match(text, at)
    return match.end() if match else at


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HASHES = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_UNDERLINE = re.compile(r"(=|-|~|\^|\")\1{2,}[ \t]*$")
_LEVELS = {"=": 1, "-": 2}


class DocumentSection(NamedTuple):
    """A part of a document, verbatim, with its headings, the highest first; `begins`: its section begins with it."""

    headings: tuple[str, ...]
    text: str
    begins: bool = True
    is_projects: bool = False
    """Whether it states facts of a project, as decisions do and manuals do not."""

    @property
    def caption(self) -> str:
        """The headings; also the beginning of the text if the part is a continuation or has no heading."""
        under = " > ".join(self.headings)
        return under if under and self.begins else ": ".join(filter(None, (under, first_words(self.text))))


def sections(text: str, *, is_projects: bool = False) -> list[DocumentSection]:
    """The sections of a document, each cut to the size of a segment; joined they are the document."""
    return [
        DocumentSection(headings, piece, not at, is_projects and not only_weighs(headings))
        for headings, lines in _merge(_split_at_headings(text.splitlines(keepends=True)))
        for at, piece in enumerate(cut("".join(lines)))
    ]


class _Part(NamedTuple):
    headings: tuple[str, ...]
    lines: list[str]


def _split_at_headings(lines: Sequence[str]) -> Iterator[_Part]:
    """The parts of a document: each except the first begins at a heading."""
    open_fence, headings, start = "", list[tuple[int, str]](), 0
    for at, line in enumerate(lines):
        if (fence := _FENCE.match(line)) and (open_fence or not _is_underline(lines, at)):
            open_fence = fence[1] if not open_fence else "" if fence[1].startswith(open_fence) else open_fence
        elif not open_fence and (heading := _heading(lines, at)):
            yield _Part(tuple(title for _, title in headings), list(lines[start:at]))
            headings = [*((level, title) for level, title in headings if level < heading[0]), heading]
            start = at
    yield _Part(tuple(title for _, title in headings), list(lines[start:]))


def _is_underline(lines: Sequence[str], at: int) -> bool:
    """Whether a line directly below text underlines it as a heading, where `~~~~` does not begin code."""
    return at > 0 and bool(lines[at - 1].strip()) and bool(_UNDERLINE.match(lines[at]))


def _heading(lines: Sequence[str], at: int) -> tuple[int, str] | None:
    """The level and the title of the heading that a line is; None if it is not a heading."""
    line = lines[at].rstrip("\r\n")
    if match := _HASHES.match(line):
        return len(match[1]), match[2].rstrip().rstrip("#").rstrip()
    below = lines[at + 1].rstrip("\r\n") if at + 1 < len(lines) else ""
    alone = at == 0 or not lines[at - 1].strip()
    if alone and line.strip() and not line[0].isspace() and (under := _UNDERLINE.match(below)):
        return _LEVELS.get(under[1], 3), line.strip()
    return None


def _merge(parts: Iterator[_Part]) -> Iterator[_Part]:
    """The parts; one with only a heading, frontmatter or white space is joined with the next one."""
    lines: list[str] = []
    headings: tuple[str, ...] = ()
    for part in parts:
        headings = part.headings
        lines += part.lines
        if not _is_bare(part.lines):
            yield _Part(headings, lines)
            lines = []
    if lines:
        yield _Part(headings, lines)


def _is_bare(lines: Sequence[str]) -> bool:
    """Whether a part has no text of its own below its heading."""
    text_lines = [line for line in lines if line.strip()]
    fences = [at for at, line in enumerate(text_lines) if line.rstrip() == "---"]
    if fences == [0, len(text_lines) - 1]:  # frontmatter
        return True
    return all(_HASHES.match(line.rstrip("\r\n")) for line in text_lines) or (
        len(text_lines) == 2 and bool(_UNDERLINE.match(text_lines[1].rstrip("\r\n")))
    )


PAUSE = timedelta(minutes=30)
"""A silence that ends a segment; web analytics use the same time between visits."""
_WINDOW = 4
"""How many turns before and after a possible cut are compared."""
_LIKE = 0.1
"""The greatest cosine of two windows that counts as a change of topic."""
_ENOUGH, _LITTLE = 600, 200
"""The fewest characters of a segment that ends at a change of words, and of one that ends at an announced new topic."""


class Talk(NamedTuple):
    """A part of a conversation: turns that belong together, or a piece of one that is long."""

    turns: tuple[Turn, ...]
    text: str
    begins: bool = True
    """Whether the text begins at the start of its first turn, not within it."""

    @property
    def offsets(self) -> list[int] | None:
        """The positions in the text at which turns begin; None if every line that looks like a beginning is one.

        A turn may quote another one, or contain a line such as `user: root`.
        """
        label, offsets, at = _label(tuple(self.speakers)), list[int](), 0
        for turn in self.turns if self.begins else ():
            match = label.search(turn.text)
            offsets.append(at + (match.start() if match else 0))
            at += len(turn.text)
        return offsets if [match.start() for match in label.finditer(self.text)] != offsets else None

    @property
    def speakers(self) -> list[str]:
        """The speakers, in the order of their first turns."""
        return list(dict.fromkeys(turn.speaker for turn in self.turns))

    @property
    def times(self) -> list[datetime]:
        """The known times of the turns."""
        return [turn.time for turn in self.turns if turn.time]

    @property
    def caption(self) -> str:
        """The speakers, the day, and the beginning of the first turn of some length."""
        first = next((turn for turn in self.turns if turn.time), None)
        day = f", {first.time:%-d %B %Y}" if first and first.time else ""
        longest = max(self.turns, key=lambda turn: min(len(turn.words), 60))
        return f"{' and '.join(self.speakers[:3])}{day}: {first_words(longest.words or self.text)}"


def talks(turns: Sequence[Turn]) -> list[Talk]:
    """The parts of a conversation, each at most a segment; joined they are the conversation."""
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
    """Matches a line's beginning that looks like that of a turn: a name and a colon, optionally after a date."""
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
    if size >= _LITTLE and NEW_SUBJECT.match(turn.words):
        return True
    return size >= _ENOUGH and _likeness(words, at) <= _LIKE


def _likeness(words: "Sequence[Counter[str]]", at: int) -> float:
    """The cosine of the words in the turns before and after a place (Hearst, "TextTiling", 1997)."""
    one, two = (sum(part, Counter[str]()) for part in (words[max(at - _WINDOW, 0) : at], words[at : at + _WINDOW]))
    product = sum(count * two[word] for word, count in one.items())
    return product / (sqrt(sum(n * n for n in one.values()) * sum(n * n for n in two.values())) or 1.0)


def _words(text: str) -> Iterator[str]:
    return (stem(word) for word in plain_words(text) if word not in STOP_WORDS)


Part = Talk | DocumentSection
"""A part of a source, before it is stored."""


def began_of(part: Part) -> str | None:
    """When a part of a conversation began; None if unknown."""
    times = part.times if isinstance(part, Talk) else []
    return format_instant(min(times)) if times else None
