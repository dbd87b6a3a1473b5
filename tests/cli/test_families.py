"""One list of command families: `memoir.cli.families`. Everything else that groups commands agrees with it."""

import ast
import re
from pathlib import Path

import pytest
from support import PROJECT

from memoir.cli.families import COMMANDS, FAMILIES

SHARED_MODULES = {
    "answer",
    "differences",
    "envelope",
    "failure",
    "hits",
    "dates",
    "parts",
    "setup",
    "sizes",
    "terminal",
    "text",
    "trace",
}
"""The modules of `memoir.answers` that make no command's answer by themselves."""


def output_modules(source: Path) -> set[str]:
    """The modules of `memoir.answers` that a file imports."""
    modules = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "memoir.answers":
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memoir.answers."):
            modules.add(str(node.module).rpartition(".")[2])
    return modules


def test_every_command_module_is_in_one_family() -> None:
    modules = {path.stem.rstrip("_") for path in (PROJECT / "memoir/cli/commands").glob("[!_]*.py")}

    assert modules == COMMANDS.keys()
    assert len(COMMANDS) == sum(len(family.commands) for family in FAMILIES.values())


def test_every_family_has_a_module_of_answers_and_a_file_of_tests() -> None:
    modules = {path.stem for path in (PROJECT / "memoir/output").glob("[!_]*.py")}

    types = {path.stem for path in (PROJECT / "memoir/answers/contract").glob("[!_]*.py")}

    assert modules == FAMILIES.keys() | SHARED_MODULES
    assert types == FAMILIES.keys() | {"envelope", "failure", "schema", "shapes"}
    assert all((PROJECT / f"tests/cli/test_{name}.py").exists() for name in FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_command_answers_with_the_module_of_its_family(name: str) -> None:
    for command in FAMILIES[name].commands:
        (source,) = (PROJECT / "memoir/cli/commands").glob(f"{command}{'_' * (command == 'import')}.py")

        assert output_modules(source) - SHARED_MODULES <= {name}, command


def test_the_contract_has_a_table_for_each_family() -> None:
    contract = (PROJECT / "docs/contract.md").read_text("utf-8")

    for family in FAMILIES.values():
        rows = contract.partition(f"### {family.heading}\n")[2].split("\n\n")[0]
        assert list(dict.fromkeys(re.findall(r"schema/(.*)\.json", rows))) == list(family.commands)


def test_the_manual_page_has_a_section_for_each_family() -> None:
    page = (PROJECT / "man/memoir.1").read_text("utf-8")

    for family in FAMILIES.values():
        section = re.split(r"\n\.S[SH] ", page.partition(f".SS {family.heading}\n")[2])[0]
        assert re.findall(r"fBmemoir\\-(.*)\\fR\(1\)", section) == list(family.commands)
