"""JSON in a model's answer."""

from typing import Any

import pytest

from memoir.llm.answers import find_json, find_object


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ('["a"]', ["a"]),
        ('Here they are:\n```json\n{"paths": ["a"]}\n```', {"paths": ["a"]}),
        ('I choose ["a"]', None),
        ('["a"', None),
        ("[" * 100_000, None),
        ("none", None),
    ],
)
def test_json_is_found_where_it_begins_a_line(answer: str, found: Any) -> None:
    assert find_json(answer) == found


@pytest.mark.parametrize(
    ("answer", "found"),
    [('I file it so: {"paths": []}. Done', {"paths": []}), ("[1]", {}), ('{"paths": ', {}), ("", {})],
)
def test_an_object_is_found_wherever_it_begins(answer: str, found: dict[str, Any]) -> None:
    assert find_object(answer) == found
