"""What is read from a model's answer."""

import sys
from typing import Any

import pytest

from memoir.llm.answer_text import (
    find_json,
    find_lines,
    find_numbers,
    find_object,
    find_rows,
    find_word,
    read_flag,
    read_number,
    read_text,
    without_thoughts,
)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('["a"]', ["a"]),
        ('Here they are:\n```json\n{"paths": ["a"]}\n```', {"paths": ["a"]}),
        ('I choose ["a"]', None),
        ('["a"', None),
        ("[" * 100_000, None),
        ("none", None),
    ],
)
def test_json_is_found_where_it_begins_a_line(answer: str, value: Any) -> None:
    assert find_json(answer) == value


@pytest.mark.parametrize(
    ("answer", "value"),
    [('I file it so: {"paths": []}. Done', {"paths": []}), ("[1]", {}), ('{"paths": ', {}), ("", {})],
)
def test_an_object_is_found_wherever_it_begins(answer: str, value: dict[str, Any]) -> None:
    assert find_object(answer) == value


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('A draft: {"ok": 0}. No: ```json\n{"ok": 1, "in": {"ok": 0}}\n```', {"ok": 1, "in": {"ok": 0}}),
        ('In set {a, b} it is {"ok": 1} {"other": 2}', {"ok": 1}),
        ('{"other": 1}', {}),
        ('{"ok":' * 100_000, {}),
    ],
)  # fmt: skip
def test_an_object_is_known_by_its_keys_and_the_last_one_counts(answer: str, value: dict[str, Any]) -> None:
    assert find_object(answer, "ok") == value


@pytest.mark.parametrize(
    ("answer", "rows"),
    [('{"items": [{"a": 1}, "b", [{}]]}', [{"a": 1}]), ('{"items": {"a": 1}}', None), ("nothing to report", None)],
)
def test_only_the_objects_of_a_list_are_rows(answer: str, rows: Any) -> None:
    assert find_rows(answer, "items") == rows


@pytest.mark.parametrize(
    ("value", "text"), [(" Use\n pytest. ", "Use pytest."), ("x" * 13, None), ("  ", None), (12, None), (None, None)]
)
def test_a_text_is_on_one_line_and_not_too_long(value: Any, text: str | None) -> None:
    assert read_text(value, 12) == text


@pytest.mark.parametrize(
    ("answer", "rest"),
    [
        ("<think>\nA draft: 1\n</think>\n\n2", "2"),
        ("A draft: 1\n</thinking>\n2", "2"),
        ("<THINK>1</THINK>2<think>3</think>", "2"),
        ("2", "2"),
        ("<think>1<think>1</think>2", "2"),
        ("<think>2<reasoning>1</reasoning>3", "<think>23"),
        ("1<thought>1</reasoning>1</thought>1</reasoning>2", "2"),
        ("<thinker>2</thinker>", "<thinker>2</thinker>"),
        ("<think <think>1</think>2", "<think 2"),  # no tag goes on to the next: many of these would be read in squares
    ],
)
def test_thoughts_are_removed(answer: str, rest: str) -> None:
    assert without_thoughts(answer) == rest


def searches_in(answer: str) -> int:
    """How often a text is searched while thoughts are removed from it."""
    names: list[str] = []
    sys.setprofile(lambda _, event, function: names.append(function.__name__) if event == "c_call" else None)
    try:
        without_thoughts(answer)
    finally:
        sys.setprofile(None)
    return sum(
        name in ("finditer", "findall", "search", "match", "sub", "find", "index", "partition") for name in names
    )


@pytest.mark.parametrize("tag", ["<think>", "<think ", "</think"])
def test_an_answer_is_searched_as_often_however_many_thoughts_in_it_have_no_end(tag: str) -> None:
    """With a search for an end from each of them, 16 times as many took 256 times as long."""
    assert without_thoughts(f"{tag}{tag}2") == f"{tag}{tag}2"
    assert 0 < searches_in(tag * 1000) == searches_in(tag)


def test_lines_lose_their_dress() -> None:
    answer = '```\n1. Who is it?\n- "Where?"\n\n2) lex: 12 monkeys\n**bold**\n10.5 percent\n```'

    assert find_lines(answer) == ["Who is it?", "Where?", "lex: 12 monkeys", "bold", "10.5 percent"]


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("[2] a\n[1] b", [2, 1]),
        ("Take [3], [1].", [3, 1]),
        ("2\n2\n9\n0", [2]),
        ("Of 3, none", []),
        ("[[1], 2]", [1, 2]),
        ("9" * 5000 + "\n2", [2]),
    ],
)
def test_numbers_begin_lines_or_stand_in_a_list(answer: str, numbers: list[int]) -> None:
    assert find_numbers(answer, 3) == numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3), (" [12] ", 12), ("0", None), ("13", None), ("9" * 5000, None), ("²", None), ("m2", None), ("", None)],
)
def test_a_number_of_an_answer_is_one_that_was_shown(text: str, number: int | None) -> None:
    assert read_number(text, 12) == number


@pytest.mark.parametrize(
    ("value", "flag"), [(True, True), (" Yes ", True), ("false", False), (False, False), ("maybe", None), (1, None)]
)
def test_a_flag_may_be_a_word(value: Any, flag: bool | None) -> None:
    assert read_flag(value) is flag


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("chain", "chain"), ("**Split.**", "split"), ("It is not direct, I think.\nAnswer:\nchain", "chain"),
        ("I choose chain because of two hops.", "chain"), ("direct or chain?", None), ("neither", None), ("", None),
    ],
)  # fmt: skip
def test_a_word_is_chosen(answer: str, word: str | None) -> None:
    assert find_word(answer, ("direct", "split", "chain")) == word


def test_a_long_answer_without_thoughts_is_read_at_once() -> None:
    """A pattern that began anew at every character took minutes."""
    answer = "manages " * 40_000

    assert without_thoughts(answer) == answer.strip()
