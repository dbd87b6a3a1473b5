"""A store inside a git project: the project's own git neither sees it, nor takes it, nor cleans it away."""

from pathlib import Path

import pytest
from fault_tools import assert_sound, state
from support import Memoir, git


@pytest.fixture(params=[".", "packages/agent", "new [1] folder*"])
def memoir(request: pytest.FixtureRequest, tmp_path: Path) -> Memoir:
    """A store in a git project: at its top, or in a subfolder that git knows, or in one that it does not."""
    project = tmp_path / "project"
    git("init", "--quiet", str(project))
    (project / "packages" / "agent").mkdir(parents=True)
    for path in ("README", "packages/agent/code.py"):
        (project / path).write_text("text\n")
    _git(project, "add", ".")
    _git(project, "commit", "--quiet", "-m", "begin")
    memoir = Memoir(project / request.param)
    memoir.folder.mkdir(exist_ok=True)
    memoir.ok("init")
    memoir.remember("a.first", "first")
    return memoir


def _git(folder: Path, *args: str) -> str:
    return git("-c", "user.name=x", "-c", "user.email=x@example.org", *args, cwd=folder)


@pytest.fixture
def project(memoir: Memoir, tmp_path: Path) -> Path:
    """The project, with a changed file and two new ones, so that git has work to do."""
    folder = tmp_path / "project"
    (folder / "README").write_text("changed\n")
    (folder / "new").write_text("new\n")
    (folder / ".gitignore").write_text("ignored\n")
    (folder / "ignored").write_text("ignored\n")
    return folder


@pytest.mark.parametrize("command", ["clean -fdx", "stash --all"])
def test_cleaning_the_project_leaves_the_store_alone(memoir: Memoir, project: Path, command: str) -> None:
    before = state(memoir)

    _git(project, *command.split())

    assert state(memoir) == before
    memoir.remember("a.second", "second")
    assert_sound(memoir)


def test_cleaning_did_clean(memoir: Memoir, project: Path) -> None:
    """What the test above relies on: git did remove what it ignores and does not know."""
    _git(project, "clean", "-fdx")

    assert not (project / "ignored").exists() and not (project / "new").exists()


def test_the_project_does_not_see_the_store(memoir: Memoir, project: Path) -> None:
    assert "memoir" not in _git(project, "status", "--porcelain", "--untracked-files=all")
    assert "memoir" not in _git(project, "ls-files", "--others", "--exclude-standard")
    _git(project, "add", "--all")
    assert "memoir" not in _git(project, "ls-files", "--cached")
    _git(project, "commit", "--quiet", "-m", "everything")
    assert "memoir" not in _git(project, "ls-tree", "-r", "--name-only", "HEAD")


def test_a_second_store_and_a_second_init_add_one_line_each(memoir: Memoir, project: Path) -> None:
    exclude = project / ".git" / "info" / "exclude"
    before = exclude.read_text().splitlines()
    (project / "elsewhere").mkdir()

    assert Memoir(memoir.folder).run("init").status in (0, 5)
    Memoir(project / "elsewhere").ok("init")

    assert sorted(exclude.read_text().splitlines()) == sorted([*before, "/elsewhere/.memoir/"])


def test_a_store_in_a_linked_worktree_is_not_seen_either(memoir: Memoir, project: Path, tmp_path: Path) -> None:
    _git(project, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    tree = Memoir(tmp_path / "linked")
    tree.ok("init")
    tree.remember("a.linked", "linked")

    assert _git(tree.folder, "status", "--porcelain") == ""
    _git(tree.folder, "clean", "-fdx")
    assert tree.content("a.linked") == "linked"
