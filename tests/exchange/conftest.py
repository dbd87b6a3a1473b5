"""A remote, and clones of it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import copy_folder, git

from memoir.memory.facets import ids_of
from memoir.records.metadata import reworded
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.locate import DIRECTORY

Cloning = Callable[[str], Repository]
Meeting = Callable[..., None]


def _build(folder: Path) -> None:
    """A remote with one memory, and a clone of it."""
    with Repository.init(folder / "first") as first:
        first.remember(Memory.of("the beginning"), "a.first")
        git("clone", "-q", "--bare", str(first.store.git_dir), str(folder / "hub.git"))
    Repository.clone(str(folder / "hub.git"), folder / "clone").close()


def _of_both(what: Callable[[Repository], object]) -> Callable[[Path], None]:
    """The same with two clones, which have both got what is done in one of them."""

    def build(folder: Path) -> None:
        _build(folder)
        for name in ("mine", "yours"):
            copy_folder(folder / "clone", folder / name)
        with Repository.open(folder / "mine") as mine, Repository.open(folder / "yours") as yours:
            what(mine)
            mine.remotes.sync()
            yours.remotes.sync()

    return build


_STARTS: dict[str, Callable[[Path], None]] = {
    "the_other": _of_both(lambda mine: mine.remember(Memory.of("the other"), "a.other")),
    "several": _of_both(lambda mine: mine.remember(Memory.of("one of several"), "a.first", policy="append")),
}
"""What the clones of a test have from the start if it asks for the fixture of that name."""


def name_remote(clone: Path, old: Path, new: Path) -> None:
    """Let a copied clone name the copy of its remote."""
    for file in ("config", "memoir-config", "FETCH_HEAD"):
        path = clone / DIRECTORY / file
        path.write_text(path.read_text().replace(str(old), str(new)))


def is_fresh(hub: Path) -> bool:
    """Whether nobody has sent anything to the remote."""
    return not any(path.is_file() for path in (hub / "refs").rglob("*"))


@pytest.fixture
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the remote and the clones of a test are copies of."""
    start = next((name for name in _STARTS if name in request.fixturenames), "exchange")
    folder = tmp_path_factory.getbasetemp() / start
    if not folder.exists():
        _STARTS.get(start, _build)(folder)
    return folder


@pytest.fixture
def hub(tmp_path: Path, made: Path) -> Path:
    """A remote with one memory."""
    return copy_folder(made / "hub.git", tmp_path / "hub.git")


@pytest.fixture
def fresh_clone(hub: Path, made: Path, tmp_path: Path) -> Iterator[Cloning]:
    """Makes clones of the remote as it was at first: copies of one, in which the remote's path is another."""
    opened = list[Repository]()

    def make(name: str) -> Repository:
        original = made / name
        copy_folder(original if original.exists() else made / "clone", tmp_path / name)
        name_remote(tmp_path / name, made / "hub.git", hub)
        opened.append(Repository.open(tmp_path / name))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


@pytest.fixture
def mine(fresh_clone: Cloning) -> Repository:
    """A clone of it."""
    return fresh_clone("mine")


@pytest.fixture
def yours(fresh_clone: Cloning) -> Repository:
    """Another clone of it."""
    return fresh_clone("yours")


@pytest.fixture
def the_other() -> None:
    """A second memory, which both clones have."""


@pytest.fixture
def several(mine: Repository) -> str:
    """The key of one memory among several at a path, which both clones have."""
    return key_of(mine, "one of several")


@pytest.fixture(params=["mine", "yours"])
def moving(request: pytest.FixtureRequest) -> Repository:
    """The clone that moves memories, either of the two."""
    repository: Repository = request.getfixturevalue(request.param)
    return repository


@pytest.fixture
def changing(moving: Repository, mine: Repository, yours: Repository) -> Repository:
    """The other clone, which changes what is moved."""
    return yours if moving is mine else mine


@pytest.fixture(params=["pull", "sync"])
def way(request: pytest.FixtureRequest) -> str:
    """How the one clone gets what the other has."""
    name: str = request.param
    return name


@pytest.fixture
def pair(fresh_clone: Cloning) -> tuple[Repository, Repository]:
    """Two clones of it."""
    return fresh_clone("mine"), fresh_clone("yours")


@pytest.fixture
def meet(mine: Repository, yours: Repository, way: str) -> Meeting:
    """Sends what is in yours, and merges it into mine."""

    def run(strategy: str | None = None) -> None:
        yours.remotes.push()
        getattr(mine.remotes, way)(strategy=strategy)

    return run


def paths(repository: Repository) -> set[str]:
    return {place.path for place in repository.keys(())}


def texts(repository: Repository, key: str) -> set[str]:
    return {memory.content for memory in repository.get(key) or () if memory.active}


def contents(repository: Repository) -> list[tuple[str, str]]:
    """Every memory with its path."""
    return sorted((path, text) for path in paths(repository) for text in texts(repository, path))


def key_of(repository: Repository, text: str) -> str:
    """The key of a memory at `a.first` that has neighbours there."""
    record = repository.get("a.first") or ()
    return f"a.first#{ids_of(record)[[memory.content for memory in record].index(text)]}"


def reword(repository: Repository, old: str, new: str, path: str = "a.first") -> None:
    """Give one memory of a path other words."""
    repository.edit(path, lambda record: [reworded(each, new) if each.content == old else each for each in record])
