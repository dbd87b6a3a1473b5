"""`help` opens the manual where there is one, and is plain text elsewhere."""

import shutil
import sys
from pathlib import Path

import pytest
from support import Memoir

from memoir.cli.commands import help as command
from memoir.cli.families import FAMILIES


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


def test_help_lists_the_families_and_where_to_start(memoir: Memoir) -> None:
    text = memoir.ok("--help")

    headings = [line[:-1] for line in text.splitlines() if line.endswith(":") and line[:1].isalpha()]
    assert headings == ["Options", *(family.heading for family in FAMILIES.values()), "Examples"]
    assert text.index("Start with 'memoir init'") < text.index("Options:")
    assert max(map(len, text.splitlines())) <= 80


def test_a_required_argument_has_no_brackets(memoir: Memoir) -> None:
    assert memoir.ok("grep", "--help").startswith("Usage: memoir grep [OPTIONS] PATTERN\n")


@pytest.mark.parametrize("group", ["capture", "embed", "remote", "taxonomy"])
def test_the_list_of_a_group_cuts_no_line(group: str, memoir: Memoir) -> None:
    _, _, commands = memoir.ok(group, "--help").partition("\nCommands:\n")

    assert commands and "..." not in commands


def test_the_old_memory_is_named_alike_in_both_commands_that_take_one(memoir: Memoir) -> None:
    by_name = {command["name"]: command for command in memoir.json("help")["commands"]}

    assert by_name["mv"]["arguments"][0] == by_name["replace"]["arguments"][0]
