"""Records: validated on the way in, canonical in the store, and refused undecoded if they hold too many memories."""

import json
import sys
import tracemalloc
from datetime import date, datetime, timedelta, timezone
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import DamagedStore, InvalidInput
from memoir.records import record
from memoir.records.record import (
    MAX_ACTIVE,
    MAX_CONTENT_BYTES,
    MAX_FACETS,
    MAX_METADATA_BYTES,
    MAX_SUPERSEDED,
    DamagedRecord,
    Memory,
    active_facets,
    decode,
    encode,
    holds_more,
    projection,
    trim,
)
from memoir.repository.repository import Repository

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
MEMORIES = st.builds(
    Memory.of,
    st.text(min_size=1).filter(str.strip),
    confidence=st.floats(0, 1),
    timestamp=st.sampled_from(["2026-01-02", "2026-01-02T03:04:05+05:30", "1999-12-31T23:59:59.123456Z"]),
    status=st.sampled_from(["active", "superseded"]),
    metadata=st.dictionaries(st.text(max_size=5), JSON, max_size=3),
)


def facet(content: str, **fields: Any) -> Memory:
    return Memory.of(content, **{"timestamp": "2026-01-01", **fields})


@given(st.lists(MEMORIES, min_size=1, max_size=4).map(tuple))
def test_records_read_back(record: tuple[Memory, ...]) -> None:
    data = encode(record)

    assert decode(data) == record


def test_the_order_of_metadata_keys_does_not_matter() -> None:
    one = facet("x", metadata={"b": 1, "a": {"d": 1, "c": 2}})
    two = facet("x", metadata={"a": {"c": 2, "d": 1}, "b": 1})

    assert encode([one]) == encode([two])


def test_the_canonical_bytes_are_frozen_with_the_format() -> None:
    record = [facet("Use pytest", confidence=1, metadata={"source": "review", "n": [1, 2.5]})]

    assert encode(record) == (
        b'{"memories":[{"content":"Use pytest","confidence":1.0,"timestamp":"2026-01-01T00:00:00Z",'
        b'"status":"active","metadata":{"n":[1,2.5],"source":"review"}}]}'
    )


def test_the_bytes_of_many_records_take_little_more_memory_than_they_are_long() -> None:
    record = [Memory.of("lion")]
    tracemalloc.start()
    try:
        held = [encode(record) for _ in range(100)]
        assert tracemalloc.get_traced_memory()[0] < 2 * sum(map(len, held))
    finally:
        tracemalloc.stop()


def test_a_datetime_is_the_same_instant_in_utc() -> None:
    tokyo = timezone(timedelta(hours=9))

    memory = Memory.of("x", timestamp=datetime(2026, 1, 31, 9, 30, 0, 500, tzinfo=tokyo))

    assert memory.timestamp == "2026-01-31T00:30:00.000500Z"
    assert decode(encode([memory])) == (memory,)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"content": ""}, "content"),
        ({"content": " \n"}, "blank"),
        ({"content": 5}, "content"),
        ({"content": "\udc80"}, "UTF-8"),
        ({"content": "x" * (MAX_CONTENT_BYTES + 1)}, "16 MiB"),
        ({"confidence": 1.5}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"confidence": "high"}, "confidence"),
        ({"timestamp": "yesterday-ish"}, "not a date"),
        ({"timestamp": "2026-02-30"}, "not a date"),
        ({"timestamp": 5}, "timestamp"),
        ({"timestamp": datetime(2026, 1, 31, 9, 30)}, "timestamp has no time zone: 2026-01-31 09:30:00"),
        ({"timestamp": datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1)))}, "not in the years 1 to 9999"),
        ({"timestamp": date(2026, 1, 31)}, "or a datetime, not"),
        ({"status": "gone"}, "status"),
        ({"metadata": [1]}, "metadata"),
        ({"metadata": {1: 2}}, "metadata"),
    ],
)
def test_a_malformed_field_is_refused_by_name(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        Memory.of(**{"content": "x", **fields})


def test_metadata_that_json_cannot_hold_is_refused() -> None:
    with pytest.raises(InvalidInput, match="metadata"):
        encode([facet("x", metadata={"a": object()})])


def test_content_may_take_exactly_sixteen_mebibytes() -> None:
    assert len(Memory.of("x" * MAX_CONTENT_BYTES).content) == MAX_CONTENT_BYTES


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b'{"memories":5}', b'{"memories":[{"content":"x"}]}', b'{"memories":[5]}']
)
def test_bytes_that_are_not_a_record_are_damage(data: bytes) -> None:
    with pytest.raises(DamagedStore):
        decode(data)


def test_superseded_memories_are_not_active() -> None:
    record = (facet("old", status="superseded"), facet("one"), facet("two"))

    assert projection(record) == "one\ntwo"


def test_if_none_is_active_the_last_memory_is_shown() -> None:
    record = (facet("older", status="superseded"), facet("old", status="superseded"))

    assert [each.content for each in active_facets(record)] == ["old"]


def test_trimming_keeps_the_newest_of_each_kind() -> None:
    active = [facet(f"a{number}") for number in range(MAX_ACTIVE + 2)]
    old = [facet(f"s{number}", status="superseded") for number in range(MAX_SUPERSEDED + 3)]

    rest = trim((*old, *active))

    assert [each.content for each in rest if not each.active] == [
        f"s{number}" for number in range(3, MAX_SUPERSEDED + 3)
    ]
    assert [each.content for each in rest if each.active] == [f"a{number}" for number in range(2, MAX_ACTIVE + 2)]


def test_metadata_has_a_maximum_size(repository: Repository) -> None:
    most = {"note": "x" * (MAX_METADATA_BYTES - len('{"note":""}'))}
    line = b'{"path": "a.b", "content": "x", "metadata": {"note": "%s"}}' % (b"x" * MAX_METADATA_BYTES)

    assert Memory.of("x", metadata=most).metadata == most
    with pytest.raises(InvalidInput, match="metadata may take 1 MiB at most"):
        Memory.of("x", metadata={**most, "n": 1})
    with pytest.raises(InvalidInput, match="nothing was imported"):
        repository.import_lines([line])
    assert repository.get("a.b") is None


def test_a_confirmation_joins_no_metadata_beyond_the_bound(repository: Repository) -> None:
    half = "x" * (MAX_METADATA_BYTES // 2)
    for number in (1, 2):
        repository.remember(Memory.of("the same", metadata={f"note{number}": half}), "episodic.day")

    assert len(repository.get("episodic.day") or ()) == 2


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
