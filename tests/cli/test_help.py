"""`help` opens the manual where there is one, and is plain text elsewhere."""

import shutil
import sys
from pathlib import Path

import pytest
from support import Memoir

from memoir.cli.commands import help as command
from memoir.cli.sections import SECTIONS
from memoir.cli.tree import COMMANDS


def test_the_page_installed_beside_memoir_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = tmp_path / "share/man/man1"
    pages.mkdir(parents=True)
    (pages / "memoir-get.1").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")

    assert command._manual("get") == str(pages / "memoir-get.1")
    assert command._manual("ls") is None

    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert command._manual("get") is None


def test_in_a_pipe_it_is_text(memoir: Memoir) -> None:
    assert memoir.ok("help", "get").startswith("Usage: memoir get")


def test_every_command_stands_in_one_section_of_the_help_page(memoir: Memoir) -> None:
    assert sorted(name for names in SECTIONS.values() for name in names) == sorted(COMMANDS)

    shown = memoir.ok("--help")
    assert "\nStart:\n  init " in shown and "\nExamples:\n  memoir init\n" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_required_argument_stands_without_braces(memoir: Memoir) -> None:
    assert memoir.ok("grep", "--help").startswith("Usage: memoir grep [OPTIONS] PATTERN\n")
