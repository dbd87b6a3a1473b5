"""A stub of Ollama's `POST /api/embed` on the loopback; its vectors count letters, or it fails on request."""

import json
import math
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class OllamaApi:
    """The running stub. `requests` holds what it was asked; `answer`, a status and a body, replaces what it would say.

    `start` is the least cosine of any two of its vectors.
    """

    def __init__(self, files: Mapping[str, bytes] | None, answer: tuple[int, bytes] | None, start: float) -> None:
        self.start = start
        self.requests: list[dict[str, Any]] = []
        self.answer = answer
        self.files = files or {}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


def _handler(api: OllamaApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            api.requests.append(body)
            is_known = self.path == "/api/embed"
            vectors = [_vector(text, api.start) for text in body["input"]]
            self._send(*(api.answer or (200 if is_known else 404, json.dumps({"embeddings": vectors}).encode())))

        def do_GET(self) -> None:
            name = self.path.rpartition("/")[2]
            self._send(*(api.answer or (200 if name in api.files else 404, api.files.get(name, b""))))

        def _send(self, status: int, data: bytes) -> None:
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


@contextmanager
def ollama(
    files: Mapping[str, bytes] | None = None, answer: tuple[int, bytes] | None = None, start: float = 0.0
) -> Iterator[OllamaApi]:
    """A stub that runs for the length of a block; `files` are served to GET, by the last part of the path."""
    api = OllamaApi(files, answer, start)
    thread = threading.Thread(target=api.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield api
    finally:
        api.server.shutdown()
        api.server.server_close()
        thread.join()


@contextmanager
def saying(answer: bytes) -> Iterator[str]:
    """The URL of a server that answers every connection with these bytes and closes it."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection, suppress(OSError):
                        connection.recv(65536)
                        connection.sendall(answer)
                        connection.shutdown(socket.SHUT_WR)
                        connection.recv(65536)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def dead() -> str:
    """A URL of this machine where no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}"
