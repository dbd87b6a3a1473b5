"""README.md: its session runs and prints what the page shows, and its other commands and links work."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from support import PROJECT, Memoir

from memoir.cli.families import COMMANDS

PAGE = (PROJECT / "README.md").read_text("utf-8")
_, SETUP, SESSION = re.split(r"^```console\n", PAGE, flags=re.MULTILINE)
STEPS = re.findall(r"^\$ memoir (.*)\n((?:(?!\$ ).+\n)*)", SESSION.partition("\n```")[0] + "\n", re.MULTILINE)
FENCES = dict(re.findall(r"^```(sh|python)\n(.*?)^```", PAGE.partition("## Sharing")[0], re.MULTILINE | re.DOTALL))


@pytest.fixture
def project(tmp_path: Path) -> Memoir:
    """A folder without a store."""
    folder = tmp_path / "project"
    folder.mkdir()
    return Memoir(folder, MEMOIR_AUTHOR="Ada <ada@example.org>")


def without_changing_parts(text: str) -> str:
    """A session with a number for each commit id, and without what depends on the day and the folder."""
    ids = list(dict.fromkeys(re.findall(r"\b[0-9a-f]{8}\b", text)))
    with_numbers = re.sub(r"\b[0-9a-f]{8}\b", lambda match: f"commit {ids.index(match[0])}", text)
    with_dates = re.sub(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?", "DATE", with_numbers)
    return re.sub(r"/\S+/project/", "FOLDER/", with_dates)


def test_the_session_prints_what_the_page_shows(project: Memoir) -> None:
    project = Memoir(project.folder, MEMOIR_AUTHOR="Ada <ada@example.org>", MEMOIR_EMBED_PROVIDER="minilm")
    project.ok("embed", "install")  # the set-up lays the weights out, too
    output = ""
    for command, _ in STEPS:
        done = project.run(*shlex.split(command))
        assert done.status == 0, done
        output += done.out + done.err

    assert len(STEPS) == 10
    assert without_changing_parts(output) == without_changing_parts("".join(text for _, text in STEPS))


@pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")
def test_an_agent_finds_its_memories_with_the_three_commands(memoir: Memoir, scripts_env: dict[str, str]) -> None:
    memoir.remember("preferences.coding.testing", "Prefers pytest")
    env = {**os.environ, **scripts_env}

    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", FENCES["sh"]], cwd=memoir.folder, env=env, capture_output=True, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert '"preferences": 1' in done.stdout and "\npreferences.coding.testing\n" in done.stdout


def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    exec(FENCES["python"], {})

    assert capsys.readouterr().out.count("Prefers pytest") == 2


def test_the_first_line_of_the_set_up_asks_a_question_that_the_example_store_answers(project: Memoir) -> None:
    command, _, answer, *_ = SETUP.splitlines()
    question = shlex.split(command)[-3]
    project = Memoir(project.folder, MEMOIR_EMBED_PROVIDER="minilm")
    project.ok("init")
    project.ok("import", str(PROJECT / "examples/memoir-itself.jsonl"))
    project.ok("index")  # a slow machine would answer before all vectors are there

    assert question == "how do branches merge?"
    assert project.ok("recall", question, "--mode", "simple").splitlines()[0] == answer


def test_every_command_and_link_of_the_page_exists() -> None:
    for cell in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE):
        assert {name.split()[0] for name in re.findall(r"`(.*?)`", cell)} <= COMMANDS.keys()
    for target in re.findall(r"\]\(([^)#:]+)\)", PAGE):
        assert (PROJECT / target).exists(), target
