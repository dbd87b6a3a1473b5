"""What is fetched lands under its own name, or nothing is fetched."""

from pathlib import Path

import pytest
from exchange.conftest import Cloning
from support import git

from memoir.errors import Conflict
from memoir.git.git import Git
from memoir.records.record import Memory
from memoir.repository.repository import Repository


@pytest.fixture
def both(hub: Path, yours: Repository) -> Path:
    """The remote, with two branches whose names differ in capitals alone."""
    for name, text in (("side", "of side"), ("Side", "of Side")):
        yours.branches.create(name)
        with Repository.open(yours.store.git_dir.parent, branch=name) as there:
            there.remember(Memory.of(text), "a.aside")
    yours.remotes.push(all_branches=True)
    return hub


def test_branches_that_differ_in_capitals_alone_stay_apart(both: Path, fresh_clone: Cloning) -> None:
    mine = fresh_clone("mine")
    mine.remotes.fetch()

    assert {"origin/side", "origin/Side"} <= {branch.name for branch in mine.branches.list(remotes=True)}


def test_where_they_would_have_one_file_nothing_is_fetched(
    both: Path, fresh_clone: Cloning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Git, "folds_case", True)
    mine = fresh_clone("mine")
    before = mine.store.refs.list("refs/")

    for use in (mine.remotes.fetch, mine.remotes.sync, lambda: Repository.clone(str(both), tmp_path / "new")):
        with pytest.raises(Conflict, match="has both 'Side' and 'side', which this file system cannot tell apart"):
            use()

    assert mine.store.refs.list("refs/") == before
    assert not (tmp_path / "new" / ".memoir").exists()
    git("-C", str(both), "branch", "-m", "Side", "another")
    mine.remotes.sync()


def test_tags_that_would_have_one_file_are_not_fetched(
    hub: Path, yours: Repository, fresh_clone: Cloning, monkeypatch: pytest.MonkeyPatch
) -> None:
    yours.remember("Use tabs.", "a.tabs")
    for name in ("v1", "V1"):
        yours.tags.create(name)
    yours.remotes.push(tags=True)
    monkeypatch.setattr(Git, "folds_case", True)

    with pytest.raises(Conflict, match="has both 'V1' and 'v1'"):
        fresh_clone("mine").remotes.fetch()
