"""Pages: every character of every item comes exactly once, and no page is larger than the budget."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import InvalidInput
from memoir.mcp.call import Cursor, ToolReply, checksum, page, read_cursor

CHECK = checksum("get", {})
BUDGET = 1000

texts = st.one_of(st.text(max_size=40), st.integers(0, 5000).map(lambda size: 'a\x00"é😀' * (size // 5)))
items = st.lists(
    st.one_of(
        texts.map(lambda text: {"key": "a.b", "content": text}),
        st.integers(0, 300).map(lambda size: {"key": "k" * size}),
    ),
    max_size=8,
)


def pages(values: list[dict[str, Any]], budget: int = BUDGET) -> list[dict[str, Any]]:
    answers, start = [], Cursor("0")
    while True:
        answers.append(page(ToolReply({"total": 7}, "items", values), start, CHECK, budget))
        if "cursor" not in answers[-1]:
            return answers
        start = read_cursor(answers[-1]["cursor"], CHECK)


@given(items)
def test_the_pages_together_are_the_whole(values: list[dict[str, Any]]) -> None:
    whole: list[dict[str, Any]] = []
    for answer in pages(values):
        assert len(orjson.dumps(answer).decode()) <= BUDGET
        for part in answer["items"]:
            if part.pop("from", 0):
                whole[-1]["content"] += part["content"]
            else:
                whole.append(part)
            size = part.pop("truncated", None)
            assert size is None or size > len(part["content"])

    for item in whole:
        item.pop("truncated", None)
    assert whole == values


def test_a_budget_too_small_for_one_item_shows_it_all_the_same() -> None:
    assert [len(answer["items"]) for answer in pages([{"key": "k" * 500}, {"key": "b"}], 100)] == [1, 1]
    assert pages([{"key": "a", "content": "x" * 900}], 100)[0]["items"][0]["truncated"] == 900


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1.2",
        "x.0.00000000.abc",
        f"-1.0.{CHECK}.abc",
        f"1.0.{CHECK}.--all",
        f"².0.{CHECK}.abc",
        f"{'9' * 19}.0.{CHECK}.abc",
        f"0.{'9' * 5000}.{CHECK}.abc",
    ],
)
def test_what_is_no_cursor_of_this_call_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="another call"):
        read_cursor(text, CHECK)


def test_the_cursor_of_one_call_does_not_fit_another() -> None:
    cursor = Cursor("abc", 1, 2).text(checksum("get", {"keys": ["a.b"]}))

    assert read_cursor(cursor, checksum("get", {"keys": ["a.b"], "cursor": cursor})) == Cursor("abc", 1, 2)
    with pytest.raises(InvalidInput):
        read_cursor(cursor, checksum("get", {"keys": ["a.c"]}))
