"""One list of command families: `memoir.cli.families`. Everything else that groups commands agrees with it."""

import ast
import re
from pathlib import Path

import pytest
from support import PROJECT

from memoir.cli.families import COMMANDS, FAMILIES, HEADINGS

COMMAND_FILES = PROJECT / "memoir/cli/commands"

SHARED_MODULES = {
    "answer",
    "captures",
    "differences",
    "hits",
    "lean",
    "match_lines",
    "parts",
    "terminal",
    "trace",
    "token_budget",
}
"""The modules of `memoir.answers` that make no command's answer by themselves."""


def answer_modules(source: Path) -> set[str]:
    """The modules of `memoir.answers` that a file imports."""
    modules = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "memoir.answers":
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memoir.answers."):
            modules.add(str(node.module).rpartition(".")[2])
    return modules - {"contract"}  # the types of all answers


def test_every_module_of_commands_is_a_family_or_a_command() -> None:
    modules = {path.stem for path in COMMAND_FILES.glob("[!_]*.py")}

    assert modules <= FAMILIES.keys() | COMMANDS.keys()
    assert len(COMMANDS) == sum(map(len, FAMILIES.values()))


def test_every_family_has_a_module_of_answers_and_a_file_of_tests() -> None:
    modules = {path.stem for path in (PROJECT / "memoir/answers").glob("[!_]*.py")}

    types = {path.stem for path in (PROJECT / "memoir/answers/contract").glob("[!_]*.py")}

    assert FAMILIES.keys() | SHARED_MODULES <= modules <= FAMILIES.keys() | SHARED_MODULES | COMMANDS.keys()
    assert types == FAMILIES.keys() | {"failure", "shapes", "trace"}
    assert all((PROJECT / f"tests/cli/test_{name}.py").exists() for name in FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_command_answers_with_its_own_module_or_that_of_its_family(name: str) -> None:
    files = [COMMAND_FILES / f"{stem}.py" for stem in (name, *FAMILIES[name])]

    for source in filter(Path.exists, files):
        assert answer_modules(source) - SHARED_MODULES <= {name, source.stem}, source.name


def test_the_contract_has_a_table_for_each_family() -> None:
    contract = (PROJECT / "docs/contract.md").read_text("utf-8")

    for family, commands in FAMILIES.items():
        rows = contract.partition(f"### {HEADINGS[family]}\n")[2].split("\n\n")[0]
        assert list(dict.fromkeys(re.findall(r"schema/(.*)\.json", rows))) == list(commands)


def test_the_manual_page_has_a_section_for_each_family() -> None:
    page = (PROJECT / "man/memoir.1").read_text("utf-8")

    for family, commands in FAMILIES.items():
        section = re.split(r"\n\.S[SH] ", page.partition(f".SS {HEADINGS[family]}\n")[2])[0]
        assert re.findall(r"fBmemoir\\-(.*)\\fR\(1\)", section) == list(commands)
