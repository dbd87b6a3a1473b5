"""Runs a command line in this process, which costs a third of what a fork does.

It has its own arguments, environment, folder and streams, as a process has. Modules, signals and limits it shares with
the tests, so what is about these needs `command_server`, or the command itself.
"""

import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from command_server import End, stream_file, written_to

from memoir.cli import signals
from memoir.cli.main import run as run_line

_OWN_PROCESS = {"batch", "clone", "edit", "hook", "ingest", "mcp", "serve", "setup", "ui"}
"""Commands that go on after their answer, ask another program, or read standard input for long."""
_READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "_MEMOIR_COMPLETE", "ANTHROPIC_", "TZ", "COLUMNS", "MEMOIR_DEBUG")
"""Variables that modules read while they are imported, or that make the import of a large one."""
_STREAMS = ("stdin", "stdout", "stderr")


def can_call(args: Sequence[str], env: Mapping[str, str]) -> bool:
    """Whether a call does what a process with these arguments and this environment does."""
    here = {name: value for name, value in os.environ.items() if name.startswith(_READ_AT_START)}
    there = {name: value for name, value in env.items() if name.startswith(_READ_AT_START)}
    in_main_thread = threading.current_thread() is threading.main_thread()
    return in_main_thread and here == there and not _OWN_PROCESS & {*args}


def call(args: Sequence[str], *, stdin: bytes, folder: Path, env: Mapping[str, str]) -> End:
    """Do what `memoir` with these arguments does, up to the end of its process."""
    with stream_file() as source, stream_file() as out, stream_file() as err:
        source.write(stdin)
        source.seek(0)
        with _environment(env), _folder(folder), _standard_streams([each.fileno() for each in (source, out, err)]):
            try:
                status = run_line([*args])
            finally:
                signals._State.holders = 1  # as when a process starts
                sys.stdout.flush()
                sys.stderr.flush()
        return End(int(status), written_to(out), written_to(err))


@contextmanager
def _environment(env: Mapping[str, str]) -> Iterator[None]:
    before, argv = dict(os.environ), sys.argv
    sys.argv = [str(Path(sys.executable).with_name("memoir"))]
    _set_environment(env)
    try:
        yield
    finally:
        _set_environment(before)
        sys.argv = argv


def _set_environment(env: Mapping[str, str]) -> None:
    for name in os.environ.keys() - env.keys():
        del os.environ[name]
    os.environ.update({name: value for name, value in env.items() if os.environ.get(name) != value})


@contextmanager
def _folder(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _standard_streams(files: Sequence[int]) -> Iterator[None]:
    """Put files in the places of this process's streams, for Python and for the programs that a command starts."""
    before = [(os.dup(number), getattr(sys, name)) for number, name in enumerate(_STREAMS)]
    for number, file in enumerate(files):
        os.dup2(file, number)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    try:
        yield
    finally:
        for number, (file, stream) in enumerate(before):
            os.dup2(file, number)
            os.close(file)
            setattr(sys, _STREAMS[number], stream)
