"""Runs the command in forks of a process that has imported it already, so that a test pays for the command's work only.

Each run is a process of its own, with its own environment, folder and streams, like one that a shell starts; only the
imports are shared. Run as a script, this file is the server; the tests call `run`.
"""

import gc
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple, NoReturn

_LAZY = ("memoir.__main__", "redact_secret", "Stemmer", "re2")
"""What many commands import where they use it."""
_SDK = "anthropic"
"""What a command with a key for a model imports: a second of work, and too large for every fork to carry."""
_READ_AT_START = ("PYTHON", "LC_", "LANG", "_MEMOIR_COMPLETE")
"""Variables that are read before `main` runs, which a process that started earlier cannot follow."""


class End(NamedTuple):
    """How a run ended: its exit status as `subprocess` gives it (-9: it was killed), and what it wrote."""

    status: int
    out: bytes
    err: bytes


def can_run(env: Mapping[str, str]) -> bool:
    """Whether a fork with this environment behaves like a new process."""
    return _read_at_start(env) == _server(_lazy(env), env.get("LD_PRELOAD")).read_at_start


def run(args: Sequence[str], *, stdin: bytes, folder: Path, env: Mapping[str, str], timeout: int) -> End:
    """Run `memoir` with arguments and kill it after a time in seconds."""
    with TemporaryFile() as request, TemporaryFile() as source, TemporaryFile() as out, TemporaryFile() as err:
        _fill(request, json.dumps({"args": args, "folder": str(folder), "env": dict(env), "timeout": timeout}).encode())
        _fill(source, stdin)
        answer, reply = os.pipe()
        try:
            streams = [stream.fileno() for stream in (request, source, out, err)]
            socket.send_fds(_server(_lazy(env), env.get("LD_PRELOAD")).requests, [b"run"], [*streams, reply])
        finally:
            os.close(reply)
        with open(answer, "rb") as status:
            code = int(status.read())
        return End(code, _whole(out), _whole(err))


def _fill(file: IO[bytes], data: bytes) -> None:
    file.write(data)
    file.seek(0)


def _whole(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


class _Server(NamedTuple):
    """The running server: where it takes requests (it ends with that socket), and the environment it started in."""

    process: "subprocess.Popen[bytes]"
    requests: socket.socket
    read_at_start: Mapping[str, str]


def _lazy(env: Mapping[str, str]) -> tuple[str, ...]:
    return (*_LAZY, _SDK) if "ANTHROPIC_API_KEY" in env else _LAZY


@cache
def _server(lazy: tuple[str, ...], preloaded: str | None) -> _Server:
    """The server that has imported these modules besides the package, and has a library before those of its own."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        argv = [sys.executable, "-P", __file__, str(its.fileno()), *lazy]
        env = os.environ | ({"LD_PRELOAD": preloaded} if preloaded else {})
        process = subprocess.Popen(argv, pass_fds=[its.fileno()], stdin=subprocess.DEVNULL, env=env)
    return _Server(process, ours, _read_at_start(os.environ))


def _read_at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_READ_AT_START)}


def _serve(requests: socket.socket, lazy: Sequence[str]) -> None:
    """Fork for each request until the tests close their end."""
    _import_everything(lazy)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the processes that wait for commands
    while True:
        message, streams, *_ = socket.recv_fds(requests, 16, 5)
        if not message:
            return
        if os.fork() == 0:
            requests.close()
            _answer(*streams)
        for stream in streams:
            os.close(stream)


def _import_everything(lazy: Sequence[str]) -> None:
    package = import_module("memoir")
    for module in pkgutil.walk_packages(package.__path__, "memoir."):
        if not module.name.endswith("__main__") and not module.name.startswith("memoir.memory_tool"):
            import_module(module.name)
    for name in lazy:
        import_module(name)
    gc.freeze()


def _answer(request: int, stdin: int, stdout: int, stderr: int, reply: int) -> NoReturn:
    """Run a request in a further fork, and reply with its exit status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with open(request, "rb") as file:
        task = json.loads(file.read())
    child = os.fork()
    if child == 0:
        os.close(reply)
        for number, stream in enumerate((stdin, stdout, stderr)):
            os.dup2(stream, number)
            os.close(stream)
        _become(task["args"], task["folder"], task["env"])
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(task["timeout"])
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(reply, str(status).encode())
    os._exit(0)


def _become(args: list[str], folder: str, env: dict[str, str]) -> NoReturn:
    """Do what the `memoir` script does, in this process."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    sys.argv = [str(Path(sys.executable).with_name("memoir")), *args]
    from memoir.__main__ import main

    main()


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as requests:
        _serve(requests, sys.argv[2:])
