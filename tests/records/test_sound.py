"""What is wrong with a stored record: nothing, if it is what memoir would write again."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from records.test_record import JSON, MEMORIES, facet

from memoir.errors import DamagedStore, InvalidInput
from memoir.records import sound
from memoir.records.record import Memory, decode, encode
from memoir.records.sound import problem

_USUAL = st.builds(
    Memory.of,
    st.text(min_size=1).filter(str.strip),
    confidence=st.sampled_from([0.0, 0.001, 0.25, 0.9, 1.0]),
    timestamp=st.sampled_from(["2026-01-02T03:04:05Z", "2024-02-28T23:59:59Z", "1999-12-31T00:00:00Z"]),
    status=st.sampled_from(["active", "superseded"]),
    metadata=st.dictionaries(st.text(max_size=5), JSON, max_size=3),
)
"""Memories of which a record is nearly always told at once."""


@given(st.lists(MEMORIES, min_size=1, max_size=4).map(tuple))
def test_what_memoir_writes_is_sound(record: tuple[Memory, ...]) -> None:
    assert problem(encode(record)) is None


def test_a_record_in_another_form_is_a_problem() -> None:
    assert problem(encode([facet("x")]).replace(b",", b", ")) == "the record is not in canonical form"
    assert problem(b'{"memories":[]}') is not None


_EDITS = st.tuples(
    st.floats(0, 1),
    st.integers(0, 6),
    st.sampled_from(
        [
            b"", b" ", b'"', b"\\u0041", b"\\n", b"0", b"-", b"e1", b".0", b"null", b"true", b"\xff", b"\xc3\xa4", b"[",
            b"]", b"{}", b',"metadata":{}', b',"status":"active"', b'"b":1,"a":2,', b"2026-02-30T00:00:00Z", b"0000",
            b"active", b",", b"z",
        ]
    ),
)  # fmt: skip


@given(
    st.lists(_USUAL | MEMORIES, min_size=1, max_size=3).map(tuple),
    st.lists(st.sampled_from(["2026-02-28T23:59:59Z", "2026-02-30T00:00:00Z", "0000-01-01T00:00:00Z"]), max_size=1),
    st.lists(_EDITS, max_size=3),
)
def test_a_record_is_sound_if_it_reads_back_as_the_same_bytes(
    record: tuple[Memory, ...], times: list[str], edits: list[tuple[float, int, bytes]]
) -> None:
    data = b'{"memories":[%s]}' % b",".join(encode([each])[13:-2] for each in record)
    for time in times:
        data = data.replace(record[0].timestamp.encode(), time.encode())
    for place, length, text in edits:
        start = int(place * len(data))
        data = data[:start] + text + data[start + length :]
    try:
        again = encode(Memory.of(**each.as_dict()) for each in decode(data))
    except (DamagedStore, InvalidInput):
        again = b""

    assert (problem(data) is None) == (again == data)


@pytest.mark.parametrize(
    "content", ["plain", 'He said "so".\n\tAnd \\ went.', "Пример", "日本語", "café au lait", "a {[}]", "a\x01"]
)
@pytest.mark.parametrize(
    "metadata", [{}, {"person": "Ada {", "tags": ["a", "b"]}, {"a": {"b": [{"c": 1.5}]}, "d": None}]
)
def test_a_usual_record_is_told_without_taking_it_apart(
    content: str, metadata: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = encode([facet(content, metadata=metadata, confidence=0.85), facet("another", status="superseded")])
    monkeypatch.setattr(sound, "decode", lambda data: pytest.fail("it was taken apart"))

    assert problem(record) is None


def test_a_record_of_blank_characters_is_a_problem() -> None:
    """Whatever the quick look takes for a letter, no content of blank characters alone passes it."""
    sound_one = encode([facet("x")])
    blanks = [char for char in map(chr, range(0x110000)) if char.isspace()]

    assert len(blanks) > 20
    for char in (*blanks, "".join(blanks)):
        assert problem(sound_one.replace(b'"x"', orjson.dumps(char)))


def test_metadata_that_ends_in_the_middle_of_its_text_is_read_to_its_end() -> None:
    record = encode([facet("x", metadata={"a": 'b"},"status":"active"}]}', "c": "}"})])

    assert problem(record) is None
    assert problem(record.replace(b'"c"', b'"A"')) == "the record is not in canonical form"
