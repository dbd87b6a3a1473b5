"""Printing for people, failures too: plain text in pipes, colours and a pager on a terminal."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Literal, TextIO

from memoir.answers.answer import COMMAND, Line, hint_line, line, one_line
from memoir.errors import MemoirError
from memoir.visible import neutralise

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from memoir.error_fields import BadLine, ConflictingMemory, ConflictingPath

_MOST_DAMAGED = 10


def failure_lines(error: MemoirError) -> Iterator[Line]:
    """The lines about an error, for standard error."""
    yield line(("memoir: ", "bold red"), error.message)
    if bad_lines := error.details.get("lines"):
        yield from _bad_lines(error, bad_lines)
    for conflict in error.details.get("conflicts", ()):
        yield from _sides(conflict)
    if error.hint:
        yield hint_line(error.hint)


def _bad_lines(error: MemoirError, bad_lines: "Sequence[BadLine]") -> Iterator[Line]:
    from memoir.memory.export import NoJsonLines

    most = 1 if isinstance(error, NoJsonLines) else _MOST_DAMAGED
    yield from (line(f"  line {bad['line']}: {bad['message']}") for bad in bad_lines[:most])
    if (more := len(bad_lines) - most) > 0:
        yield line(f"  and {more:,} more")


def damage_lines(damage: Mapping[str, str]) -> Iterator[Line]:
    """The lines about damaged records that were left out of an answer."""
    for name, reason in islice(damage.items(), _MOST_DAMAGED):
        yield line(("memoir: ", "bold red"), f"left out: the record at {name} is damaged: {reason}")
    if (more := len(damage) - _MOST_DAMAGED) > 0:
        yield line(f"  and {more:,} more")
    yield hint_line(
        "'memoir fsck' names all; 'memoir restore' brings an older version back, 'memoir forget' removes a record"
    )


def _sides(conflict: "ConflictingPath") -> Iterator[Line]:
    """A path that both sides changed: each memory in conflict as it was before, and on each side.

    If a side has superseded the memory, the side's present content is shown as well. Of contents that begin alike,
    as parts of a document under one heading do, the lines that differ are shown.
    """
    now = {"base": conflict["base"], "ours": conflict["ours"], "theirs": conflict["theirs"]}
    key = f"{conflict['namespace']}:{conflict['key']}"
    for memory in conflict["memories"]:
        yield line((f"  {key}#{memory['id']}", "bold"))
        pairs = zip((memory["ours"] or "").splitlines(), (memory["theirs"] or "").splitlines(), strict=False)
        alike = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
        for side, content in (("base", memory["base"]), ("ours", memory["ours"]), ("theirs", memory["theirs"])):
            nothing = "(none)" if memory["base"] is None else "(removed)"
            text = nothing if content is None else _behind(alike, content) + fields_of(memory, side)
            if content is not None and f"\n{content}\n" not in f"\n{now[side] or ''}\n":
                text += f" (superseded; now: {one_line(now[side] or '')})"
            yield line((f"    {side}: ", "dim"), text)


def _behind(alike: Sequence[str], content: str) -> str:
    """The first line of a content; if it begins with the lines `alike` of another side, the first line after them."""
    lines = content.splitlines()
    rest = "\n".join(lines[len(alike) :]).strip() if alike and lines[: len(alike)] == alike else ""
    return f"… {one_line(rest)}" if rest else one_line(content)


def fields_of(memory: "ConflictingMemory", side: str) -> str:
    """The conflicting metadata of a side, shown behind its content; empty if the contents conflict."""
    fields = [f"{name}: {its[side]}" for name, its in memory["metadata"].items() if its[side] is not None]
    return f" ({one_line(', '.join(fields))})" if fields else ""


def has_colour(stream: TextIO | None = None) -> bool:
    """Whether a stream (standard output) is a terminal whose user has not asked for plain text."""
    return (stream or sys.stdout).isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def plain(line: Line) -> str:
    """A line without its styles, made safe to show."""
    return "".join(neutralise(text) for text, _ in line) + "\n"


def show(lines: Iterable[Line], *, paged: bool = False) -> None:
    """Print lines on standard output, through the pager if they may be long."""
    if not sys.stdout.isatty():
        for number, each in enumerate(lines):
            sys.stdout.write(plain(each))
            if not number:
                sys.stdout.flush()  # so that a waiting reader sees the first line at once
    elif paged and has_colour() and (command := pager()):
        _page(lines, command)
    else:
        _print(lines, _console())


def fail(error: MemoirError) -> None:
    """Print an error, what it lists, and its hint on standard error."""
    note(failure_lines(error))


def note(lines: Iterable[Line]) -> None:
    """Print lines on standard error; ignore a failure, which could not be reported anyway."""
    rows = list(lines)
    with suppress(OSError):
        if sys.stderr.isatty():
            _print(rows, _console(stderr=True))
        else:
            sys.stderr.writelines(map(plain, rows))


def relay(text: str) -> None:
    """Print a line from git or a remote on standard error, with its line end."""
    body = text.rstrip("\r\n")
    sys.stderr.write(neutralise(body) + text[len(body) :])
    sys.stderr.flush()


def pager() -> list[str]:
    """The pager's command line; an empty `MEMOIR_PAGER` or `PAGER`, or `cat`, switches paging off."""
    import shlex

    from memoir.settings import PAGER

    try:
        command = shlex.split(PAGER.read({}))
    except ValueError:  # an unclosed quote
        return []
    return [] if command == ["cat"] else command


