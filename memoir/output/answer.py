"""What a command answers: data for machines, lines for people, an exit status."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar, cast

from memoir.errors import ExitCode

Span = tuple[str, str]
"""A piece of text and its style in rich's words (`bold`, `green`, …; empty for none)."""

Line = list[Span]
"""One line for people, without its line break."""


class Answer(NamedTuple):
    """A command's result, printed by `memoir.cli.main` in the form asked for.

    `data` are the fields that follow the envelope's: an iterator is a list that is written as it comes, and a
    function is called when all before it is written. `human` makes the lines, called only if they
    are wanted. `paged` lets a terminal's pager show them. `stream` replaces both forms by bytes of
    its own, sent as they come: lines of JSON, unless they are `exact` bytes, for a terminal too. `ended` is asked
    for the exit status when all is sent, and says that each piece of a stream is sent at once. `notes` are remarks
    about the answer, for standard error. With `--quiet` the notes are left out, and all of an `optional` answer,
    whose lines only report what the exit status says too; its `warnings` are printed even so. An answer that was to be
    `whole` ends with the status of a damaged store if anything had to be left out of it.
    """

    data: Mapping[str, object]
    human: Callable[[], Iterable[Line]] = lambda: ()
    exit_code: ExitCode = ExitCode.OK
    paged: bool = False
    stream: Iterator[bytes] | None = None
    ended: Callable[[], ExitCode] | None = None
    notes: Callable[[], Iterable[Line]] = lambda: ()
    optional: bool = False
    exact: bool = False
    whole: bool = False

    def warnings(self) -> Iterator[Line]:
        """What makes the answer less than it seems, for standard error."""
        if degraded := self.data.get("degraded"):
            yield line((f"degraded: {degraded}", "yellow"))


T = TypeVar("T")


class Counted(Iterator[T]):
    """An iterator that knows how many items it gave, and the last of them."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items = iter(items)
        self.count = 0
        self.last: T | None = None

    def __next__(self) -> T:
        self.last = next(self._items)
        self.count += 1
        return self.last


def streamed(items: Iterable[T]) -> list[T]:
    """An iterator in the place of a list, written as it comes."""
    return cast("list[T]", items)


def deferred(known: Callable[[], T]) -> T:
    """A function in the place of its value, called when all before it is written."""
    return cast("T", known)


def line(*pieces: str | Span) -> Line:
    """A line of plain texts and styled spans."""
    return [(piece, "") if isinstance(piece, str) else piece for piece in pieces]


def lines(*texts: str) -> Callable[[], Iterable[Line]]:
    """The human form of an answer that is a few plain lines."""
    return lambda: [line(text) for text in texts]
