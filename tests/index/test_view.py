"""What other packages read of an index."""

import pytest
from index.indexing import MemoryStore, Stub, hash_embedder, memory

from memoir.embedders.embedder import Idf, Vector
from memoir.english.dates import Span
from memoir.index.filters import Filter
from memoir.index.sequence import LearntAt
from memoir.index.stand_ins import QueryVector
from memoir.taxonomy.paths import Address

CONTENTS = {
    "a.one": [memory("the first", "2026-01-01T00:00:00Z"), memory("the second", "2026-01-03T00:00:00Z")],
    "a.two": [memory("plays the cello", "2026-01-02T00:00:00Z", person="Melanie")],
    "user:b": [memory("cooks", "2026-01-04T00:00:00Z", person=["Ada Lovelace", "Melchior"])],
}
FIRST = 1_767_225_600.0
DAY = 86_400.0


def test_the_inventory_is_sorted_and_may_be_limited(memories: MemoryStore) -> None:
    def read(limit: int | None) -> list[tuple[Address, int, str]]:
        where = Filter(namespaces=("default",))
        return memories.index().read(memories.snapshot(CONTENTS), lambda view: view.select(where).inventory(limit))

    one, two = read(None)
    assert one == (Address("default", "a.one"), 2, "the first")
    assert two == (Address("default", "a.two"), 1, "plays the cello")
    assert read(1) == [one]


@pytest.mark.parametrize(
    ("part", "namespaces", "prefix", "names"),
    [
        (None, (), False, {"Melanie", "Ada Lovelace", "Melchior"}),
        (None, ("user",), False, {"Ada Lovelace", "Melchior"}),
        ("mel", (), False, set()),
        ("mel", (), True, {"Melanie", "Melchior"}),
        ("mel", ("user",), True, {"Melchior"}),
        ("lovelace", (), False, {"Ada Lovelace"}),
    ],
)
def test_names_are_found_by_one_of_their_words(
    memories: MemoryStore, part: str | None, namespaces: tuple[str, ...], prefix: bool, names: set[str]
) -> None:
    index, snapshot = memories.index(), memories.snapshot(CONTENTS)

    assert set(index.read(snapshot, lambda view: view.names(part, namespaces, prefix=prefix))) == names


def test_moments_are_read_in_both_directions(memories: MemoryStore) -> None:
    index, snapshot = memories.index(), memories.snapshot(CONTENTS)
    middle = LearntAt(FIRST + DAY, "default", "a.two", 0)

    before, after, count = index.read(
        snapshot,
        lambda view: (view.moments().newest(9, middle), view.moments().oldest(1, middle), view.moments().count()),
    )

    assert before == [middle, (FIRST, "default", "a.one", 0)]
    assert after == [(FIRST + 2 * DAY, "default", "a.one", 1)]
    assert count == 4
    assert index.read(snapshot, lambda view: view.moments(("user",), FIRST + 3 * DAY, FIRST + 3 * DAY).count()) == 1


def test_documents_are_selected_by_their_time(memories: MemoryStore) -> None:
    index, snapshot = memories.index(), memories.snapshot(CONTENTS)
    span = Span(FIRST + 3 * DAY, FIRST + 4 * DAY)

    def read(where: Filter) -> list[str]:
        return index.read(
            snapshot, lambda view: [d.content for d in view.documents(view.select(where).by_times([span], 9))]
        )

    assert read(Filter()) == ["cooks"]
    assert read(Filter(("default",))) == []


def test_no_ids_give_no_scores(memories: MemoryStore) -> None:
    index, snapshot = memories.index(hash_embedder()), memories.snapshot(CONTENTS)

    def read(ids: list[int]) -> tuple[int, int]:
        return index.read(
            snapshot,
            lambda view: (
                len(view.word_scores(view.words("cello").terms, ids)),
                len(view.cosines(QueryVector(hash_embedder().embed(["cello"])[0], hash_embedder().scale), ids)),
            ),
        )

    assert read([]) == (0, 0)
    assert read([1]) != (0, 0)


def test_an_embedder_of_a_query_can_ask_how_rare_a_word_is(memories: MemoryStore) -> None:
    class AskingEmbedder(Stub):
        def embed_query(self, query: str, idf: Idf) -> Vector:
            rarities.extend(map(idf, ("plays", "playing", "the", "zebra")))
            return super().embed_query(query, idf)

    rarities: list[float] = []
    index, snapshot = memories.index(AskingEmbedder()), memories.snapshot(CONTENTS)
    terms = index.read(snapshot, lambda view: (view.vector("plays"), view.words("plays").terms)[1])

    plays, same, the, zebra = rarities
    assert plays == same == terms[0].idf
    assert the < plays < zebra
