"""`help` opens the manual where there is one, and is plain text elsewhere; what is needed most comes first."""

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from support import Memoir

from memoir.cli.commands import help as command
from memoir.cli.commands.recall import TUNING
from memoir.cli.families import COMMANDS, FIRST, HEADINGS
from memoir.recall.query import QueryFields


def test_the_page_installed_beside_memoir_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = tmp_path / "share/man/man1"
    pages.mkdir(parents=True)
    (pages / "memoir-get.1").touch()
    monkeypatch.setenv("MEMOIR_PAGER", "less")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")

    assert command._manual("get") == str(pages / "memoir-get.1")
    assert command._manual("ls") is None

    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert command._manual("get") is None


@pytest.mark.parametrize("pager", ["cat", "", "no-such-pager"])
def test_without_a_pager_the_page_is_not_opened(pager: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who switches the pager off, such as a program on a terminal, would wait for ever in that of `man`."""
    (page := tmp_path / "share/man/man1/memoir-get.1").parent.mkdir(parents=True)
    page.touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "no-such-pager" else f"/bin/{name}")
    monkeypatch.setenv("MEMOIR_PAGER", "sed s/a/b/")
    assert command._manual("get") == str(page)

    monkeypatch.setenv("MEMOIR_PAGER", pager)

    assert command._manual("get") is None


def test_in_a_pipe_it_is_text(memoir: Memoir) -> None:
    assert memoir.ok("help", "get").startswith("Usage: memoir get")


def listed(page: str) -> list[str]:
    """The commands that a help page lists, in its order, each once."""
    rows = page.partition("--version")[2].partition("Examples:")[0]
    return re.findall(r"^  ([a-z]+)  ", rows, re.MULTILINE)


def headings(page: str) -> list[str]:
    """The headings of a help page."""
    return [line[:-1] for line in page.splitlines() if line.endswith(":") and line[:1].isalpha()]


def test_help_lists_what_a_week_needs_and_names_the_rest(memoir: Memoir) -> None:
    page = memoir.ok("--help")

    assert listed(page) == [name for name in COMMANDS if name in FIRST]
    assert len(FIRST) < 20
    assert page.splitlines()[-1].strip().endswith("'memoir help --all' lists every command.")
    assert page.index("Start with 'memoir init'") < page.index("Options:")
    assert max(map(len, page.splitlines())) <= 80


def test_help_all_lists_every_command_by_its_family(memoir: Memoir) -> None:
    page = memoir.ok("help", "--all")

    assert listed(page) == list(COMMANDS)
    assert headings(page) == ["Options", *HEADINGS.values(), "Examples"]
    assert max(map(len, page.splitlines())) <= 80


def test_all_and_a_command_exclude_each_other(memoir: Memoir) -> None:
    done = memoir.run("help", "get", "--all")

    assert (done.status, "leave out COMMAND" in done.err) == (2, True)


@pytest.mark.parametrize("name", ["recall", "explain"])
def test_the_options_that_tune_the_ranking_come_last(name: str, memoir: Memoir) -> None:
    page = memoir.ok(name, "--help")

    assert headings(page) == ["Arguments", "Options", TUNING]
    options, _, tuning = page.partition(f"{TUNING}:")
    for option in ("--limit", "--mode", "--keys", "--person", "--since", "--at", "--json", "--help"):
        assert f"{option} " in options and f"{option} " not in tuning
    explained = memoir.ok("help", name).partition(f"{TUNING}:")[2]
    for option in ("--weight", "--boost", "--tau", "--threshold", "--rerank", "--planner"):
        assert f"{option} " in explained and f"{option}" in tuning and f" {option} " not in options
    assert len(tuning) < 300 and f"'memoir help {name}' explains them" in " ".join(tuning.split())


@pytest.mark.parametrize("name", ["ingest", "insights"])
def test_the_limits_of_a_model_tune_a_ranking_only_in_recall(name: str, memoir: Memoir) -> None:
    assert headings(memoir.ok(name, "--help"))[-1] == "Options"
    assert "--llm-calls" in memoir.ok("recall", "--help").partition(TUNING)[2]


def test_json_names_everything_and_says_what_is_first(memoir: Memoir) -> None:
    commands = {command["name"]: command for command in memoir.json("help")["commands"]}

    assert list(commands) == list(COMMANDS)
    assert {name for name, command in commands.items() if command["first"]} == FIRST
    options = {option["name"]: option["heading"] for option in commands["recall"]["options"]}
    assert (options["weight"], options["limit"]) == (TUNING, None)


def test_explain_takes_some_of_the_options_of_recall_as_they_are(memoir: Memoir) -> None:
    recall, explain = (_options(name, memoir) for name in ("recall", "explain"))

    assert [option["name"] for option in explain if option not in recall] == []
    assert len(explain) > 15


def test_recall_has_an_option_for_each_field_of_a_question(memoir: Memoir) -> None:
    names = {option["name"] for option in _options("recall", memoir)}

    assert {*QueryFields.__annotations__} - names == {"cache"} and "no_cache" in names


def _options(name: str, memoir: Memoir) -> list[dict[str, Any]]:
    (command,) = memoir.json("help", name)["commands"]
    options: list[dict[str, Any]] = command["options"]
    return options


def test_a_required_argument_has_no_brackets(memoir: Memoir) -> None:
    assert memoir.ok("grep", "--help").startswith("Usage: memoir grep [OPTIONS] PATTERN\n")


@pytest.mark.parametrize("group", ["capture", "embed", "remote", "taxonomy"])
def test_the_list_of_a_group_cuts_no_line(group: str, memoir: Memoir) -> None:
    _, _, commands = memoir.ok(group, "--help").partition("\nCommands:\n")

    assert commands and "..." not in commands


def test_the_old_memory_is_named_alike_in_both_commands_that_take_one(memoir: Memoir) -> None:
    by_name = {command["name"]: command for command in memoir.json("help")["commands"]}

    assert by_name["mv"]["arguments"][0] == by_name["replace"]["arguments"][0]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("capture", "Capture is off until you switch it on"),
        ("embed", "memoir.embed.provider selects it"),
        ("lexicon", "names of one thing before '='"),
        ("taxonomy", "extend the default ones, or replace them"),
    ],
)
def test_a_command_with_sub_commands_explains_itself(memoir: Memoir, command: str, words: str) -> None:
    assert words in " ".join(memoir.ok(command, "--help").split())
    assert words in " ".join(memoir.json("help", command)["commands"][0]["description"].split())
