"""Many command lines in one process: each is read, run and answered in order, as by `memoir … --json`.

The store, its git process and the engine of recall stay open between commands. Other processes' writes are still seen:
every command asks git for the branch's commit.
"""

import gc
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

from memoir.answers.answer import dump, fields_of_failure, resolve
from memoir.cli.main import answer_fields, answer_line, status_of
from memoir.cli.session import OpenStores, Session
from memoir.errors import InvalidInput, MemoirError

MAX_LINE = 32 << 20
"""The most bytes of a line: an escaped memory of 16 MiB, and some room."""
REFUSED = frozenset(("batch", "hook", "mcp"))
"""Commands that need standard input for themselves."""
_FORM = 'write {"args": ["get", "preferences.coding.testing"]}'


class _Line(NamedTuple):
    """A command line: the arguments, the text of its standard input, and the caller's id for it."""

    args: list[str]
    stdin: str
    id: Any


def run_lines(file: IO[bytes], defaults: Session) -> Iterator[bytes]:
    """Run the command line of each line of a file; yields a line of JSON for each.

    A line is `{"args": [...], "stdin"?: "…", "id"?: …}`; blank ones are skipped. A line without a store or branch uses
    that of `defaults`.
    """
    gc.enable()  # this process is long-lived
    stores = OpenStores()
    try:
        for number, text in enumerate(_lines(file), 1):
            if text.strip():
                yield _answer(text, number, defaults.for_line(stores))
    finally:
        stores.close()


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    while line := file.readline(MAX_LINE + 1):
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = file.readline(MAX_LINE + 1)
        yield line


def _answer(text: bytes, number: int, session: Session) -> bytes:
    name: Any = number
    try:
        line = _parse(text)
        name = number if line.id is None else line.id
        if line.args[0] in REFUSED:
            raise InvalidInput(f"{line.args[0]} cannot be one command line of several", "run it by itself")
        with _standard_input(line.stdin):
            answer = answer_line(session, line.args)
        if answer.stream is not None:
            raise InvalidInput(f"{session.command} prints a stream", "run it by itself; 'export' takes a file: -o FILE")
        data = {key: resolve(value) for key, value in answer.data.items()}
        status, body = int(status_of(session, answer)), answer_fields(session, data)
    except MemoirError as error:
        status, body = int(error.exit_code), fields_of_failure(session.command, error)
    return dump({"id": name, "status": status, "answer": body})


def _parse(text: bytes) -> _Line:
    import orjson

    if len(text) > MAX_LINE:
        raise InvalidInput(f"a line may have {MAX_LINE >> 20} MiB at most", _FORM)
    try:
        fields = orjson.loads(text)
    except ValueError as error:
        raise InvalidInput(f"not JSON: {error}", _FORM) from error
    if not isinstance(fields, dict) or not fields.keys() <= {"args", "stdin", "id"}:
        raise InvalidInput("a line is an object with 'args', and optionally 'stdin' and 'id'", _FORM)
    args, stdin = fields.get("args"), fields.get("stdin", "")
    if not isinstance(args, list) or not all(isinstance(arg, str) for arg in args) or not args:
        raise InvalidInput("'args' is a list of strings: a command and its arguments", _FORM)
    if not isinstance(stdin, str):
        raise InvalidInput("'stdin' is a string", _FORM)
    return _Line(args, stdin, fields.get("id"))


@contextmanager
def _standard_input(text: str) -> Iterator[None]:
    """Let a command read a text as its standard input."""
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before
