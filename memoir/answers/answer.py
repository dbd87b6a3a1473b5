"""The answer of a command: data for machines and their JSON, lines for people, an exit status.

Also helpers for several answers: one-line texts, counts and dates.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from memoir.answers import SCHEMA_VERSION
from memoir.errors import ExitCode, MemoirError

if TYPE_CHECKING:
    from memoir.answers.contract import failure as types

Span = tuple[str, str]
"""A piece of text and its style in rich's words (`bold`, `green`, …; empty for none)."""

Line = list[Span]
"""One line for people, without its line break."""


class Answer(NamedTuple):
    """A command's result. `memoir.cli.main` prints it as JSON or for people."""

    data: Mapping[str, object]
    """The fields after the envelope's. An iterator is a list whose items are written as they come. A function is called
    for its value when everything before it is written."""
    human: Callable[[], Iterable[Line]] = lambda: ()
    """Makes the lines for people; called only if they are printed."""
    exit_code: ExitCode = ExitCode.OK
    paged: bool = False
    """Whether a terminal's pager may show the lines; it never does after a write."""
    stream: Iterator[bytes] | None = None
    """Bytes that replace both forms, printed as they come."""
    finish: Callable[[], ExitCode] | None = None
    """Gives the exit status after everything is printed; if set, each piece of a stream is sent at once."""
    notes: Callable[[], Iterable[Line]] = lambda: ()
    """Remarks for standard error, not printed with `--quiet` unless they are urgent."""
    lead: Callable[[], Iterable[Line]] = lambda: ()
    """Remarks like `notes` that are printed before the answer."""
    urgent: bool = False
    """Whether the notes explain a failure."""
    optional: bool = False
    """Whether `--quiet` omits the lines, because the exit status says enough."""
    exact: bool = False
    """Whether the stream is printed unchanged even on a terminal; otherwise it is lines of JSON."""
    whole: bool = False
    """Whether leaving out a damaged record makes the exit status that of a damaged store."""

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
    """Pass an iterator where a list is expected: its items are written as they come."""
    return cast("list[T]", items)


def defer(value: Callable[[], T]) -> T:
    """Pass a function where its value is expected: it is called once all earlier fields are written."""
    return cast("T", value)


Fields = Mapping[str, object]
"""The fields of an answer, in the order in which they are written; an iterator is a list, a function is its value."""

LEFT_OUT = object()
"""What a deferred field returns to be omitted; the first field cannot be omitted."""
_LONG = 1 << 20
"""An object of more bytes than this waits in a file until it is complete."""


def fields_of_success(command: str, data: Mapping[str, object]) -> Fields:
    """The fields of the answer of a command that succeeded; the first three are the same for every command."""
    return {"schema_version": SCHEMA_VERSION, "command": command, "success": True, **data}


def fields_of_failure(command: str, error: MemoirError) -> Fields:
    """The fields of the answer of a command that failed; the error's `details` follow its three fixed fields."""
    from memoir.program import runnable

    hint = error.hint and runnable(error.hint)
    fields: types.Error = {"code": error.code, "message": error.message, "hint": hint, **error.details}
    data: types.Failure = {"command": command, "success": False, "error": fields}
    return {"schema_version": SCHEMA_VERSION, **data}


def dump(answer: Fields, *, terminal: bool = False) -> bytes:
    """One JSON object and a line break, indented for a terminal; invisible characters are escaped."""
    import orjson

    return _json(answer, orjson.OPT_APPEND_NEWLINE | (orjson.OPT_INDENT_2 if terminal else 0))


def pieces(answer: Fields, *, terminal: bool = False) -> Iterator[bytes]:
    """One JSON object piece by piece: an iterator's items are written as they come, a function is called in its turn.

    No piece comes before the object is complete, so that an error in the middle leaves no half of an object. A long
    object waits in a file.
    """
    if terminal or not any(isinstance(value, Iterator) or callable(value) for value in answer.values()):
        values = ((name, resolve(value)) for name, value in answer.items())
        yield dump({name: value for name, value in values if value is not LEFT_OUT}, terminal=terminal)
        return
    head, size, rest = [], 0, _fields(answer)
    for piece in rest:
        head.append(piece)
        size += len(piece)
        if size > _LONG:
            yield from _from_file(chain(head, rest))
            return
    yield b"".join(head)


def resolve(value: Any) -> Any:
    """The value of a field: an iterator as a list, a function as its value."""
    return list(value) if isinstance(value, Iterator) else value() if callable(value) else value


def _fields(answer: Fields) -> Iterator[bytes]:
    for position, (name, value) in enumerate(answer.items()):
        begin = (b"," if position else b"{") + _json(name) + b":"
        if isinstance(value, Iterator):
            yield begin + b"["
            for number, item in enumerate(value):
                yield b"," * bool(number) + _json(item)
            yield b"]"
        elif (resolved := resolve(value)) is not LEFT_OUT:
            yield begin + _json(resolved)
    yield b"}\n"


def _from_file(parts: Iterable[bytes]) -> Iterator[bytes]:
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.writelines(parts)
        file.seek(0)
        while part := file.read(_LONG):
            yield part


def _json(value: Any, options: int = 0) -> bytes:
    import orjson

    try:
        return harmless(orjson.dumps(value, option=options))
    except TypeError:  # an argument that was not UTF-8 is quoted in an error
        return harmless(orjson.dumps(_printable(value), option=options))


def json_length(value: Any) -> int:
    """The characters of a value as JSON."""
    return len(_json(value).decode())


def harmless(data: bytes) -> bytes:
    r"""Escape control characters and invisible characters of JSON as `\u....`."""
    if data.isascii() and b"\x7f" not in data:
        return data
    from memoir.visible import escape_json

    return escape_json(data.decode("utf-8", "replace")).encode()


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    return [_printable(item) for item in value] if isinstance(value, list | tuple) else value


def line(*pieces: str | Span) -> Line:
    """A line of plain strings and styled spans."""
    return [(piece, "") if isinstance(piece, str) else piece for piece in pieces]


def hint_line(hint: str) -> Line:
    """The line that shows a hint to people."""
    from memoir.program import runnable

    return line(("hint: ", "yellow"), runnable(hint))


COMMAND = "none"
"""The style of a command to type: it is never wrapped, so that it can be copied and run."""


def lines(*texts: str) -> Callable[[], Iterable[Line]]:
    """The human form of an answer that is a few plain lines."""
    return lambda: [line(text) for text in texts]


def local(instant: str) -> str:
    """An RFC 3339 instant in the local time zone, as `2026-11-22 14:03`; any other text unchanged.

    The first instant of a day in UTC is how a day without a time is stored, and is that day in every time zone.
    """
    day, _, time = instant.partition("T")
    if time.startswith("00:00:00") and time.endswith("Z"):  # items of one text follow each other by microseconds
        return f"{day} 00:00"
    try:
        return datetime.fromisoformat(instant).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return instant


def rows_of(text: str) -> list[str]:
    r"""The lines of a text without the `\r` of Windows, even if the last one has lost its `\n`."""
    return text.removesuffix("\r").replace("\r\n", "\n").split("\n")


def one_line(text: str, width: int = 100) -> str:
    """The first line of a string, shortened to a width with an ellipsis."""
    first, *rest = rows_of(text.strip())
    if len(first) <= width and not rest:
        return first
    return first[: width - 1].rstrip() + "…"


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """`1 memory`, `2 memories`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
