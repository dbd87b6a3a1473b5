"""Listening: the socket, the token and its file, and the server's life."""

import asyncio
import gc
import os
import secrets
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from memoir.answers.explorer import Endpoint
from memoir.errors import InvalidInput, MemoirError
from memoir.ui.gate import Access, is_loopback
from memoir.ui.served_store import ServedStore

PORT = 7717
"""The default port; if it is in use, any free one."""
_SHORTEST_TOKEN = 16
_PATIENCE = 2
"""The seconds that open requests have when the server ends."""


class Listener(NamedTuple):
    """A server that listens but does not answer yet."""

    socket: socket.socket
    endpoint: Endpoint


def listen(host: str, port: int | None, token_file: str | None) -> Listener:
    """Start listening.

    Raises:
        InvalidInput: the address is not a loopback one and there is no file for the token, or the file holds no
                    token. MemoirError: the address cannot be used.
    """
    if not is_loopback(host) and token_file is None:
        raise InvalidInput(f"{host} can be reached by other machines", "name a file for the token: --token-file FILE")
    token = _read_or_create_token(Path(token_file)) if token_file else secrets.token_urlsafe(24)
    found = _bind(host, PORT if port is None else port, or_any=port is None)
    return Listener(found, Endpoint(host, found.getsockname()[1], token))


def _bind(host: str, port: int, *, or_any: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY, to answer without delay, only if the protocol is given.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            made.bind((host, port))
            made.listen(128)
        except OSError:
            if not or_any:
                raise
            made.bind((host, 0))
            made.listen(128)
    except OSError as error:
        made.close()
        reason = error.strerror or str(error)
        raise MemoirError(f"cannot listen on {host}, port {port}: {reason}", "name another with --port") from error
    made.setblocking(False)
    return made


def _read_or_create_token(path: Path) -> str:
    """The token in a file; a file that does not exist is created with a new token, readable by its owner alone."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        token = path.read_text("utf-8").strip()
        if path.stat().st_mode & 0o077:
            raise InvalidInput(f"others may read the token in {path}", f"chmod 600 {path}") from None
        if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
            raise InvalidInput(
                f"{path} holds no token: it needs one word of {_SHORTEST_TOKEN} characters or more",
                "name a file that does not exist, and memoir writes one",
            ) from None
        return token
    token = secrets.token_urlsafe(24)
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token


class Ending:
    """Whether the server was asked to end, by Ctrl-C, SIGTERM or SIGHUP."""

    def __init__(self) -> None:
        self.asked = 0
        """How often; after the second time the server does not wait for open requests."""

    def take_signals(self) -> None:
        """Handle the signals from now on; one that is ignored, as under nohup, stays ignored."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._ask)

    def _ask(self, number: int, frame: object) -> None:
        self.asked += 1


def serve(listener: Listener, served: ServedStore, ending: Ending) -> None:
    """Answer requests until the server is asked to end."""
    import uvicorn

    from memoir.ui.application import application

    class Server(uvicorn.Server):
        """uvicorn's server, with the signals left to `Ending`."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

        async def on_tick(self, counter: int) -> bool:
            self.force_exit = ending.asked > 1
            return ending.asked > 0 or await super().on_tick(counter)

    here = listener.endpoint
    app = application(served, Access(here.token, here.host, here.port), lambda: ending.asked > 0)
    config = uvicorn.Config(
        app, log_level="error", access_log=False, lifespan="off", http="h11", ws="none", loop="asyncio",
        server_header=False, proxy_headers=False, timeout_graceful_shutdown=_PATIENCE,
    )  # fmt: skip
    gc.freeze()
    gc.enable()
    try:
        asyncio.run(Server(config).serve([listener.socket]))
    finally:
        served.close()
