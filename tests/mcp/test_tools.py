"""What the tools cost every session, and that their schemas are flat."""

import json

from memoir.mcp.service import INSTRUCTIONS, TOOLS


def test_names_descriptions_and_schemas_take_2450_characters_at_most() -> None:
    schemas = [json.dumps(tool.schema, separators=(",", ":")) for tool in TOOLS]

    assert sum(len(tool.name) + len(tool.description) for tool in TOOLS) + sum(map(len, schemas)) <= 2450
    assert len(INSTRUCTIONS) <= 1100


def test_every_tool_has_a_flat_schema() -> None:
    for tool in TOOLS:
        assert set(tool.required) <= tool.properties.keys()
        for about in tool.properties.values():
            assert about.get("type", "string") != "object" and "anyOf" not in about


def test_only_what_writes_is_not_called_read_only() -> None:
    assert {tool.name for tool in TOOLS if not tool.read_only} == {"remember", "lexicon", "forget"}
    assert {tool.name for tool in TOOLS if tool.destructive} == {"forget"}
