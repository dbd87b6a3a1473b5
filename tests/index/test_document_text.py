"""The contents of passages are kept compressed, and read as they were."""

from contextlib import closing

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import MemoryStore, hash_embedder, holdings, memory

from memoir import Repository
from memoir.index import documents
from memoir.index.documents import compress, part_of, place_of
from memoir.index.index import Index
from memoir.layers.item_options import NONE, ItemOptions
from memoir.memory.passages import cut_blocks
from memoir.taxonomy.paths import Address


@given(st.lists(st.text(), max_size=5))
def test_texts_are_read_as_they_were(parts: list[str]) -> None:
    assert [part_of(compress(parts), number) for number in range(len(parts))] == parts


def test_the_text_of_a_memory_is_kept_as_it_is(memories: MemoryStore, repository: Repository) -> None:
    with closing(memories.index(hash_embedder())) as index:
        rows = holdings(index, memories.snapshot({"a": [memory("The heron is back.")]}))["documents"]
    assert rows[0][5] == "The heron is back."

    repository.sources.ingest_text(
        "Ada: The heron is back.\nBen: No.\nAda: Yes.\n", name="talk", items=ItemOptions(NONE)
    )
    with closing(Index(repository.store, hash_embedder(), wait=True)) as index:
        (segment,) = holdings(index, repository.store.head())["segments"]
    assert [part_of(segment, number) for number in range(3)] == ["The heron is back.", "No.", "Yes."]


def test_english_takes_two_thirds_at_most() -> None:
    pieces = cut_blocks(" ".join((__doc__ or "", documents.__doc__ or "")) * 2)

    assert len(compress(pieces)) < 0.67 * sum(map(len, pieces))


@pytest.mark.parametrize(("value", "number"), [(b"\xff\xff", 0), (compress(["one"]), 1), (None, 0), ("one", 0)])
def test_what_holds_no_such_text_is_damage(value: object, number: int) -> None:
    with pytest.raises(apsw.CorruptError):
        part_of(value, number)


@given(st.lists(st.integers(min_value=0, max_value=10**25), min_size=2, max_size=2), st.integers(0, 10**6))
def test_places_sort_as_numbers(numbers: list[int], ordinal: int) -> None:
    one, other = (place_of(Address("default", f"talk.turn_{number}"), ordinal) for number in numbers)

    assert (one < other) == (numbers[0] < numbers[1])


@given(st.lists(st.integers(min_value=0, max_value=10**6), min_size=2, max_size=2))
def test_places_of_one_path_sort_by_the_position(numbers: list[int]) -> None:
    place = Address("default", "talk.turn_1")
    one, other = (place_of(place, number) for number in numbers)

    assert (one < other) == (numbers[0] < numbers[1])
    assert place_of(place, "") < one < place_of(place, "~")
