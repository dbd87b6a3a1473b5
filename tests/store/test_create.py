"""Creating a store inside a project that somebody else may have made."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support import git, path_of, write

from memoir.errors import MemoirError
from memoir.git.git import read_version
from memoir.git.lock import held
from memoir.store.create import create
from memoir.store.maintenance import REPACK_LOCK


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of code, without a file `info/exclude`."""
    folder = tmp_path / "project"
    subprocess.run(["git", "init", "-q", "--template=", folder], check=True)
    return folder


def test_it_is_excluded_too_if_the_project_was_made_after_it(tmp_path: Path) -> None:
    """Else 'git add --all' would take the store in, and 'git status' fail from then on."""
    with create(tmp_path) as store:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
        write(store, {"default=a": "x"})
        write(store, {"default=a": "y"})

    subprocess.run(["git", "add", "--all"], cwd=tmp_path, check=True)
    assert subprocess.run(["git", "status", "-s"], cwd=tmp_path, check=True, capture_output=True).stdout == b""
    assert (tmp_path / ".git/info/exclude").read_bytes().count(b"/.memoir/\n") == 1


def test_a_store_beside_a_project_whose_files_are_elsewhere_is_written_to(tmp_path: Path) -> None:
    """git adds nothing to that project from the folder of the store."""
    (tmp_path / "elsewhere").mkdir()
    with create(tmp_path / "here") as store:
        subprocess.run(["git", "init", "-q", tmp_path / "here"], check=True)
        subprocess.run(["git", "config", "core.worktree", "../../elsewhere"], cwd=tmp_path / "here", check=True)
        write(store, {"default=a": "x"})


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


def test_a_new_store_is_on_disk_before_its_name_and_then_the_folders_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, os.rename

    def note_sync(descriptor: int) -> None:
        steps.append(os.path.relpath(path_of(descriptor), tmp_path))
        sync(descriptor)

    def note_rename(old: Path, new: Path) -> None:
        steps.append("renamed")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "rename", note_rename)
    create(tmp_path / "deep/er").close()

    place = steps.index("renamed")
    draft = steps[place - 1]  # the draft's own folder comes last
    everything = {os.path.relpath(path, tmp_path / "deep/er/.memoir") for path in tmp_path.glob("deep/er/.memoir/**/*")}
    assert {f"{draft}/{name}" for name in everything} <= set(steps[:place])
    assert set(steps[place:]) == {"renamed", "deep/er", "deep", "."}


def test_a_new_store_keeps_its_logs_and_packs_itself(tmp_path: Path) -> None:
    """A user's own git must neither forget what undo needs nor collect garbage."""
    git_dir = create(tmp_path).git_dir
    text = git(f"--git-dir={git_dir}", "config", "--file", str(git_dir / "config"), "--list")

    assert {
        "core.fsync=committed",
        "core.logallrefupdates=always",
        "gc.auto=0",
        "gc.reflogexpire=never",
        "gc.reflogexpireunreachable=never",
        "transfer.unpacklimit=1",
    } <= set(text.splitlines())


def test_a_draft_goes_once_nobody_works_on_it(tmp_path: Path) -> None:
    """Whether a process works on it only the lock tells: the number of a process means nothing in another container."""
    folders = [tmp_path / f".memoir-draft-0000000{number}" for number in range(2)]
    for folder in folders:
        (folder / "objects").mkdir(parents=True)
        (folder / REPACK_LOCK).touch()

    with held(folders[0] / REPACK_LOCK):
        create(tmp_path).close()

    assert [folder.exists() for folder in folders] == [True, False]


@pytest.mark.parametrize("name", ["a\nb", "a\\b", "a*b", "a[b]", "?", "ünï cødé", "c\n/d"])
def test_a_store_below_a_folder_of_any_name_is_excluded(project: Path, name: str) -> None:
    (project / name).mkdir(parents=True)

    create(project / name).close()

    done = subprocess.run(["git", "check-ignore", "-q", f"./{name}/.memoir"], cwd=project, check=False)
    assert done.returncode == 0


def test_a_store_is_excluded_from_a_project_with_a_line_break_in_its_path(tmp_path: Path) -> None:
    project = tmp_path / "two\nlines"
    subprocess.run(["git", "init", "-q", "--template=", project], check=True)

    create(project).close()

    assert (project / ".git/info/exclude").read_text() == "/.memoir/\n"


_GIT = tuple(map(int, read_version().split(".")[:2]))


@pytest.mark.skipif(_GIT < (2, 45), reason="this git keeps refs in files and nowhere else")
def test_a_store_has_its_refs_in_files_whatever_its_user_chose_for_others(tmp_path: Path) -> None:
    subprocess.run(["git", "config", "--global", "init.defaultRefFormat", "reftable"], check=True)

    with create(tmp_path) as store:
        assert (store.git_dir / "HEAD").read_text() == "ref: refs/heads/main\n"
