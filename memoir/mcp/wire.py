"""Standard input and output as the protocol uses them: a message a line, and an error for a line that is none.

The SDK leaves out a line that it cannot read, and a client would wait for its answer for ever.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, BinaryIO

import orjson

PARSE_ERROR, INVALID_REQUEST = -32700, -32600


class Wire:
    """The lines of a client, and the answers to them; a file for the SDK to read from and to write to."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.check: Callable[[str], object] = orjson.loads
        """Raises ValueError for a line that is not a message."""
        self._source, self._sink = source, sink
        self._lock = Lock()
        self._unread: list[str] = []
        self._answered: list[Any] = []

    def next(self) -> str:
        """The next line as it came; empty at the end."""
        return self._source.readline().decode(errors="replace")

    def answer(self, request: Any, result: object) -> None:
        """Answer a request of the client."""
        self._send({"jsonrpc": "2.0", "id": request, "result": result})

    def replay(self, lines: list[str], answered: list[Any]) -> None:
        """Let lines be read once more, without the answers to requests that have theirs."""
        self._unread, self._answered = lines, answered

    def readline(self) -> str:
        """The next line that is a message; empty at the end."""
        while line := self._unread.pop(0) if self._unread else self.next():
            try:
                self.check(line)
            except ValueError:
                if refusal := _refusal(line):
                    self._send(refusal)
            else:
                return line
        return ""

    def write(self, text: str) -> int:
        """Send a message, unless it answers what is answered already."""
        message = orjson.loads(text) if self._answered else {}
        if "method" not in message and message.get("id") in self._answered:
            self._answered.remove(message["id"])
        else:
            self._put(text.encode())
        return len(text)

    def flush(self) -> None:
        """Each message is sent as soon as it is written."""

    def _send(self, message: object) -> None:
        self._put(orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE))

    def _put(self, data: bytes) -> None:
        with self._lock:  # errors are sent by the thread that reads
            self._sink.write(data)
            self._sink.flush()


def _refusal(line: str) -> object:
    """The error for a line that is not a message; None for a blank line, and for what is not a request."""
    import json

    if not line.strip():
        return None
    code, message = INVALID_REQUEST, "this is not a message of JSON-RPC 2.0"
    try:
        orjson.loads(line)
    except ValueError as error:
        code, message = PARSE_ERROR, f"this line is not JSON: {error}"
    try:
        record = json.loads(line)  # takes half a surrogate pair, too
    except (ValueError, RecursionError):
        record = None
    fields = record if isinstance(record, dict) else {}
    if "method" not in fields and {"result", "error"} & fields.keys():
        return None
    request = fields.get("id")
    is_id = isinstance(request, str | int) and not isinstance(request, bool)
    return {"jsonrpc": "2.0", "id": request if is_id else None, "error": {"code": code, "message": message}}


@contextmanager
def standard_wire() -> Iterator[Wire]:
    """Standard input and output, which nothing else can read from or print to meanwhile."""
    copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3) for descriptor in (0, 1)]
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    os.dup2(nothing, 0)
    with suppress(OSError):  # there may be no standard error
        os.dup2(2, 1)
    # A thread may still read when all is over, so what it reads from is not closed.
    with open(copies[0], "rb", closefd=False) as source, open(copies[1], "wb") as sink:
        try:
            yield Wire(source, sink)
        finally:
            os.dup2(copies[0], 0)
            os.dup2(copies[1], 1)
            os.close(nothing)
