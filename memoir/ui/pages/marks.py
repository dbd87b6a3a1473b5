"""Texts of memories for a page: within bounds, with changed words marked."""

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from memoir.answers.answer import Line
from memoir.answers.differences import record_changes
from memoir.records.record import Record

LONGEST = 20_000
"""The characters of a memory that a page shows at first."""
MOST_EDITED = 200_000
"""The characters of a memory that a page offers to edit."""
_MOST_COMPARED = 40_000
_MOST_LINES, _LONGEST_LINE = 80, 1_200


class Shortened(NamedTuple):
    """The beginning of a text, and how many characters were left out."""

    text: str
    omitted: int


def shorten(text: str, most: int = LONGEST) -> Shortened:
    """The beginning of a text."""
    return Shortened(text[:most], max(len(text) - most, 0))


def can_edit(text: str) -> bool:
    """Whether a form gives a text back as it was: browsers drop or change control characters."""
    return len(text) <= MOST_EDITED and all(char >= " " or char in "\n\t" for char in text)


def changed_lines(old: Record | None, new: Record | None) -> list[Line]:
    """What changed between two records of a path, the words marked; of long ones, and of many lines, only a note."""
    size = sum(len(memory.content) for memory in (*(old or ()), *(new or ())))
    if size > _MOST_COMPARED:
        return [[(f"({size:,} characters are too many to compare here: 'memoir diff' compares them)", "dim")]]
    return bounded(record_changes(old or (), new or ()))


def bounded(lines: Iterable[Line]) -> list[Line]:
    """Lines as far as a page shows them."""
    rows = list(islice(lines, _MOST_LINES + 1))
    shown = [[(text[:_LONGEST_LINE], style) for text, style in row] for row in rows[:_MOST_LINES]]
    return [*shown, [("… and more lines", "dim")]] if len(rows) > _MOST_LINES else shown
