"""The word by which an agent runs memoir: it has to run, whatever is on the agent's PATH."""

import os
import subprocess
from pathlib import Path

import pytest
from support import COMMAND

from memoir.program import executable, shell_word


@pytest.fixture
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The first folder of the PATH, empty, before those of the system; the command that runs is the installed one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setattr("sys.argv", [str(COMMAND), "prime"])
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def runs(word: str) -> bool:
    done = subprocess.run(f"{word} --version", shell=True, capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.startswith("memoir ")


def test_a_command_on_the_path_is_named_by_its_name(path: Path) -> None:
    (path / "memoir").symlink_to(COMMAND)

    assert shell_word() == "memoir" and runs("memoir")
    assert executable() == str(path / "memoir"), "the link outlives an upgrade"


def test_off_the_path_it_is_the_absolute_path(path: Path) -> None:
    assert shell_word() == executable() == str(COMMAND) and runs(shell_word())


def test_another_memoir_on_the_path_is_not_this_one(path: Path) -> None:
    (path / "memoir").write_text("#!/bin/sh\necho somebody else\n")
    (path / "memoir").chmod(0o755)

    assert shell_word() == str(COMMAND)
    (path / "memoir").chmod(0o644)
    os.environ["PATH"] += f":{COMMAND.parent}"
    assert shell_word() == "memoir", "a file that cannot be run is passed over, as the shell does"


def test_a_place_with_blanks_and_a_quote_is_quoted(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = tmp_path / "it's a place" / "memoir"
    odd.parent.mkdir()
    odd.symlink_to(COMMAND)
    monkeypatch.setattr("sys.argv", [str(odd)])

    assert executable() == str(odd) and runs(shell_word())


def test_without_its_command_it_is_the_module(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "python"
    python.symlink_to("/usr/bin/python3")
    monkeypatch.setattr("sys.argv", ["-c"])
    monkeypatch.setattr("sys.executable", str(python))

    assert executable() is None and shell_word() == f"{python} -m memoir"


def test_a_login_shell_does_not_have_the_path_of_its_host(path: Path) -> None:
    (path / "memoir").symlink_to(COMMAND)

    assert (shell_word(), shell_word(login=True)) == ("memoir", str(path / "memoir"))
