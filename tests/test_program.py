"""The word by which an agent runs memoir: it has to run, whatever is on the agent's PATH."""

import ast
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import COMMAND, PROJECT, Memoir
from typer import Context

from memoir import errors
from memoir.cli.command_tree import build
from memoir.mcp.client_store import StorePlace
from memoir.mcp.service import BY_NAME, Service
from memoir.program import executable, runnable, shell_word
from memoir.repository.repository import Repository


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


def test_commands_in_memoirs_own_words_run_off_the_path(path: Path) -> None:
    word = str(COMMAND)
    said = "memoir import FILE, or memoir import -; 'memoir ls' lists the memories of this memoir store"

    assert (
        runnable(said) == f"{word} import FILE, or {word} import -; '{word} ls' lists the memories of this memoir store"
    )
    assert runnable("give one of them") == "give one of them"
    (path / "memoir").symlink_to(COMMAND)
    assert runnable(said) == said


def test_answers_and_hints_name_a_command_that_runs(memoir: Memoir) -> None:
    off = {"PATH": "/usr/bin:/bin"}
    memoir.ok("remember", "Releases are cut on Thursdays.", "-p", "workflow.cadence")

    left = memoir.run("remember", "purple elephants dance", **off)
    assert f"to file it: {COMMAND} mv --append inbox." in left.out
    beside = memoir.run("remember", "Releases are cut on Fridays.", **off)
    assert f"; {COMMAND} replace workflow.cadence makes" in beside.out
    on = memoir.run("capture", "on", **off)
    assert f"'{COMMAND} setup HOST'" in on.out
    wrong = memoir.run("--json", "undo", "-3", **off)
    assert wrong.json["error"]["hint"] == f"{COMMAND} undo 3"
    assert f"hint: {COMMAND} undo 3\n" in memoir.run("undo", "-3", **off).err
    assert f"\n        {COMMAND} setup --list\n" in memoir.run("doctor", **off).out
    assert f"{COMMAND} setup --list" in [each["fix"] for each in memoir.run("--json", "doctor", **off).json["checks"]]
    assert f"'{COMMAND} fsck' checks everything" in memoir.run("doctor", **off).out
    memoir.ok("remember", "'memoir ls' is what I said: memoir ls", "-p", "facts.said")
    assert "'memoir ls' is what I said: memoir ls" in memoir.run("get", "facts.said", **off).out


SAMPLE = [
    "status", "doctor", "get no.such", "get rules.cadence#m00", "ls nosuch", "recall", "recall x --mode single",
    "remember two words", "edit nosuch", "forget nosuch", "undo -3", "undo 99", "log --at nosuch", "grep (", "fsck",
    "remember", "sync",
    "push", "fetch", "pull", "prime", "init", "setup", "setup --list", "setup nosuch", "setup claude --dry-run",
    "capture", "capture review", "taxonomy", "lexicon add x", "ingest nosuch", "import notes.md", "config nosuch",
    "embed", "insights build", "threads", "entities", "suggest x", "why rules.cadence", "-s nosuch status", "nosuch",
]  # fmt: skip
"""Commands with answers, hints and errors that name commands."""


def bare_commands(text: str) -> list[str]:
    """The commands in a text that begin with a bare `memoir`."""
    names = "|".join(build().list_commands(Context(build())))
    return re.findall(rf"(?<![\w/.-])memoir (?:{names})\b", text)


def test_off_the_path_no_answer_names_a_command_by_the_bare_name(memoir: Memoir) -> None:
    memoir.ok("remember", "Releases are cut on Thursdays.", "-p", "rules.cadence")
    memoir.ok("remember", "Use tea")
    memoir.ok("remote", "add", "origin", str(memoir.folder / "gone.git"))
    (memoir.folder / "notes.md").write_text("Prose.\nAnd more.\n")

    runs = [memoir.run(*each.split(), *json, PATH="/usr/bin:/bin") for each in SAMPLE for json in ([], ["--json"])]
    said = [done.out + done.err for done in runs]

    assert [bare_commands(each) for each in said if bare_commands(each)] == []
    assert sum(str(COMMAND) in each for each in said) > 30
    assert bare_commands(memoir.run("get", "no.such").err) == ["memoir ls", "memoir blame"]


def test_off_the_path_no_tool_names_a_command_by_the_bare_name(path: Path, tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, object]]] = [
        ("get", {"keys": ["no.such"]}), ("get", {"keys": ["a.b"], "at": "nosuch"}), ("forget", {"keys": ["nosuch"]}),
        ("remember", {"content": "x", "key": "memoir:taxonomy:a"}), ("history", {"what": "blame", "key": "nosuch"}),
        ("recall", {"query": "x", "mode": "single"}), ("status", {}),
    ]  # fmt: skip
    with Repository.init(tmp_path / "store"):
        pass

    replies = [
        str(Service(StorePlace(str(folder))).answer(BY_NAME[name], arguments).fields)
        for folder in (tmp_path / "store", tmp_path / "nowhere") for name, arguments in calls
    ]  # fmt: skip

    assert [bare_commands(each) for each in replies if bare_commands(each)] == []
    assert any(str(COMMAND) in each for each in replies)


def test_what_could_be_a_command_in_a_hint_is_one() -> None:
    commands = set(build().list_commands(Context(build())))
    hints = [hint for file in (PROJECT / "memoir").rglob("*.py") for hint in _hints(ast.parse(file.read_text()))]

    words = [word for hint in hints for word in re.findall(r"(?:^|['`]|[:;,] | or )memoir ([a-z]+)", hint)]
    assert len(words) > 100
    assert not sorted(set(words) - commands)


def _hints(tree: ast.Module) -> Iterator[str]:
    for call in ast.walk(tree):
        name = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
        if isinstance(call, ast.Call) and name != "GitError" and hasattr(errors, name) and len(call.args) > 1:
            parts = call.args[1].values if isinstance(call.args[1], ast.JoinedStr) else call.args[1:2]
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
