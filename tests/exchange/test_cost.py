"""One memory costs one memory at any remote, and a sync two connections."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from git_servers import DaemonServer, HttpServer
from support import first_format, git

from memoir.hosts.doctor import Check, examine
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import from_key
from memoir.tree.chunking import level

SIZE = 4_000
MOST_OBJECTS = 10


@pytest.fixture(scope="module")
def old_hub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A remote with 4,000 memories in the first format, in which nothing is set that concerns memoir."""
    folder = tmp_path_factory.mktemp("old")
    rows = (b'{"path": "topics.n%d.m%d", "content": "memory %d"}' % (n % 97, n, n) for n in range(SIZE))
    with first_format(), Repository.init(folder / "first") as first:
        first.import_lines(rows)
    return copy_of(folder / "first" / ".memoir", folder)


def copy_of(repository: Path, folder: Path) -> Path:
    git("clone", "-q", "--bare", str(repository), str(folder / "hub.git"))
    git("config", "http.receivepack", "true", cwd=folder / "hub.git")
    return folder / "hub.git"


@pytest.fixture(scope="module")
def full_hub(old_hub: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, after one memory was written in the newest format."""
    folder = tmp_path_factory.mktemp("full")
    hub = copy_of(old_hub, folder)
    with Repository.clone(str(hub), folder / "first") as first, Repository.clone(str(hub), folder / "second") as second:
        first.remember(Memory.of("in the newest format"), "topics.newest")
        assert 0 < objects(first, first.remotes.push) <= MOST_OBJECTS
        assert 0 < objects(second, second.remotes.fetch) <= MOST_OBJECTS
    return hub


@pytest.fixture(params=["file", "http", "daemon"])
def address(request: pytest.FixtureRequest, full_hub: Path) -> Iterator[str]:
    with ExitStack() as stack:
        if request.param == "file":
            yield f"file://{full_hub}"
        else:
            kind = HttpServer if request.param == "http" else DaemonServer
            yield stack.enter_context(kind(full_hub.parent)).url("hub")


def objects(repository: Repository, act: Callable[[], object]) -> int:
    """How many objects git sends and receives meanwhile."""
    lines: list[str] = []
    repository.store.git.tell = lines.append
    act()
    repository.store.git.tell = None
    totals = re.findall(
        r"(?:Writing|Receiving|Unpacking) objects: 100% \((\d+)/\d+\), (?:done|[\d.]+ )", "".join(lines)
    )
    return sum(map(int, totals))


def test_one_more_memory_is_a_few_objects(address: str, tmp_path: Path) -> None:
    kind = address.partition(":")[0]
    with Repository.clone(address, tmp_path / "one") as one, Repository.clone(address, tmp_path / "two") as two:
        one.remember(Memory.of("one more"), f"topics.n20.{kind}")
        assert 0 < objects(one, one.remotes.push) <= MOST_OBJECTS
        assert 0 < objects(two, two.remotes.fetch) <= MOST_OBJECTS
        two.remember(Memory.of("another"), f"topics.n60.{kind}")
        assert 0 < objects(two, two.remotes.sync) <= MOST_OBJECTS
        assert 0 < objects(one, one.remotes.sync) <= MOST_OBJECTS


def test_a_memory_that_ends_a_node_is_a_few_objects_to_push(full_hub: Path, tmp_path: Path) -> None:
    hub = copy_of(full_hub, tmp_path)
    with Repository.clone(str(hub), tmp_path / "one") as one:
        keys = [key for key, _ in one.store.head().tree.scan() if level(key)]
        for key in keys[3:60:20]:
            one.forget(from_key(key).path)
            assert 0 < objects(one, one.remotes.push) <= MOST_OBJECTS


def test_a_sync_asks_twice_if_nothing_is_new_there(full_hub: Path, tmp_path: Path) -> None:
    with HttpServer(full_hub.parent) as server, Repository.clone(server.url("hub"), tmp_path / "one") as one:

        def connections() -> int:
            server.requests.clear()
            one.remotes.sync()
            counted = sum("/info/refs" in each for each in server.requests)
            assert len(server.requests) <= 2 * counted - 1, "the first lists the remote's refs unasked"
            return counted

        one.remember(Memory.of("text"), "a.new")
        assert connections() == 2
        assert connections() == 1
        with Repository.clone(str(full_hub), tmp_path / "two") as two:
            two.remember(Memory.of("text"), "a.more")
            two.remotes.sync()
        assert connections() == 2
        one.config.set("memoir.remote.origin.writers", "own")
        one.remember(Memory.of("text"), "a.own")
        assert connections() == 2


def test_a_clone_asks_three_times(full_hub: Path, tmp_path: Path) -> None:
    """It lists the refs, looks whether they hold memory or code, and fetches them."""
    with HttpServer(full_hub.parent) as server:
        Repository.clone(server.url("hub"), tmp_path / "one").close()

    assert sum("/info/refs" in each for each in server.requests) == 3


def test_doctor_names_a_hub_that_sends_too_much(old_hub: Path, tmp_path: Path) -> None:
    def remotes(repository: Repository) -> Check:
        return next(check for check in examine(str(repository.path)) if check.name == "remotes")

    hub = copy_of(old_hub, tmp_path)
    with (
        first_format(),
        HttpServer(tmp_path) as server,
        Repository.clone(server.url("hub"), tmp_path / "one") as one,
        Repository.clone(server.url("hub"), tmp_path / "two") as two,
    ):
        two.remember(Memory.of("text"), "topics.n50.more")
        two.remotes.sync()
        one.remotes.sync()
        assert remotes(one).health == "warning"
        assert re.fullmatch(r"origin sent \d,\d+ objects in the last fetch, [1-9] of them new", remotes(one).message)
        assert remotes(one).fix == "there: git config pack.useSparse false"

        git("config", "pack.useSparse", "false", cwd=hub)
        two.remember(Memory.of("text"), "topics.n51.more")
        two.remotes.sync()
        one.remotes.sync()
        assert remotes(one).health == "ok"
