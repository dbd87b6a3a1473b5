"""The generated files match what they are made from, and what completions, man pages and schemas say works."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import sample
from support import PROJECT, Memoir

from memoir.cli.families import COMMANDS, HEADINGS

MANUAL = tomllib.loads((PROJECT / "docs" / "manual.toml").read_text("utf-8"))
EXAMPLES = [
    pytest.param(example, id=f"{name}-{number}")
    for name, notes in MANUAL.items()
    for number, example in enumerate(notes["examples"], 1)
]


@pytest.fixture
def project(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a past, and nothing else."""
    return sample.copy_into(tmp_path, tmp_path_factory.getbasetemp())


def generate(*args: str, project: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, project / "scripts/generate.py", *args], capture_output=True, text=True)


def test_drifted_missing_and_stale_files_are_named_and_written_again_and_no_other(tmp_path: Path) -> None:
    """So what is here matches the command tree and the types; where another file is named, run scripts/generate.py."""
    for folder in ("scripts", "docs", "man", "completions", "clients"):
        shutil.copytree(PROJECT / folder, tmp_path / folder)
    (tmp_path / "man/memoir-get.1").write_text("drifted")
    (tmp_path / "man/memoir-ls.1").unlink()
    (tmp_path / "man/memoir-gone.1").write_text("stale")
    (tmp_path / "docs/schema/get.json").unlink()
    (tmp_path / "docs/contract.md").write_text((tmp_path / "docs/contract.md").read_text().replace("`found_count`", ""))
    (tmp_path / "docs/settings.md").write_text((tmp_path / "docs/settings.md").read_text().replace("`MEMOIR_NOW`", ""))

    check = generate("--check", project=tmp_path)

    names = [
        "docs/contract.md", "docs/schema/get.json", "docs/settings.md", "man/memoir-get.1", "man/memoir-gone.1",
        "man/memoir-ls.1",
    ]  # fmt: skip
    assert (check.returncode, check.stdout.split(), check.stderr) == (1, names, "")
    write = generate(project=tmp_path)
    assert (write.returncode, write.stdout.split()) == (0, names)
    assert [name for name in names if _bytes(tmp_path / name) != _bytes(PROJECT / name)] == []


