"""The table of costs in docs/agents.md says what the texts that agents read take now."""

import json
import re
from pathlib import Path

import pytest
from support import PROJECT, Memoir

from memoir import Repository
from memoir.hosts.setup.host_texts import SECTION
from memoir.mcp.service import INSTRUCTIONS, TOOLS
from memoir.primer.length import tokens

DOC = (PROJECT / "docs/agents.md").read_text("utf-8")


def row(start: str) -> list[int]:
    """The numbers in the last cell of a row of the table."""
    (line,) = (line for line in DOC.splitlines() if line.startswith(f"| {start}"))
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", line.split("|")[-2])]


def test_the_primer_costs_what_the_table_says(repository: Repository) -> None:
    empty = repository.agents.prime(program="memoir").tokens
    with (PROJECT / "examples/memoir-itself.jsonl").open("rb") as lines:
        repository.import_lines(lines)
    example = repository.agents.prime(program="memoir").tokens

    most, told_example, told_empty = row("primer")
    assert empty == told_empty and example == pytest.approx(told_example, rel=0.05) and example < most
    assert f"the example store: {told_example:,}" in (PROJECT / "README.md").read_text("utf-8")


def test_the_fixed_texts_cost_what_the_table_says() -> None:
    schemas = "".join(json.dumps(tool.schema, separators=(",", ":")) for tool in TOOLS)
    listed = tokens("".join(tool.name + tool.description for tool in TOOLS) + schemas)
    assert [listed, tokens(INSTRUCTIONS)] == [pytest.approx(each, rel=0.05) for each in row("MCP: tools")]
    assert [tokens(SECTION.replace("PROGRAM", "memoir"))] == row("section in AGENTS.md")
    bodies = [rest_of(name) for name in ("memoir-recall", "memoir-remember")]
    assert bodies == [pytest.approx(each, rel=0.05) for each in row("| the rest")]


def test_the_list_of_all_commands_costs_what_the_readme_says(memoir: Memoir) -> None:
    (told,) = re.findall(r"lists all commands in ([\d,]+) tokens", (PROJECT / "README.md").read_text("utf-8"))
    assert tokens(memoir.ok("help", "--brief", "--json")) == pytest.approx(int(told.replace(",", "")), rel=0.05)


def rest_of(name: str) -> int:
    """The tokens of a skill without its head."""
    return tokens(Path(PROJECT, f"plugins/claude-code/skills/{name}/SKILL.md").read_text("utf-8").split("---", 2)[2])
