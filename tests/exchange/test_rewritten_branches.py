"""What a remote's branch has lost is looked for in all that is sent, whatever that is."""

from pathlib import Path

import pytest
from exchange.conftest import Cloning
from support import git

from memoir.records.record import Memory
from memoir.repository.repository import Repository


@pytest.fixture
def mine(fresh_clone: Cloning, hub: Path) -> Repository:
    """A clone with a memory that the remote's branch has lost."""
    mine = fresh_clone("mine")
    mine.remember(Memory.of("to be lost"), "a.lost")
    mine.remotes.sync()
    who = ("-c", "user.name=Tess", "-c", "user.email=t@example.org")
    other = git(*who, "commit-tree", "-p", "main~1", "-m", "rewritten", "main~1^{tree}", cwd=hub).strip()
    git("update-ref", "refs/heads/main", other, cwd=hub)
    mine.remotes.fetch()
    return mine


def _blob(repository: Path) -> str:
    return git("hash-object", "-w", str(Path(__file__)), cwd=repository).strip()


def test_a_tag_of_something_else_is_sent_as_ever(mine: Repository, hub: Path) -> None:
    mine.branches.create("without-it", "origin/main")
    git("tag", "of-a-file", _blob(mine.path), cwd=mine.path)

    mine.remotes.push(branch="without-it", tags=True)

    assert git("tag", cwd=hub).split() == ["of-a-file"]
