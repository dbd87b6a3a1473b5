"""Stubs of Ollama's `POST /api/embed` on the loopback: its vectors count letters, or it fails in some way."""

import json
import math
import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

from stub_server import StubServer


class OllamaApi(StubServer):
    """The stub. `requests` holds what it was asked; `answer`, a status and a body, replaces what it would say.

    `start` is the least cosine of any two of its vectors.
    """

    def __init__(self, answer: tuple[int, bytes] | None = None, start: float = 0.0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer, self.start = answer, start
        super().__init__(_handler(self))


def _handler(api: OllamaApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            api.requests.append(body)
            is_known = self.path == "/api/embed"
            vectors = [_vector(text, api.start) for text in body["input"]]
            status, data = api.answer or (200 if is_known else 404, json.dumps({"embeddings": vectors}).encode())
            with suppress(OSError):
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing."""

    return Handler


def _vector(text: str, start: float) -> list[float]:
    letters = [float(text.count(letter)) + 0.01 for letter in "abcdefghi"]
    if not start:
        return letters
    length = math.hypot(*letters)
    return [math.sqrt(start), *(math.sqrt(1 - start) * part / length for part in letters)]


def saying(answer: bytes) -> StubServer:
    """A server that answers every connection with these bytes and closes it."""

    class Handler(BaseHTTPRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                self.connection.recv(65536)
                self.wfile.write(answer)

    return StubServer(Handler)


def dead() -> str:
    """A URL of this machine where no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}"
