"""What tests share: running the installed command, and building stores without it."""

import errno
import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import command_call
import command_server
import pytest
from hypothesis import settings

from memoir.errors import NotFound
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store import transaction
from memoir.store.ancestry import count_commits
from memoir.store.commit import Commit
from memoir.store.create import create
from memoir.store.locate import DIRECTORY
from memoir.store.store import Store
from memoir.store.transaction import Change
from memoir.taxonomy.paths import DEFAULT_NAMESPACE
from memoir.tree.node import TreeNode

COMMAND = Path(sys.executable).with_name("memoir")
PROJECT = Path(__file__).resolve().parent.parent
FULL_ROUND = 30
"""The examples of each property that does not say how many it needs."""


def examples(most: int) -> int:
    """How many examples of a property to try: the most, or in a quick round a sixth of them."""
    return max(1, most * settings().max_examples // FULL_ROUND)


@contextmanager
def without_endless_work(seconds: int = 5) -> Iterator[None]:
    """Break off work that is out of all proportion: what takes as long as this is done in a hundredth of it.

    That is how quadratic work shows that is inside one call, such as of a pattern, where there is nothing to count.
    What counts is the time of this process alone, so other processes change nothing.
    """

    def give_up(number: int, frame: object) -> NoReturn:
        raise AssertionError(f"it is still at work after {seconds} s of processor time")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class RunResult(NamedTuple):
    """How one run of the command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as the one JSON object it must be."""
        answer = json.loads(self.out)
        assert isinstance(answer, dict)
        return answer


class Memoir:
    """Runs `memoir` in a folder, with further environment variables at every run.

    It runs in this process where that makes no difference, else in a fork of one that has imported it, else by itself.
    """

    def __init__(self, folder: Path, **env: str) -> None:
        self.folder = folder
        self.env = env

    @property
    def git_dir(self) -> Path:
        """The store's git directory."""
        return self.folder / ".memoir"

    def argv(self, *args: str) -> list[str]:
        """The argument vector of a run, for tests that start the process themselves."""
        return [str(COMMAND), *args]

    def run(self, *args: str, stdin: str | bytes = b"", **env: str) -> RunResult:
        """Run the command to its end, with further environment variables."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        everything = {**os.environ, **self.env, **env}
        if command_call.can_call(args, everything):
            done = command_call.call(args, stdin=data, folder=self.folder, env=everything)
            return RunResult(done.status, done.out.decode(), done.err.decode())
        if command_server.can_run(everything):
            done = command_server.run(args, stdin=data, folder=self.folder, env=everything, timeout=120)
            return RunResult(done.status, done.out.decode(), done.err.decode())
        new = subprocess.run(
            self.argv(*args), input=data, capture_output=True, cwd=self.folder, env=everything, timeout=120
        )
        return RunResult(new.returncode, new.stdout.decode(), new.stderr.decode())

    def ok(self, *args: str, stdin: str | bytes = b"", **env: str) -> str:
        """Run the command, which must succeed, and return its standard output."""
        done = self.run(*args, stdin=stdin, **env)
        assert done.status == 0, done
        return done.out

    def json(self, *args: str, stdin: str | bytes = b"", status: int = 0, **env: str) -> dict[str, Any]:
        """Run the command with --json, expecting a status, and return its answer."""
        done = self.run(*args, "--json", stdin=stdin, **env)
        assert done.status == status, done
        assert done.json["success"] is (status == 0) or status == 1, done
        return done.json

    def remember(self, path: str, content: str, *args: str) -> str:
        """Store a memory and return its commit's id.

        Most tests only set their scene with it, so unless a run has other options, or variables of its own, the library
        does it, which costs a fifth of what the command does.
        """
        options = dict(zip(args[::2], args[1::2], strict=False))
        is_plain = options.keys() <= {"-n", "--meta"} and len(args) == 2 * len(options)
        if is_plain and not (self.env or "MEMOIR_BRANCH" in os.environ):
            name, _, value = options.get("--meta", "").partition("=")
            new = Memory.of(content, metadata={name: value} if name else None)
            with Repository.open(self.folder) as repository:
                made = repository.remember(new, path, namespace=options.get("-n", DEFAULT_NAMESPACE)).commit
                assert made
                return str(made.id)
        commit = self.json("remember", content, "-p", path, *args)["commit_hash"]
        assert isinstance(commit, str)
        return commit

    def content(self, path: str, *args: str) -> str | None:
        """The content at a path, or None; without `args`, the library reads it, which is quicker than a command."""
        if self.git_dir.exists() and not (args or self.env or "MEMOIR_BRANCH" in os.environ):
            with Repository.open(self.folder) as repository, suppress(NotFound):
                return repository.content(path)
            return None
        item = self.json("get", path, *args)["items"][0]
        return item["value"]["content"] if item["found"] else None

    def git(self, *args: str) -> str:
        """Run plain git on the store."""
        return git(f"--git-dir={self.git_dir}", *args)


def git(*args: str, cwd: Path | None = None) -> str:
    """Run plain git, which must succeed, and return its standard output."""
    done = subprocess.run(["git", *args], capture_output=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout.decode()


def path_of(descriptor: int) -> str:
    """The path of an open file."""
    if sys.platform == "darwin":
        return fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024)).partition(b"\0")[0].decode()
    return os.readlink(f"/proc/self/fd/{descriptor}")


def copy_folder(original: Path | str, folder: Path | str) -> Path:
    """Copy a folder into a new one, or over one, with its modes; `shutil.copytree` takes more than twice the time."""
    os.makedirs(folder, os.stat(original).st_mode & 0o777, exist_ok=True)
    with os.scandir(original) as entries:
        for entry in entries:
            place = f"{folder}/{entry.name}"
            if entry.is_symlink():
                os.symlink(os.readlink(entry), place)
            elif entry.is_dir():
                copy_folder(entry.path, place)
            else:
                _copy_file(entry.path, place, entry.stat().st_mode & 0o777)
    return Path(folder)


def _copy_file(original: str, place: str, mode: int) -> None:
    source = os.open(original, os.O_RDONLY)
    copy = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    while data := os.read(source, 1 << 20):
        os.write(copy, data)
    os.close(source)
    os.close(copy)


def copied(folder: Path, original: Path, build: Callable[[Path], None]) -> Path:
    """A copy in a folder of what is built once, for the first test that asks."""
    if not original.exists():
        build(original)
    return copy_folder(original, folder)


def copied_together(folder: Path, original: Path, build: Callable[[Path], None]) -> Path:
    """The same for stores in folders of it that name each other, as the copies do."""
    copied(folder, original, build)
    for name in ("config", "memoir-config", "FETCH_HEAD"):
        for file in folder.glob(f"*/{DIRECTORY}/{name}"):
            file.write_text(file.read_text().replace(str(original), str(folder)))
    return folder


def make_empty(folder: Path, base: Path) -> Path:
    """A store in a folder: a copy of one that was made like every other, which takes a thirtieth of the time."""
    first = base / "empty"
    if not first.exists():
        create(first).close()
    return copy_folder(first / DIRECTORY, folder / DIRECTORY)


def built_once(build: Callable[[Any], None]) -> Callable[..., Any]:
    """A fixture from a function that fills an empty store, of the class of its argument: each test gets a copy."""
    (kind,) = (kind for name, kind in build.__annotations__.items() if name != "return")
    folder_name = {Memoir: "project", Repository: "library", Store: "store"}[kind]

    @pytest.fixture(name=build.__name__)
    def fixture(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
        base = tmp_path_factory.getbasetemp()

        def make(folder: Path) -> None:
            make_empty(folder, base)
            with _opened(kind, folder) as store:
                build(store)

        copied(tmp_path / folder_name, base / f"{build.__module__}.{build.__name__}", make)
        with _opened(kind, tmp_path / folder_name) as store:
            yield store

    return fixture


@contextmanager
def _opened(kind: type[Any], folder: Path) -> Iterator[Any]:
    if kind is Memoir:
        yield Memoir(folder)
        return
    with Repository.open(folder) if kind is Repository else Store(folder / DIRECTORY) as opened:
        yield opened


def write(store: Store, edits: Mapping[str, str | None], message: str = "write", branch: str | None = None) -> Commit:
    """Commit some keys and values (None removes one) through the store itself."""
    change = Change([(k.encode(), None if v is None else v.encode()) for k, v in edits.items()], message)
    commit = transaction.write(store, lambda head: change, branch=branch, reason=message)
    assert commit
    return commit


@contextmanager
def first_format() -> Iterator[None]:
    """New trees have the first format meanwhile, and those that have it keep it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memoir.store.growth.FORMAT", 1)
        patch.setattr("memoir.tree.tree.EMPTY", TreeNode((), (), None, 1))
        yield


def commits(store: Store) -> int:
    """How many commits the branch of HEAD has."""
    return count_commits(store, store.commit("HEAD").id)


def contents(store: Store, revision: str | None = None) -> dict[str, str]:
    """Every key and value at a revision."""
    return {key.decode(): value.decode() for key, value in store.at(revision).scan()}


def on_terminal(
    argv: Sequence[str], folder: Path, env: Mapping[str, str] = os.environ, *, columns: int = 200, rows: int = 50
) -> tuple[int, str]:
    """The status of a command in a folder, and all that it shows on a terminal of some size."""
    reader, writer = pty.openpty()
    termios.tcsetwinsize(writer, (rows, columns))
    process = subprocess.Popen(argv, cwd=folder, stdin=writer, stdout=writer, stderr=writer, env={**env, "COLUMNS": ""})
    os.close(writer)
    shown = b""
    with suppress(OSError):  # a terminal whose other side has gone
        while chunk := os.read(reader, 1 << 16):
            shown += chunk
    os.close(reader)
    return process.wait(60), shown.decode().replace("\r\n", "\n")


def close(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody look into a folder, not even root."""
    look = os.scandir

    def refuse(path: Any) -> Any:
        if Path(path) == folder:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return look(path)

    monkeypatch.setattr(os, "scandir", refuse)
