"""Runs the command in forks of a process that has imported it already, so that a test pays for the command's work only.

Each run is a process of its own, with its own environment, folder and streams, like one that a shell starts; only the
imports are shared, and tables that never change. Run as a script, this file is the server; the tests call `run`, and
what shell scripts call is the command of `make_command`.
"""

import gc
import marshal
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile, mkdtemp
from threading import Lock
from typing import IO, NamedTuple, NoReturn

_LAZY = ("memoir.__main__", "redact_secret", "Stemmer", "re2")
"""What many commands import where they use it."""
_SIZE = 4
"""The bytes that say how long a request is; the descriptors come with them."""
_SDK = ("anthropic", "httpcore", "h11", "encodings.idna", "ctypes")
"""What a command with a key for a model imports, the last with its first request: more than a second of work, and too
large for every fork to carry."""
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
    with stream_file() as source, stream_file() as out, stream_file() as err:
        source.write(stdin)
        source.seek(0)
        task = marshal.dumps({"args": [*args], "folder": str(folder), "env": dict(env), "timeout": timeout})
        answer, reply = os.pipe()
        try:
            with socket.socket(socket.AF_UNIX) as door:
                door.connect(_server(_lazy(env), env.get("LD_PRELOAD")).door)
                descriptors = [stream.fileno() for stream in (source, out, err)]
                socket.send_fds(door, [len(task).to_bytes(_SIZE)], [*descriptors, reply])
                door.sendall(task)
        finally:
            os.close(reply)
        with open(answer, "rb", buffering=0) as status:
            code = int(status.read(20))
        return End(code, written_to(out), written_to(err))


_COMMAND = """\
#!{python} -IS
import _socket, array, marshal, os, sys

env, args = dict(os.environ), sys.argv[1:]
real = {real!r}
if args[:1] in (["serve"], ["ui"]) or {{n: v for n, v in env.items() if n.startswith({read!r})}} != {started!r}:
    os.execv(real, [real, *args])
task = marshal.dumps({{"args": args, "folder": os.getcwd(), "env": env, "timeout": 120}})
answer, reply = os.pipe()
door = _socket.socket(_socket.AF_UNIX)
door.connect({door!r})
rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [0, 1, 2, reply]))
door.sendmsg([len(task).to_bytes({size}, "big")], [rights])
door.sendall(task)
os.close(reply)
status = int(os.read(answer, 20))
if status < 0:
    os.kill(os.getpid(), -status)
sys.exit(status)
"""


def make_command(folder: Path) -> Path:
    """Write a `memoir` for the PATH of shell scripts, that runs in a fork as well, and return its folder.

    What is ended by a signal from its script is the real command.
    """
    real, server = Path(sys.executable).with_name("memoir"), _server(_LAZY, None)
    text = _COMMAND.format(
        python=sys.executable, real=str(real), read=_READ_AT_START, started=server.read_at_start, door=server.door,
        size=_SIZE,
    )  # fmt: skip
    folder.mkdir()
    (folder / "memoir").write_text(text, "utf-8")
    (folder / "memoir").chmod(0o755)
    return folder


def stream_file() -> IO[bytes]:
    """A file without a name; in memory, if the system has such: one on a disk would wait for what others write there.

    No buffer stands before it, so what is written is there when its descriptor is handed over.
    """
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("stream"), "w+b", buffering=0)
    return TemporaryFile(buffering=0)


