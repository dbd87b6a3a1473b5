"""The examples run as they stand, and the facts of the example store are true of this repository."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import PROJECT, Memoir

from memoir import Repository

EXAMPLES = PROJECT / "examples"
FACTS: list[dict[str, Any]] = [
    json.loads(line) for line in (EXAMPLES / "memoir-itself.jsonl").read_text("utf-8").splitlines()
]

# What each script must be seen to do, in this order.
SCRIPTS = {
    "drill-down.sh": ["[mode=get]", "[mode=flat]", "[mode=drill]", "[mode=drill+blame]", "[mode=diff]"],
    "git-hook.sh": [
        "installed .git/hooks/post-commit",
        "made 4 commits",
        "  Add a parser",
        "  Try a faster parser in a worktree",
        "of the store: nothing",
    ],
    "agent-branches.sh": [
        "fast-forwarded to agent-a",
        "both sides changed 1 path",
        "merged with agent-b",
        "modified: Deploy with make.",
    ],
    "stale-check.sh": ["refused with exit status 1", "pushed", "nothing is stale"],
    "sync.sh": ["laptop$ memoir push", "refused with exit status 5", "merged, 1 path changed", "different roots: 1"],
}


def test_every_script_is_tried_and_every_file_described() -> None:
    readme = (EXAMPLES / "README.md").read_text("utf-8")

    assert {path.name for path in EXAMPLES.glob("*.sh")} == SCRIPTS.keys()
    assert [path.name for path in EXAMPLES.iterdir() if f"]({path.name})" not in readme] == ["README.md"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs_and_leaves_nothing_behind(name: str, tmp_path: Path, scripts_env: dict[str, str]) -> None:
    if not shutil.which("jq"):
        pytest.skip("jq is not installed")
    (tmp_path / "tmp").mkdir()
    env = {**os.environ, **scripts_env, "TMPDIR": str(tmp_path / "tmp")}

    done = subprocess.run([EXAMPLES / name], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr) == (0, "")
    places = [done.stdout.find(text) for text in SCRIPTS[name]]
    assert places == sorted(places) and places[0] >= 0, done.stdout
    assert list(tmp_path.rglob("*")) == [tmp_path / "tmp"]


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_a_program_without_arguments_says_what_to_give_it(name: str) -> None:
    done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("usage: python ") and name in done.stderr


def test_the_event_loop_goes_on_while_memories_are_written_and_recalled(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "event_loop.py", "notes"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split("  ")[1] for line in done.stdout.splitlines()[:-1]] == [
        "We deploy with make deploy.",
        "Tests run with pytest.",
        "Releases are on Tuesdays.",
        "We deploy with make deploy.",
        "Releases are on Tuesdays.",
    ]
    assert done.stdout.endswith("\nthe loop went on meanwhile\n")
    with Repository.open(tmp_path / "notes") as repository:
        assert [commit.message.split(":")[0] for commit in repository.log()] == [
            f"remember project.{name}" for name in ("releases", "testing", "deploy")
        ]


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_the_scripts_are_clean_shell() -> None:
    done = subprocess.run(["shellcheck", *EXAMPLES.glob("*.sh")], capture_output=True, text=True)

    assert done.stdout == ""


def test_each_fact_is_proved_by_its_source() -> None:
    for fact in FACTS:
        source = PROJECT / fact["metadata"]["source"]

        assert fact["metadata"].get("quote", "") in source.read_text("utf-8"), fact
        assert set(fact["metadata"]) <= {"source", "quote"}, fact


def test_the_facts_make_a_varied_store(memoir: Memoir) -> None:
    memoir.json("import", str(EXAMPLES / "memoir-itself.jsonl"))

    survey = memoir.json("summarize", "--depth", "1", "--keys", "*")

    assert survey["namespaces"] == {"default": len(FACTS)} and len(FACTS) >= 60
    assert len(survey["prefix_counts"]["default"]) >= 12
    assert all(path.count(".") <= 2 for path in survey["matching_keys"]["default"])
    assert [fact["path"] for fact in FACTS] == survey["matching_keys"]["default"], "one fact a path, sorted"
