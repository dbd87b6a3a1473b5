"""Which memories are about a file, under all names that it has had since they were tied to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from anchors.code_project import AUTH, CodeProject, commit, make
from support import git

from memoir.anchors.working_tree import WorkingTree


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CodeProject]:
    """A project with a memory about two lines of `src/auth.py`, which is then renamed to `src/login.py`."""
    make(tmp_path)
    project = CodeProject(tmp_path)
    project.repository.remember("Tokens come from T", "auth.token", about=[f"{tmp_path}/src/auth.py:3-4"])
    git("mv", "src/auth.py", "src/login.py", cwd=tmp_path)
    commit(tmp_path)
    yield project
    project.repository.close()


def _about(project: CodeProject, file: str) -> list[str]:
    return [each.facet.address.path for each in project.repository.code.about(str(project.folder / file))]


def test_a_memory_is_about_a_file_under_its_old_name_and_its_new_one(project: CodeProject) -> None:
    project.write("src/other.py", "print('nothing of the kind')\n")
    commit(project.folder)

    assert _about(project, "src/auth.py") == _about(project, "src/login.py") == _about(project, "src") == ["auth.token"]
    assert _about(project, "src/other.py") == _about(project, "src/log") == []


def test_an_agent_that_opens_a_renamed_file_is_told_of_it(project: CodeProject) -> None:
    (found,) = project.repository.agents.about_file(str(project.folder / "src/login.py"))

    assert [state.now for state in found.states] == ["src/login.py:3-4"]


def test_a_file_moved_to_another_folder_is_known_there(project: CodeProject) -> None:
    (project.folder / "lib").mkdir()
    git("mv", "src/login.py", "lib/login.py", cwd=project.folder)

    assert _about(project, "lib") == ["auth.token"]
    assert _about(project, "lib/login.py") == ["auth.token"]


def test_what_was_there_before_the_memory_was_not_renamed_since(project: CodeProject) -> None:
    project.repository.remember("Old and new", "auth.both", about=[f"{project.folder}/src/login.py"])
    git("rm", "--quiet", "src/login.py", cwd=project.folder)
    project.write("src/third.py", "x = 1\n")
    commit(project.folder)

    assert _about(project, "src/third.py") == []
    assert _about(project, "src/login.py") == ["auth.both"]


def test_lines_that_a_change_renames_and_edits_are_stale_since_then(project: CodeProject) -> None:
    project.write("src/login.py", AUTH.replace('os.environ["T"]', "None"))
    commit(project.folder)

    (found,) = project.repository.code.stale(since="HEAD~2")
    assert [state.now for state in found.states] == ["src/login.py:3-4"]


def test_a_file_with_a_strange_name_is_known_by_its_old_one(project: CodeProject) -> None:
    project.repository.remember("All of it", "auth.whole", about=[f"{project.folder}/src/login.py"])
    (project.folder / "src/login.py").rename(project.folder / "src/a\nb.py:0")
    commit(project.folder)

    assert _about(project, "src/auth.py") == ["auth.token"]
    assert _about(project, "src") == ["auth.token", "auth.whole"]


def test_git_is_asked_only_about_what_a_file_may_have_been(
    project: CodeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each commit that it is asked about is a process, before every file that an agent opens."""
    for number in range(3):
        project.write(f"src/lost{number}.py", f"print({number})\n" * 9)
        commit(project.folder)
        project.repository.remember(
            f"Lost {number}", f"lost.n{number}", about=[f"{project.folder}/src/lost{number}.py"]
        )
    git("rm", "--quiet", "src/lost0.py", "src/lost1.py", cwd=project.folder)
    git("mv", "src/lost2.py", "src/found.py", cwd=project.folder)
    project.write("src/found.py", "print(2)\n" * 7 + "print('found')\n" * 3)
    project.write("src/new.py", "x = 1\n")
    commit(project.folder)
    asked: list[str] = []
    renames = WorkingTree.renames

    def ask(tree: WorkingTree, commit: str) -> dict[str, str]:
        asked.append(commit)
        return renames(tree, commit)

    monkeypatch.setattr(WorkingTree, "renames", ask)

    assert _about(project, "src/new.py") == [] == asked
    assert _about(project, "src/found.py") == ["lost.n2"]
    assert len(asked) == 1
