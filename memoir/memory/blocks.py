"""Cutting a text into pieces of a few hundred characters, at its blocks."""

import re
from collections.abc import Iterable, Iterator, Sequence

MOST = 600
"""The most characters of a piece; about the 128 tokens that MiniLM reads."""
_LEAST = 90
"""The fewest characters of a piece, where there is one before it that it can go with."""
_BLOCK = re.compile(r"(?:[-*+•]|\d{1,3}[.)])[ \t]+\S|#{1,6}[ \t]")
"""How a line begins a block of its own: as a list item or a heading."""
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_CAPTION = 80
"""The most characters of the first words of a text."""
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]]*\s+|(?<=[。！？])")


def cut_blocks(text: str, most: int = MOST) -> list[str]:
    """The pieces of a text, in order and verbatim but for the white space around them."""
    text = text.strip()
    if len(text) <= most:
        return [text] if text else []
    return list(_pack((part for block in _blocks(text) for part in _split(block, most)), most))


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, list items, headings and fenced code, each with the blank lines behind it."""
    lines: list[str] = []
    fence, was_blank = False, False
    for line in text.splitlines(keepends=True):
        is_underline = bool(lines) and not (fence or was_blank or line.strip("~ \t\n"))
        is_fence = bool(_FENCE.match(line)) and not is_underline
        begins = was_blank or bool(_BLOCK.match(line.lstrip(" \t"))) or (is_fence and not fence)
        if lines and not fence and begins and line.strip():
            yield "".join(lines)
            lines = []
        lines.append(line)
        fence ^= is_fence
        was_blank = not line.strip()
    if lines:
        yield "".join(lines)


def _split(block: str, most: int) -> Iterator[str]:
    """A block that is too long, at its lines, else at its sentences, else at its words."""
    if len(block.strip()) <= most:
        yield block
        return
    for pieces in (block.splitlines(keepends=True), _sentences(block), re.findall(r"\S+\s*", block)):
        if len(pieces) > 1:
            for part in _group(pieces, most):
                yield from _split(part, most)
            return
    yield from (block[at : at + most] for at in range(0, len(block), most))


def _sentences(text: str) -> list[str]:
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    return [part for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if (part := text[start:end])]


def _group(pieces: Sequence[str], most: int) -> Iterator[str]:
    """Neighbouring pieces joined as long as they are short enough; a longer one is alone."""
    group = ""
    for piece in pieces:
        if group and len((group + piece).strip()) > most:
            yield group
            group = ""
        group += piece
    if group:
        yield group


def _pack(parts: Iterable[str], most: int) -> Iterator[str]:
    """Parts joined to pieces; a short tail goes to the piece before it."""
    pieces = [piece for piece in _group(list(parts), most) if piece.strip()]
    if len(pieces) > 1 and len(pieces[-1].strip()) < _LEAST:
        pieces[-2:] = ["".join(pieces[-2:])]
    yield from (piece.strip("\n").rstrip() for piece in pieces)


def first_words(text: str) -> str:
    """The first words of a text, on one line."""
    words = " ".join(text[: 4 * _CAPTION].split()).lstrip("#>*- ")
    return words if len(words) <= _CAPTION else words[:_CAPTION].rpartition(" ")[0] + " …"
