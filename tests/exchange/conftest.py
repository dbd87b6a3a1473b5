"""A remote, and clones of it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import copied, git

from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.locate import DIRECTORY

Cloning = Callable[[str], Repository]


def _build(folder: Path) -> None:
    """A remote with one memory, and a clone of it."""
    with Repository.init(folder / "first") as first:
        first.remember(Memory.of("the beginning"), "a.first")
        git("clone", "-q", "--bare", str(first.store.git_dir), str(folder / "hub.git"))
    Repository.clone(str(folder / "hub.git"), folder / "clone").close()


def name_remote(clone: Path, old: Path, new: Path) -> None:
    """Let a copied clone name the copy of its remote."""
    for file in ("config", "memoir-config", "FETCH_HEAD"):
        path = clone / DIRECTORY / file
        path.write_text(path.read_text().replace(str(old), str(new)))


def is_fresh(hub: Path) -> bool:
    """Whether nobody has sent anything to the remote."""
    return not any(path.is_file() for path in (hub / "refs").rglob("*"))


@pytest.fixture
def hub(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A remote with one memory."""
    copied(tmp_path / "made", tmp_path_factory.getbasetemp() / "exchange", _build)
    return Path(shutil.move(tmp_path / "made" / "hub.git", tmp_path / "hub.git"))


@pytest.fixture
def fresh_clone(hub: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloning]:
    """Makes clones of the remote as it was at first: copies of one, in which the remote's path is another."""
    made, opened = tmp_path_factory.getbasetemp() / "exchange", list[Repository]()

    def make(name: str) -> Repository:
        shutil.copytree(made / "clone", tmp_path / name, copy_function=shutil.copy)
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
def the_other(mine: Repository, yours: Repository) -> None:
    """A second memory, which both clones have."""
    mine.remember(Memory.of("the other"), "a.other")
    mine.remotes.sync()
    yours.remotes.sync()


def paths(repository: Repository) -> set[str]:
    return {place.path for place in repository.keys(())}


def texts(repository: Repository, key: str) -> set[str]:
    return {memory.content for memory in repository.get(key) or () if memory.active}
