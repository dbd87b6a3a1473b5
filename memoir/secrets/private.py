"""Text between `<private>` and `</private>`, which is never stored.

What is read from a source or handed over by a host loses it; where somebody writes a memory, that is refused, so that
nobody takes for stored what is not.
"""

import re
from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.records.metadata import strings_of
from memoir.records.record import Memory

MARK = "…"
"""What stands in the place of a private passage, as of a credential."""
_TAG = r"(?i)\\?<\s*+(?P<end>/\s*+)?+private\b[^<>\\]{0,200}+\\?>"
"""A tag, also with the backslashes by which Markdown says that it is not a tag."""


class PrivatePassage(NamedTuple):
    """The line that a passage begins in, from 1, and whether an end tag closes it; if not, it goes to the end."""

    line: int
    closed: bool


def strip_private(text: str, mark: str = MARK) -> tuple[str, list[PrivatePassage]]:
    """A text without its private passages, and where they were. Passages may be nested; a lone end tag is text."""
    if "<" not in text:
        return text, []
    parts, passages, at, depth, line, counted = list[str](), list[PrivatePassage](), 0, 0, 1, 0
    for tag in re.finditer(_TAG, text):
        if tag["end"] and depth:
            depth -= 1
            passages[-1] = passages[-1]._replace(closed=not depth)
            at = tag.end()
        elif not tag["end"]:
            if not depth:
                line, counted = line + text.count("\n", counted, tag.start()), tag.start()
                parts += [text[at : tag.start()], mark]
                passages.append(PrivatePassage(line, False))
            depth += 1
    return "".join(parts) + ("" if depth else text[at:]), passages


def refuse_private(memory: Memory) -> None:
    """Refuse a memory with a private passage in its content or metadata.

    Raises:
        InvalidInput: it has one.
    """
    if any(strip_private(text)[1] for text in (memory.content, *strings_of(memory.metadata))):
        raise InvalidInput(
            "what stands in <private> is never stored, so this is not either",
            "write the memory without that part; without the angle brackets, the word itself is welcome",
        )
