"""Real git servers on the loopback, for tests: git-http-backend, OpenSSH with git-shell, and git daemon.

with HttpServer(folder) as server:
    hub = server.create("hub")
    memoir.ok("remote", "add", "origin", server.url("hub"), **server.env)
"""

import base64
import os
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Self

from support import git

LOOPBACK = "127.0.0.1"
_PATIENCE = 20.0
_CHUNK = 1 << 16


class GitServer:
    """A server of the bare repositories in a folder.

    Attributes:
        env: What a client needs in its environment.
        port: Where it listens.
    """

    scheme: str

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env: dict[str, str] = {}
        self.port = 0
        folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listen on a free port."""
        raise NotImplementedError

    def stop(self) -> None:
        """End the server, and whatever it has started."""
        raise NotImplementedError

    def talking(self) -> list[int]:
        """The processes that talk to clients now."""
        raise NotImplementedError

    def create(self, name: str) -> Path:
        """Create an empty bare repository that anybody may push to."""
        path = self.folder / f"{name}.git"
        git("init", "-q", "--bare", "-b", "main", str(path))
        git("-C", str(path), "config", "http.receivepack", "true")
        return path

    def url(self, name: str, port: int | None = None) -> str:
        """The address of a repository, by default without a proxy in between."""
        return f"{self.scheme}://{LOOPBACK}:{port or self.port}/{name}.git"

    def kill_talks(self) -> None:
        """Kill -9 every process that talks to a client now; the server itself goes on."""
        for process in self.talking():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


class _ProcessServer(GitServer):
    """A server that is one process."""

    _process: "subprocess.Popen[bytes]"

    def start(self) -> None:
        self.port = free_port()
        self._process = subprocess.Popen(
            self._command(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            _await_port(self.port)
        except TimeoutError:
            self.stop()
            raise

    def stop(self) -> None:
        self.kill_talks()
        self._process.kill()
        self._process.wait()

    def talking(self) -> list[int]:
        return _descendants(self._process.pid)

    def _command(self) -> list[str]:
        raise NotImplementedError


class DaemonServer(_ProcessServer):
    """`git daemon`, which lets everybody read and write."""

    scheme = "git"

    def _command(self) -> list[str]:
        places = [f"--listen={LOOPBACK}", f"--port={self.port}", f"--base-path={self.folder}"]
        program = Path(git("--exec-path").strip(), "git-daemon")  # 'git daemon' would be its parent
        return [str(program), *places, "--reuseaddr", "--export-all", "--enable=receive-pack", "--max-connections=0"]


class SshServer(_ProcessServer):
    """OpenSSH; its one key may do what git-shell allows."""

    scheme = "ssh"

    def url(self, name: str, port: int | None = None) -> str:
        return f"ssh://{LOOPBACK}:{port or self.port}{self.folder}/{name}.git"

    def _command(self) -> list[str]:
        own = self.folder.with_name(f"{self.folder.name}-ssh")
        own.mkdir(exist_ok=True)
        for name in ("host", "client"):
            if not (own / name).exists():
                argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(own / name)]
                subprocess.run(argv, check=True)
        self._write_settings(own)
        options = {
            "UserKnownHostsFile": own / "known_hosts", "StrictHostKeyChecking": "yes", "IdentitiesOnly": "yes",
            "BatchMode": "yes",
        }  # fmt: skip
        words = ["ssh", "-F", "/dev/null", "-i", str(own / "client")]
        words += [f"-o{key}={value}" for key, value in options.items()]
        self.env = {"GIT_SSH_COMMAND": shlex.join(words)}
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # sshd insists on it before it drops its rights
        return [str(sshd()), "-D", "-E", str(own / "log"), "-f", str(own / "sshd_config")]

    def _write_settings(self, own: Path) -> None:
        home = f"env -u GIT_DIR HOME={own} GIT_CONFIG_NOSYSTEM=1"
        only = f'restrict,command="{home} git-shell -c \\"$SSH_ORIGINAL_COMMAND\\""'
        (own / "authorized_keys").write_text(f"{only} {(own / 'client.pub').read_text()}")
        (own / "known_hosts").write_text(f"* {(own / 'host.pub').read_text()}")
        settings = {
            "ListenAddress": f"{LOOPBACK}:{self.port}", "HostKey": own / "host", "PidFile": "none",
            "AuthorizedKeysFile": own / "authorized_keys", "StrictModes": "no", "UsePAM": "no", "UseDNS": "no",
            "PasswordAuthentication": "no", "PermitRootLogin": "prohibit-password", "AcceptEnv": "GIT_PROTOCOL",
            "MaxStartups": 200,
        }  # fmt: skip
        (own / "sshd_config").write_text("".join(f"{key} {value}\n" for key, value in settings.items()))


def sshd() -> Path | None:
    """OpenSSH's server, if it is installed: sshd wants to be called by its whole path."""
    path = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    return Path(path) if path else None


class HttpServer(GitServer):
    """git-http-backend behind Python's own server; with a `password`, only for the user `ada`.

    Attributes:
        requests: What clients asked for, in order: method and path.
    """

    scheme = "http"

    def __init__(self, folder: Path, password: str | None = None) -> None:
        super().__init__(folder)
        self.password = password
        self.requests: list[str] = []
        self.talks: set[int] = set()

    def start(self) -> None:
        self._server = ThreadingHTTPServer((LOOPBACK, 0), partial(_Handler, self))
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self.kill_talks()

    def talking(self) -> list[int]:
        return [process for talk in list(self.talks) for process in (talk, *_descendants(talk))]


