"""Creating a store inside a project that somebody else may have made."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memoir.errors import MemoirError
from memoir.store.create import create


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of code, without a file `info/exclude`."""
    folder = tmp_path / "project"
    subprocess.run(["git", "init", "-q", "--template=", folder], check=True)
    return folder


def test_a_store_is_excluded_from_its_project(project: Path) -> None:
    create(project).close()

    assert (project / ".git/info/exclude").read_text() == "/.memoir/\n"


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("place", ["info", "info/exclude"])
def test_no_exclude_file_is_written_through_a_link(project: Path, place: str, exists: bool) -> None:
    outside = project.parent / ("elsewhere" if place == "info" else "bashrc")
    victim = outside / "exclude" if place == "info" else outside
    victim.parent.mkdir(exist_ok=True)
    if exists:
        victim.write_text("precious")
    (project / ".git" / place).parent.mkdir(exist_ok=True)
    (project / ".git" / place).symlink_to(outside)

    with pytest.raises(MemoirError, match="could not be written") as refusal:
        create(project)

    assert victim.exists() == exists and (not exists or victim.read_text() == "precious")
    assert "/.memoir/" in (refusal.value.hint or "")


@pytest.mark.parametrize("second", [os.link, lambda source, name: os.mkfifo(name)])
def test_no_exclude_file_is_written_that_is_not_a_plain_one(
    project: Path, second: Callable[[Path, Path], None]
) -> None:
    victim = project.parent / "bashrc"
    victim.write_text("precious")
    (project / ".git/info").mkdir()
    second(victim, project / ".git/info/exclude")

    with pytest.raises(MemoirError, match="could not be written"):
        create(project)

    assert victim.read_text() == "precious"
