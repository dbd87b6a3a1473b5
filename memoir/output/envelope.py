"""The JSON envelope: one object, its first three fields the same for every command."""

from typing import Any

from memoir.errors import MemoirError

SCHEMA_VERSION = 1


def success(command: str, data: dict[str, Any]) -> dict[str, Any]:
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
