"""The answer of a command: data for machines, lines for people, an exit status.

Also the words of several answers: a string in one line, a number of things, and dates.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TypeVar, cast

from memoir.errors import ExitCode

Span = tuple[str, str]
"""A piece of text and its style in rich's words (`bold`, `green`, …; empty for none)."""

Line = list[Span]
"""One line for people, without its line break."""


class Answer:
    """A command's result. `memoir.cli.main` prints it as JSON or for people.

    Attributes:
        data: The fields after the envelope's. An iterator is a list whose items are written as they come. A function
            is called for its value when everything before it is written.
        human: Makes the lines for people; called only if they are printed.
        exit_code: The exit status.
        paged: Whether a terminal's pager may show the lines; that of a command that has written never does.
        stream: Bytes that replace both forms, printed as they come.
        finish: Gives the exit status after everything is printed; if set, each piece of a stream is sent at once.
        notes: Remarks for standard error, not printed with `--quiet`.
        lead: The same, for what is to be read before the answer.
        optional: Whether the lines only report what the exit status says too, so that `--quiet` leaves them out.
        exact: Whether the stream is bytes that a terminal gets unchanged, too, and not lines of JSON.
        whole: Whether the exit status is that of a damaged store if a damaged record was left out.
    """

    def __init__(
        self,
        data: Mapping[str, object],
        human: Callable[[], Iterable[Line]] = lambda: (),
        exit_code: ExitCode = ExitCode.OK,
        *,
        paged: bool = False,
        stream: Iterator[bytes] | None = None,
        finish: Callable[[], ExitCode] | None = None,
        notes: Callable[[], Iterable[Line]] = lambda: (),
        lead: Callable[[], Iterable[Line]] = lambda: (),
        optional: bool = False,
        exact: bool = False,
        whole: bool = False,
    ) -> None:
        self.data, self.human, self.exit_code, self.paged = data, human, exit_code, paged
        self.stream, self.finish, self.notes, self.lead = stream, finish, notes, lead
        self.optional, self.exact, self.whole = optional, exact, whole

    def warnings(self) -> Iterator[Line]:
        """Lines for standard error about what the answer lacks; also printed with `--quiet`."""
        if degraded := self.data.get("degraded"):
            yield line((f"degraded: {degraded}", "yellow"))


T = TypeVar("T")


class CountingIterator(Iterator[T]):
    """An iterator that knows how many items it gave, and the last of them."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items = iter(items)
        self.count = 0
        self.last: T | None = None

    def __next__(self) -> T:
        self.last = next(self._items)
        self.count += 1
        return self.last


def stream(items: Iterable[T]) -> list[T]:
    """An iterator in place of a list; its items are written as they come."""
    return cast("list[T]", items)


def defer(value: Callable[[], T]) -> T:
    """A function in place of its value; it is called when everything before it is written."""
    return cast("T", value)


def line(*pieces: str | Span) -> Line:
    """A line of plain strings and styled spans."""
    return [(piece, "") if isinstance(piece, str) else piece for piece in pieces]


COMMAND = "none"
"""The style of a command to type: no row of a terminal ends inside of it, so that what is copied runs."""


def lines(*texts: str) -> Callable[[], Iterable[Line]]:
    """The human form of an answer that is a few plain lines."""
    return lambda: [line(text) for text in texts]


def local(instant: str) -> str:
    """`2026-11-22 14:03` in the local time zone, for people, of an RFC 3339 instant; anything else as it is."""
    try:
        return datetime.fromisoformat(instant).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return instant


def one_line(text: str, width: int = 100) -> str:
    """The first line of a string, shortened to a width with an ellipsis."""
    first, _, rest = text.strip().partition("\n")
    if len(first) <= width and not rest:
        return first
    return first[: width - 1].rstrip() + "…"


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """`1 memory`, `2 memories`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
