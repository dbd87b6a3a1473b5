"""Prompts and what they cost."""

from memoir.llm.model import Prompt
from memoir.llm.usage import Usage


def test_usage_adds_up_count_by_count() -> None:
    assert Usage(1, 10, 5, 100, 0).plus(Usage(2, 1, 1, 0, 100)) == Usage(3, 11, 6, 100, 100)
    assert Usage().plus(Usage(1, 2)) == Usage(1, 2)


def test_a_prompt_is_shown_whole() -> None:
    assert Prompt("Rules.", "Question?").text == "Rules.\n\nQuestion?"
    assert Prompt("", "Question?").text == "Question?"
