"""docs/contract.md says what the code does."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest
import sample
from support import COMMAND, PROJECT

from memoir.answers.contract import failure
from memoir.cli.families import COMMANDS
from memoir.error_fields import Code, Details
from memoir.errors import MemoirError

CONTRACT = (PROJECT / "docs/contract.md").read_text("utf-8")


def test_every_kind_of_error_has_a_code_of_the_contract_and_a_row_in_the_table() -> None:
    kinds: list[type[MemoirError]] = [MemoirError]
    for kind in kinds:
        kinds += kind.__subclasses__()

    assert {kind.code for kind in kinds} == set(get_args(Code))
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| [A-Za-z]", CONTRACT, re.MULTILINE)
    assert set(rows) == {(kind.code, str(int(kind.exit_code))) for kind in kinds}


def test_every_further_field_of_an_error_is_described() -> None:
    further = failure.Error.__optional_keys__

    assert further == Details.__annotations__.keys() >= failure.CODES.keys()
    assert all(re.search(rf"^\| `{field}` \| \S+ \| [A-Za-z]", CONTRACT, re.MULTILINE) for field in further)


def test_the_answers_fields() -> None:
    rows = re.findall(r"^\| \[.*\]\(schema/(.*)\.json\) \| (.*) \|$", CONTRACT, re.MULTILINE)

    assert list(dict.fromkeys(name for name, _ in rows)) == list(COMMANDS)
    for name, fields in rows:
        forms = [list(form["properties"])[3:] for form in _forms(name)]
        assert re.findall(r"`(\w+)`", fields) in forms, name
    assert len(rows) == sum(len(_forms(name)) for name in COMMANDS)


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

    pages = subprocess.run(
        ["bash", "-eu", "-c", f'PATH="{COMMAND.parent}:$PATH"\n{loop}'], cwd=project, capture_output=True, text=True
    )
    whole = subprocess.run([COMMAND, "ls", "--json"], cwd=project, capture_output=True, text=True)

    assert pages.stderr == ""
    assert pages.stdout.split() == [key["full_key"] for key in json.loads(whole.stdout)["keys"]]
