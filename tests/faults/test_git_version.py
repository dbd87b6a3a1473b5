"""A git that is missing or too old is named, before anything is touched."""

import os
import shutil
from pathlib import Path

import pytest
from fault_tools import state
from support import Memoir

from memoir.store.store import Store

_COMMANDS = ("status", "get a.first", "remember more -p a.second", "init elsewhere", "clone . copy", "fsck")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to put first, or alone, on PATH."""
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


def _pretend(folder: Path, version: str) -> str:
    """Install a git that gives its version as told and passes all else on; returns the PATH to run with."""
    script = folder / "git"
    script.write_text(
        f'#!/bin/sh\n[ "$*" = --version ] && {{ echo "{version}"; exit; }}\nexec {shutil.which("git")} "$@"\n'
    )
    script.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def test_an_older_git_is_named_with_its_version_by_every_command(memoir: Memoir, folder: Path) -> None:
    memoir.remember("a.first", "first")
    before = state(memoir)
    path = _pretend(folder, "git version 2.30.0")

    for command in _COMMANDS:
        error = memoir.json(*command.split(), status=1, PATH=path)["error"]
        assert error["code"] == "git_failed"
        assert "2.30.0" in error["message"] and "2.38" in error["hint"], (command, error)
    assert state(memoir) == before
    assert [entry.name for entry in memoir.folder.iterdir()] == [".memoir"]


@pytest.mark.parametrize("version", ["2.37.9", "1.9.1", "2.9.0", "2"])
def test_versions_are_compared_as_numbers(memoir: Memoir, folder: Path, version: str) -> None:
    error = memoir.json("status", status=1, PATH=_pretend(folder, f"git version {version}"))["error"]

    assert error["code"] == "git_failed" and version in error["message"]


def test_an_older_git_is_named_to_people_too(memoir: Memoir, folder: Path) -> None:
    done = memoir.run("status", PATH=_pretend(folder, "git version 2.30.0"))

    assert done.status == 1 and done.out == ""
    assert "2.30.0" in done.err and "hint:" in done.err


@pytest.mark.parametrize(
    "version",
    ["git version 2.39.5 (Apple Git-154)", "git version 2.47.1.windows.2", "git version 2.38", "git version 10.0"],
)
def test_the_ways_newer_gits_write_their_version_are_understood(memoir: Memoir, folder: Path, version: str) -> None:
    memoir.ok("status", PATH=_pretend(folder, version))


@pytest.mark.parametrize("version", ["", "command not found", "git version", "git version unknown"])
def test_a_git_that_does_not_say_its_version_is_refused(memoir: Memoir, folder: Path, version: str) -> None:
    assert memoir.json("status", status=1, PATH=_pretend(folder, version))["error"]["code"] == "git_failed"


def test_a_missing_git_is_named(memoir: Memoir, folder: Path) -> None:
    for command in (*_COMMANDS, "version"):
        error = memoir.json(*command.split(), status=1, PATH=str(folder))["error"]
        assert error["code"] == "git_failed"
        assert "git was not found" in error["message"] and "2.38" in error["hint"], (command, error)
    assert [entry.name for entry in memoir.folder.iterdir()] == [".memoir"]


def test_help_and_the_version_need_no_git(memoir: Memoir, folder: Path) -> None:
    for command in ("--help", "--version", "help", "help remember", "remember --help"):
        memoir.ok(*command.split(), PATH=str(folder))


def test_a_git_that_is_replaced_by_an_older_one_is_noticed(memoir: Memoir, folder: Path) -> None:
    """The version is looked up once and then remembered for as long as the program is the same file."""
    path = _pretend(folder, "git version 2.40.0")
    memoir.ok("status", PATH=path)
    _pretend(folder, "git version 2.30.0")

    assert "2.30.0" in memoir.json("status", status=1, PATH=path)["error"]["message"]


@pytest.mark.parametrize(("words", "version"), [("git version 2.30.0", "2.30.0"), ("", ""), ("no idea", "no idea")])
def test_version_shows_any_git(memoir: Memoir, folder: Path, words: str, version: str) -> None:
    assert memoir.json("version", PATH=_pretend(folder, words))["git"] == version


def test_a_git_that_babbles_is_quoted_briefly(memoir: Memoir, folder: Path) -> None:
    path = _pretend(folder, "")
    (folder / "git").write_text("#!/bin/sh\nyes \"$(printf '\\033]0;title\\007x')\" | head -c 3000000\n")

    text = memoir.json("version", PATH=path)["git"]
    error = memoir.json("status", status=1, PATH=path)["error"]

    assert text == "]0;titlex" and text in error["message"] and len(error["message"]) < 200


def test_a_process_asks_a_git_once(memoir: Memoir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(memoir.git_dir).close()
    monkeypatch.setenv("HOME", str(tmp_path / "another, with an empty cache"))
    monkeypatch.setattr("memoir.git.git.read_version", None)

    Store(memoir.git_dir).close()


def test_what_is_known_of_git_is_not_kept_in_the_store(memoir: Memoir) -> None:
    memoir.ok("status")
    assert not [entry.name for entry in memoir.git_dir.iterdir() if "version" in entry.name]
