"""Exports, which memories and of which commit; and the line of a memory: what is written reads back."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import InvalidInput
from memoir.memory.export import format_line, parse_line
from memoir.records.record import Memory, decode, encode
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import Address


def test_exports_can_be_narrowed_and_taken_from_the_past(repository: Repository) -> None:
    repository.remember(Memory.of("1"), "a.x")
    first = repository.remember(Memory.of("2"), "b").commit
    repository.remember(Memory.of("3"), "a.y")

    def paths(**options: Any) -> list[str]:
        return [json.loads(line)["path"] for line in repository.export_lines(**options)]

    assert first
    assert paths() == ["a.x", "a.y", "b"]
    assert paths(globs=["a.*"]) == ["a.x", "a.y"]
    assert paths(at=str(first.id)) == ["a.x", "b"]


def test_a_file_is_counted_in_memories_and_paths(repository: Repository, tmp_path: Path) -> None:
    for text in ("1", "2"):
        repository.remember(Memory.of(text), "a.x", policy="append")
    repository.remember(Memory.of("3"), "b")

    assert repository.export_file(str(tmp_path / "all.jsonl"))[:2] == (3, 2)
    assert repository.export_file(str(tmp_path / "a.jsonl"), ["a.*"])[:2] == (2, 1)
    assert (tmp_path / "all.jsonl").read_bytes() == b"".join(repository.export_lines())


def test_a_file_is_as_the_umask_has_it_which_is_never_changed(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other threads may make files at the same moment."""
    repository.remember(Memory.of("1"), "a")
    mask = os.umask(0o027)
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("it was changed"))
    try:
        repository.export_file(str(tmp_path / "all.jsonl"))
    finally:
        monkeypatch.undo()
        os.umask(mask)

    assert (tmp_path / "all.jsonl").stat().st_mode & 0o777 == 0o640


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.text('a"\\\n\u2028\x00é日', max_size=6)
METADATA = st.dictionaries(
    TEXTS.filter(bool),
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | TEXTS,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=3,
)
PLACES = st.builds(Address, st.sampled_from(["default", "user:ann", "é"]), st.sampled_from(["a", "a.b", "日本.記憶"]))


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Any memory that a store can hold."""
    fields: dict[str, Any] = {
        "confidence": draw(st.floats(0, 1)),
        "timestamp": draw(st.datetimes(timezones=st.timezones())).isoformat(),
        "status": draw(st.sampled_from(["active", "superseded"])),
        "metadata": draw(METADATA),
    }
    try:
        return Memory.of(draw(TEXTS.filter(str.strip)), **fields)
    except InvalidInput:
        return Memory.of("plain")


@given(PLACES, memories())
def test_a_line_reads_back_as_the_memory_that_it_was_written_of(place: Address, memory: Memory) -> None:
    line = format_line(place, memory)

    again = parse_line(line, "elsewhere", "1999-01-01T00:00:00Z")

    assert line.count(b"\n") == 1 and line.endswith(b"\n")
    assert again == (place, memory)
    assert format_line(*again) == line
    assert encode((again[1],)) == encode((memory,)) and decode(encode((memory,))) == (again[1],)


JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=4,
)
FIELDS = ["path", "namespace", "content", "timestamp", "confidence", "status", "metadata", "other"]


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_object_is_a_memory_or_refused(fields: dict[str, Any]) -> None:
    line = json.dumps(fields).encode()
    try:
        place, memory = parse_line(line, "default", "2026-01-01T00:00:00Z")
    except InvalidInput:
        return
    assert parse_line(format_line(place, memory), "default", "2026-01-01T00:00:00Z") == (place, memory)


@pytest.mark.parametrize("line", [b"", b"[]", b"{", b"1", b'"a"', b"\xff"])
def test_what_is_not_an_object_is_refused(line: bytes) -> None:
    with pytest.raises(InvalidInput):
        parse_line(line, "default", "2026-01-01T00:00:00Z")