def _bytes(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


def test_every_command_has_a_page_an_example_and_related_pages() -> None:
    assert MANUAL.keys() == {"memoir", *COMMANDS}
    for name in COMMANDS:
        assert (PROJECT / "man" / f"memoir-{name}.1").exists()
        assert any(f"memoir {name}" in example["run"] for example in MANUAL[name]["examples"]), name
        assert MANUAL[name]["see_also"] and set(MANUAL[name]["see_also"]) <= COMMANDS.keys() - {name}


def test_the_page_of_commands_has_every_family() -> None:
    page = (PROJECT / "docs/commands.md").read_text("utf-8")
    parts = re.findall(r"^## (.*)\n\n<!-- generated: commands (\w+) -->$", page, re.MULTILINE)

    assert [(heading, family) for family, heading in HEADINGS.items()] == parts


def is_plain(example: dict[str, Any]) -> bool:
    """Whether its lines are the command with arguments that a shell only takes out of their quotation marks."""
    outside = re.sub(r"""'[^']*'|"[^"$`\\]*\"""", "", example["run"])
    return not example.get("forever") and bool(re.fullmatch(r"(memoir [\w ./:=@%+,-]*\n?)+", outside))


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_does_what_it_says(example: dict[str, Any], project: Path, scripts_env: dict[str, str]) -> None:
    if "jq" in example["run"] and not shutil.which("jq"):
        pytest.skip("jq is not installed")
    editor = {"EDITOR": "perl -pi -e s/tag/label/"}
    if is_plain(example):
        for line in example["run"].splitlines():
            result = Memoir(project).run(*shlex.split(line)[1:], **editor)
            assert ("memoir: " in result.err) is (result.status != 0), result
            if result.status:
                break
        assert result.status == example.get("status", 0), result
        return
    env = {**os.environ, **scripts_env, **editor}

    argv = ["bash", "-e", "-o", "pipefail", "-c", example["run"]]
    if example.get("forever"):
        server = subprocess.Popen(argv, cwd=project, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = server.stdout.readline() if server.stdout else ""
        server.terminate()
        assert ("http://" in first, server.communicate(timeout=60)[1].count("memoir: "), server.returncode) == (
            True,
            0,
            0,
        )
        return
    done = subprocess.run(argv, cwd=project, env=env, capture_output=True, text=True, timeout=120)

    assert done.returncode == example.get("status", 0), done
    assert ("memoir: " in done.stderr) is (done.returncode != 0), done


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_the_pages_are_well_formed() -> None:
    pages = sorted((PROJECT / "man").glob("*.1"))
    done = subprocess.run(["mandoc", "-T", "lint", *pages], capture_output=True, text=True)

    # A date would change with every build, so the pages carry the version instead.
    assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []


def test_a_page_shows_usage_options_and_an_example() -> None:
    page = (PROJECT / "man/memoir-remember.1").read_text("utf-8")

    assert r"\fBmemoir remember\fR [\fIOPTIONS\fR] \fICONTENT\fR" in page
    assert r"\fB\-p\fR, \fB\-\-path\fR \fIPATH\fR" in page
    assert ".SH EXAMPLES" in page


# What each shell is asked to complete, and what must be among its answers.
COMPLETIONS = [
    (["memoir", "gre"], ["grep"]),
    (["memoir", "remote", "se"], ["set-url"]),
    (["memoir", "get", "preferences.coding.te"], ["preferences.coding.testing"]),
    (["memoir", "get", "--ra"], ["--raw"]),
    (["memoir", "ls", "-n", "us"], ["user:alice"]),
    (["memoir", "get", "-n", "user:alice", "pre"], ["preferences.reviews.tone"]),
    (["memoir", "get", "user:alice:pre"], ["preferences.reviews.tone"]),
    (["memoir", "get", "user:al"], ["preferences.reviews.tone"]),
    (["memoir", "merge", "--strategy=th", ""], ["agent-a"]),
    (["memoir", "merge", "ag"], ["agent-a"]),
    (["memoir", "config", "memoir.recall.vector"], ["memoir.recall.vectorWeight"]),
    (["memoir", "config", "memoir.recall.fusion", "r"], ["rrf"]),
    (["memoir", "config", "--global", "memoir.recall.mode", "ti"], ["tiered"]),
    (["memoir", "config", "memoir.remote."], ["memoir.remote.origin.refs"]),
    (["memoir", "no-such-command", "x"], []),
]

# bash ends words at colons and equals signs. zsh's own functions are replaced by ones that show what they are given.
SHELLS = {
    "bash": """
        source "$1/memoir.bash"; shift
        COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_WORDS=()
        for word; do IFS=$'\\n'; COMP_WORDS+=($(sed 's/[:=]/\\n&\\n/g' <<< "$word" | grep .)); done
        [[ $word ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _memoir_completion memoir
        printf '%s\\n' "${COMPREPLY[@]}" """,
    "zsh": """
        compdef() { :; }; _arguments() { print -r -- "$@" }; _files() { :; }
        source "$1/_memoir"; shift
        words=("$@"); CURRENT=$#
        _memoir_completion""",
    "fish": """
        source $argv[1]/memoir.fish
        complete -C (string join -- ' ' $argv[2..])""",
}


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(("words", "offers"), COMPLETIONS, ids=lambda value: " ".join(value))
def test_the_shells_complete(
    shell: str, words: list[str], offers: list[str], project: Path, scripts_env: dict[str, str]
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    env = {**os.environ, **scripts_env}
    end = "--" if shell == "fish" else "completing"  # sh takes the first argument as its own name
    script = [shell, "-c", SHELLS[shell], end, str(PROJECT / "completions"), *words]

    done = subprocess.run(script, cwd=project, env=env, capture_output=True, text=True)

    assert done.stderr == ""
    assert [word for word in offers if word in done.stdout.replace("\\\\:", ":")] == offers
    assert offers or not done.stdout.strip()


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_loads_its_file_without_a_completion_system() -> None:
    script = f'. {PROJECT}/completions/_memoir; print -r -- "$_comps[memoir]"'
    done = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True)

    assert (done.returncode, done.stdout, done.stderr) == (0, "_memoir_completion\n", "")


@pytest.mark.skipif(not shutil.which("man"), reason="man is not installed")
def test_man_finds_the_pages_beside_the_command_on_the_path(tmp_path: Path) -> None:
    """The wheel puts the pages where this does: see shared-data in pyproject.toml."""
    targets = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    shutil.copytree(PROJECT / "man", tmp_path / targets["wheel"]["shared-data"]["man"])
    (tmp_path / "bin").mkdir()
    env = {**os.environ, "PATH": f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}"}

    done = subprocess.run(["man", "-w", "memoir-get"], env=env, capture_output=True, text=True)

    assert done.stdout.strip() == str(tmp_path / "share/man/man1/memoir-get.1"), done