class _Handler(BaseHTTPRequestHandler):
    """Runs git-http-backend for each request, as CGI has it (RFC 3875)."""

    protocol_version = "HTTP/1.1"

    def __init__(self, server: HttpServer, *args: Any) -> None:
        self.git_server = server
        super().__init__(*args)

    def do_GET(self) -> None:
        self._answer()

    do_POST = do_GET  # noqa: N815

    def log_message(self, *args: Any) -> None:
        """Stay silent."""

    def _answer(self) -> None:
        self.git_server.requests.append(f"{self.command} {self.path}")
        password = self.git_server.password
        expected = base64.b64encode(f"ada:{password}".encode()).decode()
        if password and self.headers.get("Authorization") != f"Basic {expected}":
            for _ in self._body():
                pass
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="memories"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        pipe = subprocess.PIPE
        with subprocess.Popen(["git", "http-backend"], stdin=pipe, stdout=pipe, env=self._variables()) as process:
            self.git_server.talks.add(process.pid)
            try:
                with suppress(BrokenPipeError, ConnectionError):
                    self._relay(process)
            finally:
                self.git_server.talks.discard(process.pid)

    def _variables(self) -> dict[str, str]:
        path, _, query = self.path.partition("?")
        return {
            **os.environ,
            "GIT_PROJECT_ROOT": str(self.git_server.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "REMOTE_ADDR": LOOPBACK,
            "REMOTE_USER": "ada" if self.git_server.password else "",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            **({"CONTENT_LENGTH": length} if (length := self.headers.get("Content-Length")) else {}),
        }

    def _relay(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin and process.stdout
        with suppress(BrokenPipeError):  # a push that is refused is not read to its end
            for piece in self._body():
                process.stdin.write(piece)
        with suppress(BrokenPipeError):
            process.stdin.close()
        headers = dict(self._headers(process))
        self.send_response(int(headers.pop("Status", "200" if headers else "500").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while piece := process.stdout.read1(_CHUNK):  # type: ignore[attr-defined]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if process.wait():
            self.close_connection = True  # what was killed has no end
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _headers(self, process: "subprocess.Popen[bytes]") -> Iterator[tuple[str, str]]:
        assert process.stdout
        for line in iter(process.stdout.readline, b""):
            name, colon, value = line.decode().strip().partition(": ")
            if not colon:
                return
            yield name, value

    def _body(self) -> Iterator[bytes]:
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return
        rest = int(self.headers.get("Content-Length") or 0)
        while piece := self.rfile.read(min(rest, _CHUNK)):
            rest -= len(piece)
            yield piece


class SlowProxy:
    """A way to a port on which everything takes its time, there and back; a new connection takes one round trip.

    Attributes:
        port: Where it listens.
        connections: How many were made.
    """

    def __init__(self, port: int, round_trip: float) -> None:
        """Lead to a port, with a round trip in seconds."""
        self._target = port
        self._round_trip = round_trip
        self._listener = socket.create_server((LOOPBACK, 0), backlog=256)
        self.port = int(self._listener.getsockname()[1])
        self.connections = 0

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client = self._listener.accept()[0]
                self.connections += 1
                threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        time.sleep(self._round_trip)
        try:
            server = socket.create_connection((LOOPBACK, self._target))
        except OSError:
            client.close()
            return
        for one, other in ((client, server), (server, client)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            pieces: SimpleQueue[tuple[float, bytes]] = SimpleQueue()
            threading.Thread(target=self._read, args=(one, pieces), daemon=True).start()
            threading.Thread(target=self._write, args=(other, pieces), daemon=True).start()

    def _read(self, source: socket.socket, pieces: "SimpleQueue[tuple[float, bytes]]") -> None:
        piece = b"?"
        while piece:
            try:
                piece = source.recv(_CHUNK)
            except OSError:
                piece = b""
            pieces.put((time.monotonic() + self._round_trip / 2, piece))

    def _write(self, target: socket.socket, pieces: "SimpleQueue[tuple[float, bytes]]") -> None:
        with suppress(OSError):
            while True:
                due, piece = pieces.get()
                time.sleep(max(0.0, due - time.monotonic()))
                if not piece:
                    target.shutdown(socket.SHUT_WR)
                    return
                target.sendall(piece)


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])


def _await_port(port: int) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection((LOOPBACK, port)):
            return
        time.sleep(0.02)
    raise TimeoutError(f"nothing listens on port {port}")


def _descendants(process: int) -> list[int]:
    """The children of a process, theirs, and so on."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            parents.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
    found = list(parents.get(process, ()))
    for each in found:
        found += parents.get(each, ())
    return found


@contextmanager
def silent_port() -> Iterator[int]:
    """A port that takes connections and says nothing."""
    with socket.create_server((LOOPBACK, 0), backlog=64) as listener:
        yield int(listener.getsockname()[1])


def processes_of(port: int) -> list[str]:
    """The command lines that name a port."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            lines.append(path.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [line for line in lines if str(port) in line]
