"""Inside a git hook, `GIT_DIR` and its kin point at the project; memoir still works on its own store alone."""

import os
import subprocess
from pathlib import Path

import pytest
from fault_tools import assert_sound, lines, status
from support import COMMAND, Memoir, git


class Project:
    """A git project with one commit, and the environment that git gives to its hooks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        git("init", "--quiet", str(folder))
        (folder / "README").write_text("a project\n")
        self.git("config", "user.name", "Pro Ject")
        self.git("config", "user.email", "project@example.org")
        self.git("add", "README")
        self.git("commit", "--quiet", "-m", "begin")
        self.hook_environment = {
            "GIT_DIR": str(folder / ".git"),
            "GIT_WORK_TREE": str(folder),
            "GIT_INDEX_FILE": str(folder / ".git" / "index"),
            "GIT_OBJECT_DIRECTORY": str(folder / ".git" / "objects"),
            "GIT_COMMON_DIR": str(folder / ".git"),
            "GIT_NAMESPACE": "project",
            "GIT_PREFIX": "",
            "GIT_AUTHOR_DATE": "@1 +0000",
            "GIT_COMMITTER_NAME": "Pro Ject",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "core.bare",
            "GIT_CONFIG_VALUE_0": "false",
            "GIT_CONFIG_PARAMETERS": "'core.worktree=/nowhere'",
        }

    def git(self, *args: str) -> str:
        return git(*args, cwd=self.folder)

    def files(self) -> dict[str, bytes]:
        """Everything in the project, its repository included."""
        paths = (path for path in self.folder.rglob("*") if path.is_file() and ".memoir" not in path.parts)
        return {str(path): path.read_bytes() for path in paths}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "other")


def test_a_hooks_environment_does_not_lead_memoir_astray(memoir: Memoir, project: Project, tmp_path: Path) -> None:
    before = project.files()
    commands = (
        "remember first -p a.first", "remember second -p a.second", "import -", "get a.first", "log", "blame a.first",
        "branch side", "merge side", "undo", "redo", "tag v1", "config memoir.repackAt 60", "fsck", "gc", "status",
        f"clone {memoir.folder} {tmp_path / 'copy'}",
    )  # fmt: skip

    for command in commands:
        memoir.ok(*command.split(), stdin=lines(10), **project.hook_environment)

    assert project.files() == before
    assert status(memoir) == status(Memoir(tmp_path / "copy")) == (12, 3)
    assert_sound(memoir)


def test_a_store_created_in_a_hook_is_in_the_given_folder(project: Project, tmp_path: Path) -> None:
    before = project.files()
    memoir = Memoir(tmp_path / "mine")
    memoir.folder.mkdir()

    memoir.ok("init", **project.hook_environment)
    memoir.ok("remember", "first", "-p", "a.first", **project.hook_environment)

    assert memoir.content("a.first") == "first"
    assert project.files() == before


def test_a_real_hook_can_remember_what_was_committed(project: Project) -> None:
    memoir = Memoir(project.folder)
    memoir.ok("init")
    hook = project.folder / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\nexec {COMMAND} remember "$(git log -1 --format=%s)" -p episodic.commits\n')
    hook.chmod(0o755)

    for number in range(2):
        (project.folder / "README").write_text(f"version {number}\n")
        project.git("commit", "--quiet", "--all", "-m", f"change {number}")

    assert memoir.content("episodic.commits") == "change 0\nchange 1"
    assert project.git("log", "--format=%s").split("\n") == ["change 1", "change 0", "begin", ""]
    assert project.git("status", "--porcelain") == ""


def test_a_push_from_a_hook_uses_the_store(memoir: Memoir, project: Project, tmp_path: Path) -> None:
    git("init", "--quiet", "--bare", str(tmp_path / "remote.git"))
    before = project.files()
    memoir.remember("a.first", "first")

    memoir.ok("remote", "add", "origin", str(tmp_path / "remote.git"), **project.hook_environment)
    memoir.ok("push", **project.hook_environment)
    memoir.ok("fetch", **project.hook_environment)

    assert project.files() == before
    done = subprocess.run(["git", "rev-parse", "main"], cwd=tmp_path / "remote.git", capture_output=True, check=True)
    assert done.stdout.decode() == memoir.git("rev-parse", "main")
    assert os.listdir(tmp_path / "remote.git" / "refs" / "heads") == ["main"]
