"""Texts with line numbers, and changes of them, in the words of Anthropic's memory tool."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from memoir.memory_tool.file_paths import ToolFailure

EDIT_HEADING = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
MAX_LINES = 999_999
MAX_CHARACTERS = 16_000
"""How much of a file is shown at once: what the tool's own description tells a model."""
_WIDTH = 6
_AROUND = 2
_NAMED = 5
"""The most lines that are named of a text that stands in several."""
_LONGEST_QUOTE = 1_000


def number_lines(path: str, content: str, view_range: Sequence[int] | None = None) -> str:
    """Show a file, or the lines from the first to the last of a range (-1: to the end).

    Raises:
        ToolFailure: the file has too many lines, or the range is malformed.
    """
    lines = content.split("\n")
    if len(lines) > MAX_LINES:
        raise ToolFailure(f"File {path} exceeds maximum line limit of {MAX_LINES:,} lines.")
    first, last = _bounds(view_range, len(lines)) if view_range else (1, len(lines))
    rows = _numbers(lines[first - 1 : last], first)
    return f"Here's the content of {path} with line numbers:\n{cut(rows)}"


def _bounds(view_range: Sequence[int], count: int) -> tuple[int, int]:
    """Return the first and the last line of a range.

    Raises:
        ToolFailure: it is not a range within the file.
    """
    if len(view_range) == 2 and all(type(number) is int for number in view_range):
        first, last = view_range[0], count if view_range[1] == -1 else min(view_range[1], count)
        if 1 <= first <= last:
            return first, last
    raise ToolFailure(
        f"Invalid `view_range` parameter: {list(view_range)}. It should be within the range [1, {count}]."
    )


def _numbers(lines: Iterable[str], first: int) -> list[str]:
    return [f"{number:>{_WIDTH}}\t{line}" for number, line in enumerate(lines, first)]


def cut(lines: Sequence[str], how: str = "view them with view_range") -> str:
    """The lines that fit, and how to see the rest; always the first one."""
    rows: list[str] = []
    room = MAX_CHARACTERS
    for line in lines:
        room -= len(line) + 1
        if room < 0 and rows:
            rows.append(f"[{len(lines) - len(rows):,} more lines: {how}]")
            break
        rows.append(line[:MAX_CHARACTERS])
    return "\n".join(rows)


def only_line(content: str, old: str, path: str) -> int:
    """Return the number of the line in which a text begins that the content holds exactly once.

    Raises:
        ToolFailure: it is not there, or more than once.
    """
    quoted = old if len(old) <= _LONGEST_QUOTE else f"{old[:_LONGEST_QUOTE]}…"
    if not old or old not in content:
        raise ToolFailure(f"No replacement was performed, old_str `{quoted}` did not appear verbatim in {path}.")
    lines = list(islice(_lines_of(content, old), _NAMED))
    if len(lines) > 1:
        more = content.count(old) - len(lines)
        raise ToolFailure(
            f"No replacement was performed. Multiple occurrences of old_str `{quoted}` in lines: "
            f"{', '.join(map(str, lines))}{f' and {more:,} more' if more > 0 else ''}. Please ensure it is unique"
        )
    return lines[0]


def _lines_of(content: str, old: str) -> Iterator[int]:
    """The numbers of the lines in which a text begins, once for each place; each line break is counted once."""
    line, before, at = 1, 0, content.find(old)
    while at >= 0:
        line, before = line + content.count("\n", before, at), at
        yield line
        at = content.find(old, at + 1)


def around(content: str, line: int) -> str:
    """The lines about a line, with their numbers."""
    first = max(line - _AROUND, 1)
    return cut(_numbers(content.split("\n")[first - 1 : line + _AROUND], first))


def insert(content: str, line: int, new: str) -> str:
    """Insert a text after a line; 0 is the beginning.

    Raises:
        ToolFailure: there is no such line.
    """
    lines = content.removesuffix("\n").split("\n")
    if type(line) is not int or not 0 <= line <= len(lines):
        raise ToolFailure(f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}].")
    end = "\n" if content.endswith("\n") else ""
    return "\n".join([*lines[:line], new.removesuffix("\n"), *lines[line:]]) + end
