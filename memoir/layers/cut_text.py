"""Cutting a text into pieces that are joined again without a loss."""

import re
from collections.abc import Iterator

MOST = 2_000
"""The most characters of a segment, the white space behind it aside."""
_ENDS = (r"\n[ \t]*\n", r"\n", r"[.!?…。！？][\"'”’)\]]*(?=\s)", r"\s")
"""Where a text is best cut: behind a paragraph, else behind a line, a sentence, a word."""


def cut(text: str, most: int = MOST) -> list[str]:
    """The pieces of a text, each of at most `most` characters and none blank; only a blank text is one blank piece.

    Joined they are the text again. White space belongs to the piece before it, at the beginning to the first piece, and
    does not count.
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
    """Where the piece that starts somewhere ends; its second half is searched for a good place."""
    stop = start + most
    if len(text) - start <= most or text[start:].isspace():
        return len(text)
    for pattern in _ENDS:
        places = [match.end() for match in re.finditer(pattern, text[start : stop + 1]) if match.end() > most // 2]
        if places and (end := start + min(places[-1], most)):
            return end
    return stop


def _skip(text: str, at: int) -> int:
    """The next place that is not white space."""
    match = re.compile(r"\s*").match(text, at)
    return match.end() if match else at
