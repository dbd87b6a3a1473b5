"""Seals every test: its own HOME, git config, clock, current directory and environment."""

import gc
import os
import re
import shutil
import signal
import sys
from collections.abc import Generator, Iterator
from functools import cache
from itertools import count
from pathlib import Path

import command_server
import pytest
from hypothesis import settings
from messages_api import MessagesApi
from support import COMMAND, FULL_ROUND, PROJECT, Memoir, make_empty

from memoir.repository.repository import Repository
from memoir.store import recent
from memoir.store.store import Store

sys.dont_write_bytecode = False  # what is imported here is compiled, and its assertions rewritten, once for all rounds

settings.register_profile("memoir", max_examples=FULL_ROUND, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("quick", settings.get_profile("memoir"), max_examples=5)
settings.load_profile("memoir")

# nohup has the one ignored and a shell's '&' the other, and every command of a test would inherit that.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

sys.path.append(str(PROJECT))  # for the benchmarks; after the installed memoir

NOW = "2026-01-02T03:04:05Z"
_SETTINGS = ("GIT_", "MEMOIR_", "XDG_", "ANTHROPIC_", "PROLLYTREE_", "OTEL_", "SSL_")
_HOSTS = ("CLAUDE", "CODEX_", "COPILOT_", "GEMINI_")
_ALSO = ("PYTHONDONTWRITEBYTECODE", "VISUAL", "NO_COLOR")
_OF_TESTS = "MEMOIR_TEST_"
"""How the variables begin that name programs for tests to run."""

_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,  # for what is set up once for a module; a test has a file of its own
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "MEMOIR_NOW": NOW,
    "MEMOIR_AUTHOR": "Tess Ter <tess@example.org>",
    "MEMOIR_EMBED_PROVIDER": "static",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "xterm-256color",
    "PAGER": "cat",
    "EDITOR": "false",
    "SSL_CERT_DIR": os.devnull,  # a client of the SDK reads no certificates, which takes longer than a talk with a stub
}
"""What every test's environment has, beside a HOME of its own."""

_RUNS_COMMANDS = re.compile(r"^from support import .*\b(COMMAND|Memoir)\b|\bscripts_env\b", re.MULTILINE)
"""What a module imports, or asks for, that starts the installed command."""

_SLOW_PLACES = (
    "exchange/test_clocks.py",
    "exchange/test_cost.py",
    "exchange/writers/test_fold.py",
    "exchange/test_foreign_memories.py",
    "exchange/writers/test_sync_writers.py",
    "exchange/test_merge.py",
    "exchange/test_moves.py",
    "exchange/test_processes.py",
    "exchange/test_refusals.py",
    "exchange/test_replaced.py",
    "exchange/test_sync.py",
    "faults",
    "formats/test_bring.py",
    "embedders/test_installed.py",
    "embedders/test_minilm.py",
    "embedders/test_weights.py",
    "index/test_commits.py",
    "index/test_update.py",
    "sources/test_conversion.py",
    "sources/test_json_conversations.py",
    "memory/test_import_.py",
    "purge/test_purge.py",
    "purge/test_purge_beside.py",
    "records/test_damage.py",
    "repair",
    "repository/test_exchange.py",
    "repository/test_guards.py",
    "store/test_against_git.py",
    "store/test_branch_rename.py",
    "store/test_commit_graph.py",
    "store/test_growth.py",
    "store/test_snapshot.py",
    "store/test_old_format.py",
    "store/test_stale_locks.py",
    "test_clones.py",
)
"""What kills, damages or converts, meets other stores, or takes long; `--durations=20` finds more of the kind."""
_LONG = {"soak", "hosts", "model", "servers", "faults", "tools", "ui"}
"""The markers of what runs only when `-m` asks for it."""
_IS_LONG = re.compile(rf"^pytestmark = \[?\s*pytest\.mark\.({'|'.join(_LONG)})\b", re.MULTILINE)
"""How a module is marked all of whose tests are long."""

_IN_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30


def pytest_configure(config: pytest.Config) -> None:
    """Seal the process, choose where the tests' files lie, and in a quick round try fewer examples of each property.

    Raises:
        UsageError: a slow place is not there; it has moved, and would be in the quick round from now on.
    """
    _seal_process()
    gc.disable()
    if _has_room(_IN_MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_IN_MEMORY))
    if gone := [place for place in _SLOW_PLACES if not (PROJECT / "tests" / place).exists()]:
        raise pytest.UsageError(f"tests/conftest.py names slow places that are not there: {', '.join(gone)}")
    if "not slow" in config.option.markexpr:
        settings.load_profile("quick")
    if worker := getattr(config, "workerinput", None):
        _begin_elsewhere(config, int(worker["workerid"][2:]) / worker["workercount"])


