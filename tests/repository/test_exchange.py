"""`repository.remotes`: what it returns and what it refuses."""

import re
from pathlib import Path

import pytest

from memoir import Memory, Repository
from memoir.errors import Conflict, DamagedStore, InvalidInput, NotFound


@pytest.fixture
def other(repository: Repository, tmp_path: Path) -> Repository:
    """A clone of a store with one memory, which has the store as its `origin`."""
    repository.remember(Memory.of("Use pytest"), "preferences.testing")
    return Repository.clone(str(repository.path), tmp_path / "other")


def test_remotes_are_added_changed_and_removed(repository: Repository, tmp_path: Path) -> None:
    remotes = repository.remotes

    assert remotes.add("backup", "https://example.org/a.git") == "https://example.org/a.git"
    assert remotes.set_url("backup", str(tmp_path / "b")) == str(tmp_path / "b")
    assert remotes.list() == {"backup": str(tmp_path / "b")}
    remotes.remove("backup")
    assert remotes.list() == {}


def test_a_branch_is_pushed_and_pulled(repository: Repository, other: Repository) -> None:
    other.remember(Memory.of("Use vim"), "preferences.editor")
    other.branches.create("side")

    push = other.remotes.push(branch="side")
    repository.remember(Memory.of("Use mypy"), "preferences.types")
    pull = other.remotes.pull()

    assert push.results == [("refs/heads/side", "new")]
    assert repository.content("preferences.editor", at="side") == "Use vim"
    assert (pull.branch, pull.merge.outcome) == ("main", "merged")
    assert [ref.name for ref in pull.moves] == ["main"]
    assert other.count() == 3


def test_a_branch_is_deleted_at_a_remote(repository: Repository, other: Repository) -> None:
    other.branches.create("side")
    other.remotes.push(branch="side")

    other.remotes.delete_branch("origin", "side")

    assert [branch.name for branch in repository.branches.list()] == ["main"]


def test_every_branch_is_pushed(repository: Repository, other: Repository) -> None:
    other.branches.create("side")
    other.branches.create("third")

    other.remotes.push(all_branches=True)

    assert [branch.name for branch in repository.branches.list()] == ["main", "side", "third"]


def test_a_fetch_changes_no_branch_here(repository: Repository, other: Repository) -> None:
    repository.remember(Memory.of("Use mypy"), "preferences.types")

    assert [ref.name for ref in other.remotes.fetch().moves] == ["main"]
    assert other.count() == 1
    assert other.count(at="origin/main") == 2


def test_what_is_missing_is_named(repository: Repository, other: Repository) -> None:
    with pytest.raises(NotFound, match="no remote named 'nowhere'"):
        other.remotes.fetch("nowhere")
    with pytest.raises(NotFound, match="origin has no branch 'side'"):
        other.remotes.pull(branch="side")
    for name in ("side", "main^{}"):
        with pytest.raises(NotFound, match=re.escape(f"no branch named '{name}'")):
            other.remotes.push(branch=name)
    with pytest.raises(NotFound, match="no branch 'side' was fetched from origin"):
        other.remotes.delete_branch("origin", "side")


def test_commits_that_only_the_remote_has_are_not_replaced(repository: Repository, other: Repository) -> None:
    repository.remember(Memory.of("Use mypy"), "preferences.types")
    repository.branches.create("side")
    repository.branches.checkout("side")
    other.remember(Memory.of("Use vim"), "preferences.editor")

    with pytest.raises(Conflict, match="origin rejected 'main'"):
        other.remotes.push()


def test_a_url_that_names_a_program_is_refused(repository: Repository) -> None:
    with pytest.raises(InvalidInput, match="not a URL"):
        repository.remotes.add("backup", "ext::sh -c true")


@pytest.mark.parametrize("act", ["pull", "sync", "push"])  # fetch looks at no object if the remote has nothing new
def test_a_store_whose_newest_pack_is_lost_does_not_blame_the_remote(other: Repository, act: str) -> None:
    before = set(other.path.glob("objects/pack/*"))
    other.remember(Memory.of("Use vim"), "preferences.editor")
    for file in set(other.path.glob("objects/pack/*")) - before:
        file.unlink()

    with Repository.open(other.path.parent) as victim, pytest.raises(DamagedStore, match="main' names object"):
        getattr(victim.remotes, act)()


def test_packing_a_damaged_store_says_that_it_is_damaged(other: Repository) -> None:
    other.remember(Memory.of("Use vim"), "preferences.editor")
    for pack in other.path.glob("objects/pack/*.pack"):
        pack.chmod(0o644)
        pack.write_bytes(pack.read_bytes()[:40])

    with Repository.open(other.path.parent) as victim, pytest.raises(DamagedStore) as error:
        victim.upkeep.gc()
    assert "fsck" in (error.value.hint or "")


def test_a_branch_that_only_one_remote_has_is_created_from_it(repository: Repository, other: Repository) -> None:
    repository.branches.create("side")
    other.remotes.fetch()

    assert other.branches.checkout("side") == ("side", repository.store.commit("side"), "origin/side")
    assert other.branch == "side" and other.branches.checkout("side")[2] is None


def test_of_a_branch_that_two_remotes_have_one_must_be_named(repository: Repository, other: Repository) -> None:
    repository.branches.create("side")
    other.remotes.add("backup", str(repository.path.parent))
    for remote in ("origin", "backup"):
        other.remotes.fetch(remote)

    with pytest.raises(NotFound) as error:
        other.branches.checkout("side")
    assert error.value.hint == "'memoir checkout -b side backup/side' creates it from the remote's"
    assert other.branch == "main"
