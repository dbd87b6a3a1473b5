"""The table of fields: documents are found by what their metadata has, whatever else they hold."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import MemoryStore, memory, memory_store

from memoir.index.filters import Filter, fields_of
from memoir.index.index import Index
from memoir.store.snapshot import Snapshot

LEAVES = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "a", "0", "true", "ä=b"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("kn"), inner), max_leaves=4
)
METADATA = st.dictionaries(st.sampled_from(["k", "n", "k.n"]), VALUES, max_size=2)


def matches(index: Index, snapshot: Snapshot, *fields: tuple[str, str]) -> set[str]:
    def look(view: Any) -> set[str]:
        return {each.address.path for each in view.documents(view.select(Filter(metadata=fields)).ids())}

    return index.read(snapshot, look)


@pytest.mark.parametrize(
    ("metadata", "fields"),
    [
        ({"source": "review"}, {("source", "review")}),
        ({"tags": ["a", "b"]}, {("tags", "a"), ("tags", "b")}),
        ({"filing": {"by": "rules", "confidence": 0.5}}, {("filing.by", "rules"), ("filing.confidence", "0.5")}),
        ({"year": 2026, "done": True, "end": None}, {("year", "2026"), ("done", "true"), ("end", "null")}),
        ({"tags": []}, set()),
    ],
)
def test_fields_are_as_people_write_them(metadata: Mapping[str, Any], fields: set[tuple[str, str]]) -> None:
    assert set(fields_of(metadata)) == fields


@given(st.lists(st.lists(st.tuples(METADATA, st.booleans()), min_size=1, max_size=2), max_size=3), st.data())
def test_a_filter_finds_the_active_memories_with_all_its_fields(
    records: list[list[tuple[dict[str, Any], bool]]], data: st.DataObject
) -> None:
    pairs = sorted({field for record in records for metadata, _ in record for field in fields_of(metadata)})
    fields = data.draw(st.lists(st.sampled_from([*pairs, ("k", "never")]), min_size=1, max_size=2))
    with memory_store() as store:
        contents = {
            f"p{number}": [memory("words", active=active, **metadata) for metadata, active in record]
            for number, record in enumerate(records)
        }
        paths = matches(store.index(), store.snapshot(contents), *fields)
    assert paths == {
        f"p{number}"
        for number, record in enumerate(records)
        if any(active and set(fields) <= set(fields_of(metadata)) for metadata, active in record)
    }


def test_changed_and_removed_memories_lose_their_fields(memories: MemoryStore) -> None:
    index = memories.index()
    before = memories.snapshot({"a": [memory("x", team="red")], "b": [memory("y", team="red")]})
    after = memories.snapshot({"a": [memory("x", team="blue")]})

    assert matches(index, before, ("team", "red")) == {"a", "b"}
    assert matches(index, after, ("team", "red")) == set()
    assert matches(index, after, ("team", "blue")) == {"a"}
    assert index.read(after, lambda view: view.database.execute("SELECT count(*) FROM field").get) == 1
