"""A store whose branch follows that of the code beside it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import copied, git

from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store import branch_choice


def make(folder: Path) -> None:
    """A project with a commit on main, a memory on main, and a store that follows the code."""
    git("init", "-q", "-b", "main", str(folder))
    git("config", "user.name", "tester", cwd=folder)
    git("config", "user.email", "tester@example.org", cwd=folder)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=folder)
    with Repository.init(folder) as store:
        store.remember(Memory.of("of main"), "a.main")
        store.config.set("memoir.branch.follow", "code")


@pytest.fixture
def project(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That project, in which the test is."""
    monkeypatch.chdir(copied(tmp_path / "project", tmp_path_factory.getbasetemp() / "followed", make))
    return tmp_path / "project"


@pytest.fixture
def here(project: Path) -> Iterator[Repository]:
    """The store, opened while the code is on the branch `feature`."""
    git("checkout", "-q", "-b", "feature", cwd=project)
    with Repository.open() as repository:
        yield repository


def test_reads_see_main_until_the_first_write_begins_the_branch(here: Repository, project: Path) -> None:
    assert (here.branch, here.branches.choice().begun) == ("feature", False)
    assert here.get("a.main")

    here.remember(Memory.of("of the feature"), "a.feature")

    assert [ref.name for ref in here.branches.list()] == ["feature", "main"]
    assert here.store.refs.current == "main"
    git("checkout", "-q", "main", cwd=project)
    with Repository.open() as main:
        assert (main.branch, main.get("a.feature")) == ("main", None)


def test_the_branch_begins_at_main_wherever_head_is(here: Repository) -> None:
    here.branches.create("aside")
    here.remember(Memory.of("aside"), "a.aside", options=WriteOptions(branch="aside"))
    here.branches.checkout("aside")

    with Repository.open() as again:
        assert again.get("a.aside") is None
        assert again.branches.choice().start == "main"


def test_a_name_that_is_given_comes_first(here: Repository) -> None:
    with Repository.open(branch="other") as repository:
        assert (repository.branch, repository.branches.choice().by) == ("other", "Repository.open")


def test_a_worktree_has_its_own_branch_and_a_detached_head_that_of_the_store(project: Path, tmp_path: Path) -> None:
    git("worktree", "add", "-q", "-b", "topic", str(tmp_path / "tree"), cwd=project)
    assert branch_choice.selection(project / ".memoir", tmp_path / "tree").branch == "topic"
    assert branch_choice.selection(project / ".memoir", project).branch == "main"

    git("checkout", "-q", "--detach", cwd=tmp_path / "tree")

    assert branch_choice.selection(project / ".memoir", tmp_path / "tree").branch is None


def test_a_folder_of_another_project_decides_nothing(project: Path, tmp_path: Path) -> None:
    git("init", "-q", "-b", "foreign", str(tmp_path / "other"))

    assert branch_choice.selection(project / ".memoir", tmp_path / "other").branch == "main"


def test_each_store_decides_for_itself(here: Repository) -> None:
    with pytest.raises(InvalidInput, match="for each store"):
        here.config.set("memoir.branch.follow", "code", user=True)
    git("config", "--global", "memoir.branch.follow", "off")
    assert here.branch == "feature"


def test_what_has_landed_is_listed_and_merged(here: Repository, project: Path) -> None:
    here.remember(Memory.of("of the feature"), "a.feature")
    git("commit", "-q", "--allow-empty", "-m", "work", cwd=project)
    git("checkout", "-q", "main", cwd=project)
    for name in ("begun", "open"):
        git("branch", "-q", name, cwd=project)
    git("checkout", "-q", "open", cwd=project)
    git("commit", "-q", "--allow-empty", "-m", "more", cwd=project)
    for name in ("begun", "open"):
        here.branches.create(name, "main")
        here.remember(Memory.of(name), f"a.{name}", options=WriteOptions(branch=name))
    git("checkout", "-q", "main", cwd=project)
    git("merge", "-q", "--no-ff", "-m", "land", "feature", cwd=project)

    with Repository.open() as main:
        assert [ref.name for ref in main.branches.landed()] == ["feature"]
        ((name, result),) = main.branches.merge_landed()
        assert (name, result.changed) == ("feature", 1)
        assert main.get("a.feature") and not main.branches.landed()


def test_a_branch_whose_upstream_is_gone_has_landed(project: Path, tmp_path: Path) -> None:
    git("init", "-q", "--bare", str(tmp_path / "hub"))
    git("remote", "add", "origin", str(tmp_path / "hub"), cwd=project)
    git("checkout", "-q", "-b", "squashed", cwd=project)
    git("commit", "-q", "--allow-empty", "-m", "work", cwd=project)
    git("push", "-q", "-u", "origin", "squashed", cwd=project)
    git("checkout", "-q", "main", cwd=project)
    assert branch_choice.find_landed(project) == set()

    git("update-ref", "-d", "refs/remotes/origin/squashed", cwd=project)

    assert branch_choice.find_landed(project) == {"squashed"}
