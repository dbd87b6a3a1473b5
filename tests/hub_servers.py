"""Real git servers for tests: git's own http-backend behind Python's server, and `git daemon`."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

_OPEN = {"GIT_HTTP_EXPORT_ALL": "1", "REMOTE_USER": "agent", "REMOTE_ADDR": "127.0.0.1"}


class GitHttpServer(ThreadingHTTPServer):
    """Serves the repositories below a folder, for reading and writing; `requests` is what was asked of it."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Backend)
        self.folder = folder
        self.requests: list[str] = []

    @property
    def url(self) -> str:
        """The address of the folder."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Backend(BaseHTTPRequestHandler):
    """Hands a request to `git http-backend`."""

    server: GitHttpServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Answer what a fetch or a push begins with."""
        self._run(b"")

    def do_POST(self) -> None:
        """Answer the rest of it."""
        self._run(b"".join(_body(self.rfile, self.headers.get("Content-Length"))))

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def _run(self, body: bytes) -> None:
        url = urlsplit(self.path)
        self.server.requests.append(self.path)
        env = {
            **os.environ,
            **_OPEN,
            "GIT_PROJECT_ROOT": str(self.server.folder),
            "PATH_INFO": url.path,
            "QUERY_STRING": url.query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=env, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        rows = [line.decode().partition(": ")[::2] for line in head.split(b"\r\n") if line]
        status = next((value for name, value in rows if name == "Status"), "200")
        self.send_response(int(status.split(" ")[0]))
        for name, value in rows:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _body(file: BufferedIOBase, length: str | None) -> Iterator[bytes]:
    """The body of a request; git sends a long one in chunks."""
    if length is not None:
        yield file.read(int(length))
        return
    while size := int(file.readline().strip() or b"0", 16):
        yield file.read(size)
        file.readline()
    file.readline()


@contextmanager
def http_server(folder: Path) -> Iterator[GitHttpServer]:
    """Serve a folder's repositories over http, to whoever asks."""
    with GitHttpServer(folder) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield server
        server.shutdown()


@contextmanager
def git_daemon(folder: Path) -> Iterator[str]:
    """Serve a folder's repositories by `git daemon`, for reading and writing; the address of the folder."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = (f"--base-path={folder}", f"--port={port}", "--listen=127.0.0.1", "--reuseaddr", "--export-all")
    command = ["git", "daemon", *options, "--enable=receive-pack"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            _wait_for(port)
            yield f"git://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, 15)


def _wait_for(port: int) -> None:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise TimeoutError(f"nothing listens on port {port}")
