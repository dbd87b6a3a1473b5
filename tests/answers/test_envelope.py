"""The one JSON object of an answer, also where its lists are long."""

import json
import tracemalloc
from collections.abc import Iterator, Mapping

import pytest

from memoir.answers.answer import CountingIterator, fields_of_success, pieces
from memoir.errors import DamagedStore


def _answer(many: int) -> Mapping[str, object]:
    rows = CountingIterator({"key": f"k{number}"} for number in range(many))
    return fields_of_success("ls", {"prefix": None, "keys": rows, "count": lambda: rows.count, "word": "\udc80"})


@pytest.mark.parametrize("many", [0, 1, 3, 20_000])
@pytest.mark.parametrize("terminal", [False, True])
def test_a_list_that_comes_bit_by_bit_is_a_list(many: int, terminal: bool) -> None:
    answer = json.loads(b"".join(pieces(_answer(many), terminal=terminal)))

    assert list(answer) == ["schema_version", "command", "success", "prefix", "keys", "count", "word"]
    assert (len(answer["keys"]), answer["count"], answer["prefix"]) == (many, many, None)


def test_nothing_comes_before_an_error_in_the_middle() -> None:
    def break_off() -> Iterator[str]:
        yield from ("x" * 1000 for _ in range(5000))
        raise DamagedStore("a memory cannot be read")

    with pytest.raises(DamagedStore):
        next(pieces({"keys": break_off()}))


@pytest.mark.slow
def test_a_long_answer_is_not_held_in_memory() -> None:
    tracemalloc.start()
    length = sum(len(piece) for piece in pieces({"keys": ("x" * 1000 for _ in range(50_000))}))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert length > 50_000_000 and peak < 8_000_000
