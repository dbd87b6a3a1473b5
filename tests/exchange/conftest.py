"""A remote, and clones of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import git

from memoir.records.record import Memory
from memoir.repository.repository import Repository


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """A remote with one memory."""
    with Repository.init(tmp_path / "first") as first:
        first.remember(Memory.of("the beginning"), "a.first")
        git("clone", "-q", "--bare", str(first.store.git_dir), str(tmp_path / "hub.git"))
    return tmp_path / "hub.git"


@pytest.fixture
def mine(hub: Path, tmp_path: Path) -> Iterator[Repository]:
    """A clone of it."""
    with Repository.clone(str(hub), tmp_path / "mine") as mine:
        yield mine
