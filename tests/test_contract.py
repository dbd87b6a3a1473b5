"""docs/contract.md says what the code does."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import sample
from support import COMMAND, PROJECT

from memoir.cli import main
from memoir.cli.describe import EXIT_STATUSES, environment
from memoir.cli.families import COMMANDS
from memoir.errors import MemoirError

CONTRACT = (PROJECT / "docs/contract.md").read_text("utf-8")


def table(heading: str) -> list[list[str]]:
    """The cells of a table, found by its header row, with code marks removed."""
    _, _, rest = CONTRACT.partition(f"| {heading} |")
    assert rest, heading
    rows = rest.split("\n\n")[0].splitlines()[2:]
    return [[cell.strip().replace("`", "") for cell in row.strip("| ").split(" | ")] for row in rows]


def test_the_exit_statuses() -> None:
    assert table("status | meaning") == [[str(int(code)), meaning] for code, meaning in EXIT_STATUSES.items()]


def test_the_environment() -> None:
    assert table("variable | meaning") == [[name, meaning] for name, meaning in environment().items()]


def test_the_codes_of_failures() -> None:
    kinds: list[type[MemoirError]] = [MemoirError, main.Interrupted]
    for kind in kinds:
        kinds += [sub for sub in kind.__subclasses__() if sub not in kinds]

    stated = {(row[0], row[1].rstrip(" |")) for row in table("code | exit status | further fields")}
    assert stated == {(kind.code, str(int(kind.exit_code))) for kind in kinds}


def test_the_answers_fields() -> None:
    stated = re.findall(r"^\| \[.*\]\(schema/(.*)\.json\) \| (.*) \|$", CONTRACT, re.MULTILINE)

    assert list(dict.fromkeys(name for name, _ in stated)) == list(COMMANDS)
    for name, fields in stated:
        forms = [list(form["properties"])[3:] for form in _forms(name)]
        assert re.findall(r"`(\w+)`", fields) in forms, name
    assert len(stated) == sum(len(_forms(name)) for name in COMMANDS)


def _forms(name: str) -> list[dict[str, Any]]:
    schema = json.loads((PROJECT / f"docs/schema/{name}.json").read_text("utf-8"))
    return [form for key, form in schema["$defs"].items() if key != "parameter"] if "oneOf" in schema else [schema]


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", CONTRACT):
        assert (PROJECT / "docs" / target).exists(), target


@pytest.mark.skipif(not shutil.which("jq"), reason="jq is not installed")
def test_its_paging_loop_lists_every_key_once(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    project = sample.copy_into(tmp_path, tmp_path_factory.getbasetemp())
    loop = CONTRACT.partition("```sh\n")[2].partition("```")[0].replace("--limit 100", "--limit 2")

    paged = subprocess.run(
        ["bash", "-eu", "-c", f'PATH="{COMMAND.parent}:$PATH"\n{loop}'], cwd=project, capture_output=True, text=True
    )
    whole = subprocess.run([COMMAND, "ls", "--json"], cwd=project, capture_output=True, text=True)

    assert paged.stderr == ""
    assert paged.stdout.split() == [key["full_key"] for key in json.loads(whole.stdout)["keys"]]
