"""The JSON envelope: one object, its first three fields the same for every command."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from memoir.errors import MemoirError

if TYPE_CHECKING:
    from memoir.answers.contract import failure as types

Fields = Mapping[str, object]
"""The fields of an answer, in the order in which they are written; an iterator is a list, a function is its value."""

SCHEMA_VERSION = 1
LEFT_OUT = object()
"""The value of a function whose field is not written; the first field always is."""
_LONG = 1 << 20
"""An object of more bytes than this waits in a file until it is complete."""


def success(command: str, data: Mapping[str, object]) -> Fields:
    """The answer of a command that succeeded."""
    return {"schema_version": SCHEMA_VERSION, "command": command, "success": True, **data}


def failure(command: str, error: MemoirError) -> Fields:
    """The answer of a command that failed; `details` of the error follow its three fixed fields."""
    from memoir.program import runnable

    hint = error.hint and runnable(error.hint)
    fields: types.Error = {"code": error.code, "message": error.message, "hint": hint, **error.details}
    data: types.Failure = {"command": command, "success": False, "error": fields}
    return {"schema_version": SCHEMA_VERSION, **data}


def dump(answer: Fields, *, terminal: bool = False) -> bytes:
    """One JSON object and a line break, indented for a terminal; what nobody would see in it is escaped."""
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


def length(value: Any) -> int:
    """The characters of a value as JSON."""
    return len(_json(value).decode())


def harmless(data: bytes) -> bytes:
    r"""The same JSON with everything that a terminal might act on, or that a reader would not see, as `\u....`."""
    if data.isascii() and b"\x7f" not in data:
        return data  # as it usually is
    from memoir.visible import escape_json

    return escape_json(data.decode("utf-8", "replace")).encode()


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    return [_printable(item) for item in value] if isinstance(value, list | tuple) else value
