"""Cutting a document into sections, at its headings: those of Markdown, and lines that are underlined."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memoir.layers.cut_text import cut
from memoir.memory.passages import first_words

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HASHES = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_UNDERLINE = re.compile(r"(=|-|~|\^|\")\1{2,}[ \t]*$")
_LEVELS = {"=": 1, "-": 2}


class DocumentSection(NamedTuple):
    """A part of a document, verbatim, and the headings that it is under, the highest first; whether it begins there."""

    headings: tuple[str, ...]
    text: str
    begins: bool = True

    @property
    def caption(self) -> str:
        """The headings, and the beginning of the text if the section goes on there or has no heading."""
        under = " > ".join(self.headings)
        return under if under and self.begins else ": ".join(filter(None, (under, first_words(self.text))))


def sections(text: str) -> list[DocumentSection]:
    """The sections of a document, each cut to the size of a segment; joined they are the document."""
    return [
        DocumentSection(headings, piece, not at)
        for headings, lines in _merge(_split_at_headings(text.splitlines(keepends=True)))
        for at, piece in enumerate(cut("".join(lines)))
    ]


class _Part(NamedTuple):
    headings: tuple[str, ...]
    lines: list[str]


def _split_at_headings(lines: Sequence[str]) -> Iterator[_Part]:
    """The parts of a document: each begins at a heading, but the first."""
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
    """Whether a line stands right below text, where `~~~~` makes that a heading and begins no code."""
    return at > 0 and bool(lines[at - 1].strip()) and bool(_UNDERLINE.match(lines[at]))


def _heading(lines: Sequence[str], at: int) -> tuple[int, str] | None:
    """The level and the title of the heading that a line is; None if it is none."""
    line = lines[at].rstrip("\r\n")
    if match := _HASHES.match(line):
        return len(match[1]), match[2].rstrip().rstrip("#").rstrip()
    below = lines[at + 1].rstrip("\r\n") if at + 1 < len(lines) else ""
    alone = at == 0 or not lines[at - 1].strip()
    if alone and line.strip() and not line[0].isspace() and (under := _UNDERLINE.match(below)):
        return _LEVELS.get(under[1], 3), line.strip()
    return None


def _merge(parts: Iterator[_Part]) -> Iterator[_Part]:
    """The parts, those that hold nothing but a heading or white space joined with the next one."""
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
    return all(_HASHES.match(line.rstrip("\r\n")) for line in text_lines) or (
        len(text_lines) == 2 and bool(_UNDERLINE.match(text_lines[1].rstrip("\r\n")))
    )