def written_to(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


class _Server(NamedTuple):
    """The running server: it ends with a socket; where it takes requests; the environment that it started in."""

    process: "subprocess.Popen[bytes]"
    life: socket.socket
    door: str
    read_at_start: Mapping[str, str]


def _lazy(env: Mapping[str, str]) -> tuple[str, ...]:
    return (*_LAZY, *_SDK) if "ANTHROPIC_API_KEY" in env else _LAZY


_STARTING = Lock()


def _server(lazy: tuple[str, ...], preloaded: str | None) -> _Server:
    """The one server for some modules. Of threads that ask for the first time together, only one may start it."""
    with _STARTING:
        return _start(lazy, preloaded)


@cache
def _start(lazy: tuple[str, ...], preloaded: str | None) -> _Server:
    """A server that has imported these modules besides the package, and has a library before those of its own."""
    life, end = socket.socketpair()
    door = str(Path(mkdtemp(prefix="memoir-"), "door"))  # the name of a socket may have 100 characters
    with end, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(door)
        listening.listen(128)
        ends = [end.fileno(), listening.fileno()]
        argv = [sys.executable, "-P", __file__, *map(str, ends), *lazy]
        env = os.environ | ({"LD_PRELOAD": preloaded} if preloaded else {})
        process = subprocess.Popen(argv, pass_fds=ends, stdin=subprocess.DEVNULL, env=env)
    return _Server(process, life, door, _read_at_start(os.environ))


def _read_at_start(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(_READ_AT_START)}


class _Run(NamedTuple):
    """A command that runs: where its exit status goes, and when it has had its time."""

    reply: int
    deadline: float


def _serve(life: socket.socket, door: socket.socket, lazy: Sequence[str]) -> None:
    """Fork for each request until the tests close their end."""
    _import_everything(lazy)
    ended, wake = socket.socketpair()
    runs: dict[int, _Run] = {}
    ends = (life, door, ended, wake)
    for end in (ended, wake):
        end.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready = select.select(ends[:3], [], [], 1 if runs else None)[0]
        if ended in ready:
            ended.recv(4096)
            _reply_for_the_ended(runs)
        if life in ready:
            break
        if door in ready:
            with door.accept()[0] as caller:
                _take(caller, (caller, *ends), runs)
        _kill(child for child, run in runs.items() if time.monotonic() > run.deadline)
    _kill(runs)


def _take(caller: socket.socket, ends: Sequence[socket.socket], runs: dict[int, _Run]) -> None:
    """Fork for a request."""
    size, descriptors, *_ = socket.recv_fds(caller, _SIZE, 4)
    with caller.makefile("rb") as rest:
        task = rest.read(int.from_bytes(size))
    if not size or len(task) < int.from_bytes(size):  # whoever asked has been killed
        for descriptor in descriptors:
            os.close(descriptor)
        return
    *streams, reply = descriptors
    request = marshal.loads(task)
    child = os.fork()
    if child == 0:
        for end in ends:
            end.close()
        for other in (reply, *(run.reply for run in runs.values())):
            os.close(other)
        _become(request["args"], request["folder"], request["env"], streams)
    runs[child] = _Run(reply, time.monotonic() + request["timeout"])
    for stream in streams:
        os.close(stream)


def _reply_for_the_ended(runs: dict[int, _Run]) -> None:
    while runs:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            return
        reply = runs.pop(child).reply
        with suppress(BrokenPipeError):  # whoever asked has been killed
            os.write(reply, str(os.waitstatus_to_exitcode(status)).encode())
        os.close(reply)


def _kill(children: Iterable[int]) -> None:
    for child in children:
        os.kill(child, signal.SIGKILL)


def _import_everything(lazy: Sequence[str]) -> None:
    package = import_module("memoir")
    for module in pkgutil.walk_packages(package.__path__, "memoir."):
        if not module.name.endswith("__main__") and not module.name.startswith("memoir.memory_tool"):
            import_module(module.name)
    for name in lazy:
        import_module(name)
    _make_tables()
    gc.freeze()


def _make_tables() -> None:
    """Make what a process makes at the first use: the options of all commands, and what writing and recall look up."""
    from memoir import Memory, Repository
    from memoir.cli.command_tree import load
    from memoir.cli.families import COMMANDS

    for name in COMMANDS:
        load(name)
    with TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        with Repository.init(folder) as repository:
            repository.remember(Memory.of("We decided to use PostgreSQL 16 in production on 3 May."), "a.b")
            repository.remember(Memory.of("Prefers pytest to unittest."))
            repository.sources.ingest_text("Ada: I moved to Porto.\nBen: When?\n", name="talk")
            repository.recall("what do we use in production?")
            list(repository.log())


def _become(args: list[str], folder: str, env: dict[str, str], streams: Sequence[int]) -> NoReturn:
    """Do what the `memoir` script does, in this process."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    for name in os.environ.keys() - env.keys():
        del os.environ[name]
    os.environ.update({name: value for name, value in env.items() if os.environ.get(name) != value})  # it copies pages
    time.tzset()
    sys.argv = [str(Path(sys.executable).with_name("memoir")), *args]
    from memoir.__main__ import main

    main()


if __name__ == "__main__":
    server = os.getpid()
    with socket.socket(fileno=int(sys.argv[1])) as life, socket.socket(fileno=int(sys.argv[2])) as door:
        try:
            _serve(life, door, sys.argv[3:])
        finally:
            if os.getpid() == server:
                shutil.rmtree(os.path.dirname(door.getsockname()))
