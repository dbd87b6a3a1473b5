"""Many questions in one run: each line gets its answer, or an error, in its place."""

import io
import json
from typing import Any

import pytest
from support import built_once

from memoir import IntelligentSearchEngine, Memory, Repository
from memoir.recall.batch import BatchOutcome, read_lines, recall_lines


@built_once
def animals(repository: Repository) -> None:
    """Three memories in two namespaces."""
    repository.remember(Memory.of("lions sleep"), "a.lion")
    repository.remember(Memory.of("zebras graze"), "a.zebra")
    repository.remember(Memory.of("a zebra and a lion"), "b", namespace="user")


@pytest.fixture
def engine(animals: Repository, monkeypatch: pytest.MonkeyPatch) -> IntelligentSearchEngine:
    """An engine over them, where no model is configured."""
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("MEMOIR_EMBED_PROVIDER", "hash")
    return IntelligentSearchEngine(animals)


def _ask(engine: IntelligentSearchEngine, *lines: object, **defaults: Any) -> list[BatchOutcome]:
    data = [line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines]
    return list(recall_lines(engine, data, defaults))


def _paths(outcome: BatchOutcome) -> list[str]:
    assert outcome.answer and not outcome.error, outcome
    return [result.path for result in outcome.answer.memories]


def _refusal(outcome: BatchOutcome) -> tuple[str, int]:
    assert outcome.error and not outcome.answer
    return outcome.error.message, outcome.error.details["line"]


def test_answers_are_in_the_order_of_the_questions(engine: IntelligentSearchEngine) -> None:
    questions = [{"query": "zebras graze", "limit": 1}, {"query": "lions sleep", "limit": 1}] * 5

    assert [_paths(outcome) for outcome in _ask(engine, *questions)] == [["a.zebra"], ["a.lion"]] * 5


def test_an_answer_is_given_before_the_next_question_is_read(engine: IntelligentSearchEngine) -> None:
    read: list[int] = []

    def lines() -> Any:
        for number in range(3):
            read.append(number)
            yield b'{"query": "zebra"}'

    answers = recall_lines(engine, lines(), {})
    next(answers)

    assert read == [0]


def test_a_lines_fields_win_over_the_defaults(engine: IntelligentSearchEngine) -> None:
    plain, own, none = _ask(
        engine,
        {"query": "zebra lion"},
        {"query": "zebra lion", "namespace": "user", "limit": 5},
        {"query": "zebra lion", "namespace": None},
        namespace=["default"],
        limit=1,
    )

    assert len(_paths(plain)) == 1 and plain.answer and plain.answer.memories[0].namespace == "default"
    assert _paths(own) == ["b"]
    assert len(_paths(none)) == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON"),
        (b'{"query": "\xff"}', "not JSON"),
        (b"[]", "not a JSON object"),
        (b'"zebra"', "not a JSON object"),
        ({}, "no query given"),
        ({"query": "zebra", "limits": 3}, "unknown field 'limits'"),
        ({"query": "zebra", "limit": "3"}, "limit must be a whole number"),
        ({"query": "zebra", "mode": "clever"}, "mode must be one of"),
        ({"query": "zebra", "at": "nowhere"}, "nowhere"),
        ({"query": "zebra", "mode": "single"}, "no language model"),
        (b'{"query": "zebra", "limit": 100000000000000000000000}', ""),
    ],
)
def test_a_bad_line_is_answered_in_its_place(engine: IntelligentSearchEngine, line: object, reason: str) -> None:
    before, bad, after = _ask(engine, {"query": "zebras"}, b"\n", line, {"query": "lions sleep", "limit": 1})

    message, number = _refusal(bad)
    assert message.startswith("line 3: ") and reason in message
    assert number == 3
    assert _paths(before)[0] == "a.zebra" and _paths(after) == ["a.lion"]


def test_blank_lines_are_skipped(engine: IntelligentSearchEngine) -> None:
    assert _ask(engine, b"\n", b"  \r\n", b"") == []


def test_a_line_can_name_an_older_commit(engine: IntelligentSearchEngine) -> None:
    old, new = _ask(engine, {"query": "zebra", "at": "HEAD~2"}, {"query": "zebra"}, strict=True)

    assert _paths(old) == []
    assert set(_paths(new)) == {"a.zebra", "b"}


def test_long_lines_and_queries_are_refused_without_quoting(engine: IntelligentSearchEngine) -> None:
    lines = [
        b'{"query": "%s"}\n' % (b"word " * 2_000_000),
        b'{"query": "%s"}\n' % (b"word " * 30_000),
        b'{"query": "ok"}\n',
    ]
    outcomes = list(recall_lines(engine, read_lines(io.BytesIO(b"".join(lines))), {}))

    messages = [outcome.error.message if outcome.error else None for outcome in outcomes]
    assert messages == [
        "line 1: a line may have 1 MiB at most", "line 2: a query may have 100,000 characters, not 150,000", None,
    ]  # fmt: skip