def _page(lines: Iterable[Line], command: list[str]) -> None:
    import subprocess

    try:
        pager = subprocess.Popen(
            command, stdin=subprocess.PIPE, text=True, encoding="utf-8", env={"LESS": "FRX", **os.environ}
        )
    except OSError:
        _print(lines, _console())
        return
    assert pager.stdin
    try:
        with pager.stdin as pipe:
            console = _console()
            console.file = pipe
            _print(lines, console)
    except BrokenPipeError:
        pass  # the reader has seen enough
    pager.wait()


def _console(*, stderr: bool = False) -> "Console":
    from rich.console import Console

    colours: Literal["auto"] | None = "auto" if has_colour(sys.stderr if stderr else sys.stdout) else None
    return Console(
        stderr=stderr, force_terminal=True, color_system=colours, highlight=False, soft_wrap=True, emoji=False,
        markup=False,
    )  # fmt: skip


def _print(lines: Iterable[Line], console: "Console") -> None:
    from rich.text import Text

    for spans in lines:
        text, shape = Text(), ""
        for piece, style in spans:
            text.append(neutralise(piece), style or None)
            shape += _unbroken(neutralise(piece), style)
        for row in _wrap(text, shape, console):
            console.print(row)


_HANGING_INDENT = 4
"""The indent of the further rows of a wrapped line that has no indent."""
_COLUMN = r" *\S.* {3,}(?=\S)"
"""What stands before a column of a table."""


def _unbroken(piece: str, style: str) -> str:
    """A piece of a line with each command made one word, so that wrapping does not break it."""
    if style == COMMAND:
        return piece.replace(" ", "_")
    return re.sub(r"'(?:\S*/)?memoir [^']*'", lambda command: command[0].replace(" ", "_"), piece)


def _wrap(text: "Text", shape: str, console: "Console") -> "Iterable[Text]":
    """A line as rows that fit the terminal, cut between the words of its shape.

    The rows keep the line's indent, or go on in its column if it is a row of a table. A word longer than a row, such
    as a URL or a command, stays whole.
    """
    from rich.text import Text

    if text.cell_len <= console.width:
        return [text]
    column = re.match(_COLUMN, text.plain[: console.width // 2])
    indent = column.end() if column else len(text.plain) - len(text.plain.lstrip(" "))
    margin = " " * min(indent or _HANGING_INDENT, console.width // 2)
    rows = text[indent:].divide(_breaks(shape[indent:], console.width - len(margin)))
    for row in rows:
        row.rstrip()
    return [text[:indent] + rows[0], *(Text(margin) + row for row in rows[1:])]


def _breaks(plain: str, width: int) -> list[int]:
    """Where the rows of a text begin after the first."""
    from rich.cells import cell_len

    breaks, column = [], 0
    for word in re.finditer(r"\S+\s*", plain):
        if column and column + cell_len(word[0].rstrip()) > width:
            breaks.append(word.start())
            column = 0
        column += cell_len(word[0])
    return breaks


class ProgressBar:
    """A progress bar on standard error, a terminal; it appears at the first call."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: Any = None

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bar:
            self._bar.stop()

    def __call__(self, done: int, total: int | None) -> None:
        """Show how much is done, and the total once it is known."""
        if not self._bar:
            from rich.progress import Progress as Bar

            self._bar = Bar(console=_console(stderr=True), transient=True)
            self._task = self._bar.add_task(self._what, total=None)
            self._bar.start()
        self._bar.update(self._task, completed=done, **({"total": total} if total else {}))
