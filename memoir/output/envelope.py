"""The JSON envelope: one object, its first three fields the same for every command."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from memoir.errors import MemoirError

SCHEMA_VERSION = 1
_LONG = 1 << 20
"""From how many bytes on an object waits in a file until it is whole."""


def success(command: str, data: Mapping[str, object]) -> dict[str, Any]:
    """The answer of a command that did what it was asked."""
    return {"schema_version": SCHEMA_VERSION, "command": command, "success": True, **data}


def failure(command: str, error: MemoirError) -> dict[str, Any]:
    """The answer of a command that did not; `details` of the error follow its three fixed fields."""
    described = {"code": error.code, "message": error.message, "hint": error.hint, **error.details}
    return {"schema_version": SCHEMA_VERSION, "command": command, "success": False, "error": described}


def dump(answer: dict[str, Any], *, terminal: bool = False) -> bytes:
    """One JSON object and a line break; for a reader at a terminal indented, and without what that might act on."""
    import orjson

    options = orjson.OPT_APPEND_NEWLINE | (orjson.OPT_INDENT_2 if terminal else 0)
    try:
        data = orjson.dumps(answer, option=options)
    except TypeError:  # an argument that was not UTF-8 is quoted in an error
        data = orjson.dumps(_printable(answer), option=options)
    return harmless(data) if terminal else data


def pieces(answer: dict[str, Any], *, terminal: bool = False) -> Iterator[bytes]:
    """The same object piece by piece: iterators are written as they come, functions called in their turn.

    It comes whole or not at all, so that an error in the middle is the one object; what is long waits in a file.
    """
    if terminal or not any(isinstance(value, Iterator) or callable(value) for value in answer.values()):
        yield dump({name: _known(value) for name, value in answer.items()}, terminal=terminal)
        return
    kept, size, waiting = [], 0, _fields(answer)
    for piece in waiting:
        kept.append(piece)
        size += len(piece)
        if size > _LONG:
            yield from _from_file(chain(kept, waiting))
            return
    yield b"".join(kept)


def _known(value: Any) -> Any:
    return list(value) if isinstance(value, Iterator) else value() if callable(value) else value


def _fields(answer: dict[str, Any]) -> Iterator[bytes]:
    for position, (name, value) in enumerate(answer.items()):
        yield (b"," if position else b"{") + _json(name) + b":"
        if isinstance(value, Iterator):
            yield b"["
            for number, item in enumerate(value):
                yield b"," * bool(number) + _json(item)
            yield b"]"
        else:
            yield _json(_known(value))
    yield b"}\n"


def _from_file(parts: Iterable[bytes]) -> Iterator[bytes]:
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.writelines(parts)
        file.seek(0)
        while part := file.read(_LONG):
            yield part


def _json(value: Any) -> bytes:
    import orjson

    try:
        return orjson.dumps(value)
    except TypeError:  # as above
        return orjson.dumps(_printable(value))


def harmless(data: bytes) -> bytes:
    r"""The same JSON with everything that a terminal might act on, or hide, as `\u....`."""
    from memoir.output.text import escape_json

    return escape_json(data.decode("utf-8", "replace")).encode()


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_printable(key): _printable(item) for key, item in value.items()}
    return [_printable(item) for item in value] if isinstance(value, list | tuple) else value