def _begin_elsewhere(config: pytest.Config, share: float) -> None:
    """Let each worker import another share of the tests first, and find the others' compiled; they are sorted later."""
    tests = PROJECT / "tests"
    if [Path(argument).absolute() for argument in config.args] == [tests]:
        places = sorted(str(place) for place in tests.iterdir() if place.suffix in ("", ".py"))
        first = int(len(places) * share)
        config.args[:] = places[first:] + places[:first]


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> Generator[None, int, int]:
    """Two workers more than there are cores: a third of the time a test only waits, for a process or for a clock.

    A quick round waits for little, and another worker would have to collect its tests too; a round of faults is timed.
    """
    return (yield) + (0 if config.option.markexpr else 2)


def _seal_process() -> None:
    """Take what the user has set up out of the environment: once, because most tests change nothing of it."""
    for name in [name for name in os.environ if not name.startswith(_OF_TESTS)]:
        if name.startswith((*_SETTINGS, *_HOSTS)) or name in _ALSO or name.lower().endswith("_proxy"):
            del os.environ[name]
    os.environ.update(_ENVIRONMENT)
    os.environ["PATH"] = f"{COMMAND.parent}:{os.environ['PATH']}"


def _has_room(folder: Path) -> bool:
    """Whether tests can lie in a folder that is in memory: on a disk they wait for `fsync` most of the time."""
    try:
        system = os.statvfs(folder)
    except OSError:
        return False
    is_usable = os.access(folder, os.W_OK) and not system.f_flag & os.ST_NOEXEC
    return is_usable and system.f_bavail * system.f_frsize > _ROOM


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the modules of which a plain or a quick round runs no test."""
    asked = config.option.markexpr
    if collection_path.suffix != ".py" or (asked and "not slow" not in asked):
        return None
    return True if _is_long(collection_path) or (asked and _is_slow(collection_path)) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In a plain round, leave out what is long; for a quick one, mark this and what else is slow."""
    items.sort(key=lambda item: item.path)
    asked = config.option.markexpr
    if asked and "slow" not in asked:
        return
    kept, long = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        is_long = any(mark.name in _LONG for mark in item.iter_markers())
        (long if is_long else kept).append(item)
        if asked and (is_long or _is_slow(item.path)):
            item.add_marker(pytest.mark.slow)
    if not asked and long:
        config.hook.pytest_deselected(items=long)
        items[:] = kept


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over all tests and imports until the end, and seldom over the rest."""
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@cache
def _is_long(module: Path) -> bool:
    return bool(_IS_LONG.search(module.read_text("utf-8")))


@cache
def _is_slow(module: Path) -> bool:
    place = module.relative_to(PROJECT / "tests").as_posix()
    return (
        place in _SLOW_PLACES
        or place.partition("/")[0] in _SLOW_PLACES
        or bool(_RUNS_COMMANDS.search(module.read_text("utf-8")))
    )


@pytest.fixture(scope="session")
def folder_numbers() -> Iterator[int]:
    """The numbers of the tests of a process."""
    return count()


@pytest.fixture
def tmp_path(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, folder_numbers: Iterator[int]
) -> Iterator[Path]:
    """A folder of the test's own, kept if the test fails. That of pytest looks at all earlier ones first."""
    failures = request.session.testsfailed
    folder = tmp_path_factory.getbasetemp() / str(next(folder_numbers)) / "test"
    folder.mkdir(parents=True)
    yield folder
    if request.session.testsfailed == failures:
        _remove(folder.parent)


def _remove(folder: Path) -> None:
    """Remove the folders of a test. Most tests write nothing into theirs, and a walk through them costs more."""
    try:
        for name in ("test", "home", "current"):
            os.rmdir(folder / name)
        os.rmdir(folder)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def seal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees, or touches, what its user or another test has set up."""
    home, current = tmp_path.with_name("home"), tmp_path.with_name("current")
    home.mkdir()
    current.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.chdir(current)


@pytest.fixture
def memoir(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Memoir:
    """An empty store, for the installed command."""
    make_empty(tmp_path / "project", tmp_path_factory.getbasetemp())
    return Memoir(tmp_path / "project")


@pytest.fixture(scope="session")
def scripts_env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a shell script's environment has beside the test's own: a PATH on which `memoir` starts quickly."""
    folder = command_server.make_command(tmp_path_factory.getbasetemp() / "bin")
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def store(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """An empty store of keys and bytes."""
    with Store(make_empty(tmp_path / "store", tmp_path_factory.getbasetemp())) as store:
        yield store


@pytest.fixture(params=["near", "far"])
def near_or_far(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How commits are related is read from them, as if all were near, or asked of git."""
    if request.param == "far":
        monkeypatch.setattr(recent, "MOST", 0)


@pytest.fixture
def repository(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    """An empty store, through the library."""
    make_empty(tmp_path / "library", tmp_path_factory.getbasetemp())
    with Repository.open(tmp_path / "library") as repository:
        yield repository


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesApi]:
    """A model is configured: a stub of the Messages API that the environment points at."""
    with MessagesApi() as server:
        for name, value in server.env().items():
            monkeypatch.setenv(name, value)
        yield server
