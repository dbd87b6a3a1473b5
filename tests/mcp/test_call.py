"""One call: its hints name tools, and of its pages none is larger than the budget and none leaves a character out."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import built_once

from memoir.errors import InvalidInput
from memoir.layers.item_options import NONE, ItemOptions
from memoir.mcp.call import Cursor, ToolReply, checksum, hint_of_tools, page, read_cursor
from memoir.mcp.client_store import StorePlace
from memoir.mcp.service import BY_NAME, Service
from memoir.records.record import Memory
from memoir.repository.repository import Repository


@pytest.mark.parametrize(
    ("of_command", "of_tool"),
    [
        ("'memoir ls' lists all paths", "'summarize keys *' lists all paths"),
        ("3 paths are below it: 'memoir ls ci.time'", "3 paths are below it: 'summarize keys ci.time.*'"),
        (
            "'a.b' is a key: 'memoir get a.b' reads it, 'memoir blame a.b' shows its versions",
            "'a.b' is a key: 'get a.b' reads it, 'history blame a.b' shows its versions",
        ),
        ("'v1' is a revision: 'memoir log --at v1'", "'v1' is a revision: 'history log'"),
        ("run 'memoir fsck'", "run 'memoir fsck'"),
        ("did you mean 'ci.time'?", "did you mean 'ci.time'?"),
        ("2 paths are below it: 'memoir ls user:ci'", "2 paths are below it: 'summarize keys ci.*'"),
    ],
)
def test_a_command_that_is_a_tool_is_named_as_one(of_command: str, of_tool: str) -> None:
    assert hint_of_tools(of_command) == of_tool


@built_once
def facts(repository: Repository) -> None:
    repository.remember(Memory.of("CI has an hour."), "ci.time.limit")
    for name in ("talk", "chat"):
        repository.sources.ingest_text(f"Ada: One {name}.\nBen: Two.\n", name=name, items=ItemOptions(NONE))


@pytest.fixture
def service(facts: Repository) -> Service:
    return Service(StorePlace(str(facts.path.parent)))


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("recall", {"query": " "}),
    ("recall", {"query": "x", "at": "nothing"}),
    ("summarize", {"at": "1999-01-01"}),
    ("get", {"keys": ["zzz.qqq"]}),
    ("get", {"keys": ["ci.time"]}),
    ("get", {"keys": ["nobody:a.b"]}),
    ("get", {"keys": ["ci.time.limit#m000"]}),
    ("get", {"keys": ["A b"]}),
    ("remember", {"content": "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"}),
    ("remember", {"content": "x", "key": "ci.time.limit", "policy": "reject"}),
    ("remember", {"content": "x", "key": "memoir:layers:a"}),
    ("remember", {"content": "x", "key": "memoir:taxonomy:a"}),
    ("remember", {"content": "x", "key": "memoir:lexicon:a"}),
    ("forget", {"keys": ["zzz.qqq"]}),
    ("forget", {"keys": ["ci.time"]}),
    ("forget", {"keys": ["ci"]}),
    ("recall", {"query": "CI", "keys": "ci.time.limit#m000"}),
    ("recall", {"query": "CI", "keys": "default:ci.*"}),
    ("summarize", {"keys": "~0001#p1"}),
    ("get", {"keys": ["~9999#p4"]}),
    ("get", {"keys": ["sources.talk.0001#p9"]}),
    ("get", {"keys": ["~0001"]}),
    ("forget", {"keys": ["sources.talk.0001#p1"]}),
    ("forget", {"keys": ["sources.talk.0009#p1"]}),
    ("history", {"what": "blame", "key": "zzz"}),
    ("history", {"what": "blame", "key": "main"}),
    ("history", {"what": "diff", "from": "ci.time.limit"}),
    ("history", {"what": "log", "key": "ci"}),
    ("history", {"what": "why", "key": "ci.tim"}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=lambda value: str(value))
def test_no_failure_hints_at_an_option_or_at_a_command_that_is_a_tool(
    service: Service, name: str, arguments: dict[str, Any]
) -> None:
    answer = service.answer(BY_NAME[name], arguments)

    items: Any = answer.fields.get("items", ())
    hints = [item.get("hint") for item in items] or [answer.fields.get("error", {}).get("hint")]
    assert answer.failed or hints
    for hint in filter(None, hints):
        assert "--" not in hint and " -n" not in hint, hint
        for command in ("ls", "get", "blame", "log", "diff", "remember", "forget", "summarize", "recall", "sources"):
            assert f"memoir {command}" not in hint, hint


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
        "", "1.2", "x.0.00000000.abc", f"-1.0.{CHECK}.abc", f"1.0.{CHECK}.--all", f"².0.{CHECK}.abc",
        f"{'9' * 19}.0.{CHECK}.abc", f"0.{'9' * 5000}.{CHECK}.abc",
    ],
)  # fmt: skip
def test_what_is_no_cursor_of_this_call_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="another call"):
        read_cursor(text, CHECK)


def test_the_cursor_of_one_call_does_not_fit_another() -> None:
    cursor = Cursor("abc", 1, 2).text(checksum("get", {"keys": ["a.b"]}))

    assert read_cursor(cursor, checksum("get", {"keys": ["a.b"], "cursor": cursor})) == Cursor("abc", 1, 2)
    with pytest.raises(InvalidInput):
        read_cursor(cursor, checksum("get", {"keys": ["a.c"]}))
