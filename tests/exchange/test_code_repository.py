"""Which addresses belong to the code repository around a store, in every form that git takes them."""

import os
from pathlib import Path

import pytest
from support import git

from memoir.errors import GitError
from memoir.exchange.code_repository import is_of_enclosing
from memoir.store.branch_choice import find_landed
from memoir.store.safeguards import protect


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A code repository with a folder in it."""
    folder = tmp_path / "p"
    git("init", "-q", str(folder))
    (folder / "sub").mkdir()
    return folder


def test_a_fifo_in_the_place_of_its_head_keeps_nobody_waiting(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".git/HEAD").unlink()
    os.mkfifo(project / ".git/HEAD")
    monkeypatch.setattr("memoir.git.git._PATIENCE", 0.3)

    with pytest.raises(GitError, match="no answer within"):
        is_of_enclosing(project, "x")
    with pytest.raises(GitError, match="no answer within"):
        find_landed(project)
    with pytest.raises(GitError, match="no answer within"):
        protect(project / ".memoir")


def test_a_relative_remote_begins_at_the_top_of_the_work_tree(project: Path, tmp_path: Path) -> None:
    git("remote", "add", "origin", "../hub.git", cwd=project)

    assert is_of_enclosing(project / "sub", f"{tmp_path}/hub.git")
    assert not is_of_enclosing(project / "sub", f"{project}/hub.git")


@pytest.mark.parametrize("setting", ["insteadOf", "pushInsteadOf"])
@pytest.mark.parametrize(("theirs", "ours"), [("gh:hub.git", "{}/hub.git"), ("{}/hub.git", "gh:hub.git")])
def test_an_address_that_the_user_has_shortened_is_the_long_one(
    project: Path, tmp_path: Path, theirs: str, ours: str, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "gitconfig"
    git("config", "--file", str(config), f"url.{tmp_path}/.{setting}", "gh:")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    git("remote", "add", "origin", theirs.format(tmp_path), cwd=project)

    assert is_of_enclosing(project, ours.format(tmp_path))
    assert not is_of_enclosing(project, f"{tmp_path}/other.git")


@pytest.mark.parametrize(
    "theirs", ["git@Host.example:Team/Hub", "https://host.example/team/hub.git/", "HOST.example:team/hub.GIT"]
)
def test_the_same_repository_is_known_by_its_host_and_path(project: Path, theirs: str) -> None:
    git("remote", "add", "origin", theirs, cwd=project)

    assert is_of_enclosing(project, "ssh://git@host.example:22/team/hub.git")
    assert not is_of_enclosing(project, "ssh://git@host.example:22/team/hub2.git")


@pytest.mark.parametrize("ours", ["{}/hub", "{}/HUB.git/", "file://{}/hub/.git", "{}/x/../hub.git"])
def test_a_local_repository_is_known_by_its_path(project: Path, tmp_path: Path, ours: str) -> None:
    git("remote", "add", "origin", f"{tmp_path}/hub.git", cwd=project)

    assert is_of_enclosing(project, ours.format(tmp_path))


def test_a_folder_outside_any_repository_has_none(tmp_path: Path) -> None:
    assert not is_of_enclosing(tmp_path, f"{tmp_path}/hub.git")
