"""A record with too many memories is refused before it is decoded; one that is merely large is not."""

import json
import sys

import orjson
import pytest

from memoir.records import record
from memoir.records.record import MAX_FACETS, DamagedRecord, Memory, decode, encode, holds_more

ONE = json.dumps({"content": 'a, "b" {[\\', "confidence": 1, "timestamp": "2026-01-01T00:00:00Z", "status": "active"})


def _record(number: int, one: str = ONE, separator: str = " , ") -> bytes:
    return f'{{"memories": [{separator.join([one] * number)}]}}'.encode()


def test_the_bound_is_exact() -> None:
    assert not holds_more(_record(MAX_FACETS), MAX_FACETS)
    assert holds_more(_record(MAX_FACETS + 1), MAX_FACETS)


@pytest.mark.parametrize("one", [ONE, "{}", "null", "[1,2]"])
def test_too_many_memories_are_never_decoded(monkeypatch: pytest.MonkeyPatch, one: str) -> None:
    data = _record(2_000_000 // len(one), one, ",")
    monkeypatch.setattr(orjson, "loads", lambda data: pytest.fail("it was decoded"))

    assert len(data) > record._LARGE
    with pytest.raises(DamagedRecord, match="more than 1,008 memories"):
        decode(data)


@pytest.mark.slow
def test_a_memory_of_too_many_parts_is_never_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orjson, "loads", lambda data: pytest.fail("it was decoded"))

    with pytest.raises(DamagedRecord, match="too large"):
        decode(_record(1, f'{{"content": "a", "metadata": {{"a": [{",".join(["[]"] * 500_000)}]}}}}'))


def test_a_large_memory_is_read_whatever_its_words() -> None:
    memory = Memory.of('one, two, {"three": [4, 5]}, \\\\" \\, ' * 40_000, metadata={"a": [{"b": [1, 2]}] * 2000})

    assert sys.getsizeof(memory.content) > record._LARGE
    assert decode(encode([memory, memory])) == (memory, memory)
