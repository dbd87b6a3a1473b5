"""Vectors: composed of a memory's own and its neighbours', never of two embedders, and never computed twice."""

import math
from array import array
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha512
from random import Random
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index.indexing import (
    Contents,
    How,
    MemoryStore,
    Stub,
    ask,
    find,
    hash_embedder,
    holdings,
    memory,
    memory_store,
    name,
    ranking,
    traces,
)

from memoir.embedders.embedder import Embedder, Vector
from memoir.embedders.hashing import HashEmbedder
from memoir.embedders.static import StaticEmbedder
from memoir.index import vectors
from memoir.index.index import Index
from memoir.index.request import LIMITS
from memoir.index.vectors import FirstPass, unit
from memoir.index.view import View
from memoir.recall.ranking import rank
from memoir.store.store import Store

ANIMALS = {f"zoo.a{number}": [memory(name)] for number, name in enumerate(["lion", "zebra", "bear", "fox", "owl"])}
VECTORS_ONLY: How = {"pool": 1000, "weights": {"bm25": 0.0}}


def test_a_query_is_nearest_to_a_similar_document(memories: MemoryStore) -> None:
    best, *_ = ranking(memories.index(Stub()), memories.snapshot(ANIMALS), "zebras", VECTORS_ONLY).candidates

    assert best.document.content == "zebra"
    assert best.numbers()["vector_rank"] == 1


def test_a_vector_is_the_weighted_sum_of_its_own_and_its_neighbours(memories: MemoryStore) -> None:
    names, stub = ["lion", "zebra", "bear", "fox", "owl"], Stub()

    rows = holdings(memories.index(stub), memories.snapshot(ANIMALS))["embedding"]

    units = [vectors.unit(vector) for vector in stub.embed(names)]
    shares = {0: 1.0, **vectors.NEIGHBOUR_SHARE}
    expected = array("f", [sum(share * units[2 + place][n] for place, share in shares.items()) for n in range(26)])
    result = array("f", array("b", rows[2][3])[:26])
    assert list(vectors.unit(result)) == pytest.approx(list(vectors.unit(expected)), abs=0.004)
    assert shares[-1] > shares[1] and shares[-2] > shares[2]


def test_equal_contents_are_embedded_once(memories: MemoryStore) -> None:
    stub = Stub()
    index = memories.index(stub)
    main = {"a.x": [memory("lion")], "b.x": [memory("lion")], "c": [memory("zebra")]}
    branch = {"a.x": [memory("lion")], "d": [memory("bear")]}

    for contents in (main, branch, main, branch, {}, main):
        holdings(index, memories.snapshot(contents))

    assert sorted(stub.texts) == ["bear", "lion", "zebra"]


def test_vectors_are_kept_between_processes(memories: MemoryStore) -> None:
    first, second = Stub(), Stub()
    before = memories.index(first)
    rows = holdings(before, memories.snapshot(ANIMALS))
    before.close()

    assert holdings(memories.index(second), memories.snapshot(ANIMALS)) == rows
    assert second.texts == []


def test_vectors_of_two_embedders_are_never_compared(memories: MemoryStore) -> None:
    """Each answer equals that of an index that has only had this embedder."""
    snapshot = memories.snapshot(ANIMALS)
    embedders: list[Embedder] = [HashEmbedder(), StaticEmbedder(), Stub(), Stub("other", 12)]
    for embedder in [*embedders, *reversed(embedders)]:
        index = memories.index(embedder)
        with memory_store() as fresh:
            pure = fresh.index(embedder)
            other = fresh.snapshot(ANIMALS)
            assert traces(index, snapshot, "zebra crossing") == traces(pure, other, "zebra crossing")
            assert holdings(index, snapshot) == holdings(pure, other)
            pure.close()
        index.close()


def test_switching_back_to_a_learned_embedder_computes_nothing(memories: MemoryStore) -> None:
    stub = Stub()
    for embedder in (stub, hash_embedder(), stub, Stub("other"), stub):
        index = memories.index(embedder)
        holdings(index, memories.snapshot(ANIMALS))
        index.close()

    assert len(stub.texts) == len(ANIMALS)


class _InterruptedEmbedder(Stub):
    """Stopped from the keyboard at the second batch."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if len(self.texts) >= LIMITS.smallest_batch:
            raise KeyboardInterrupt
        return super().embed(texts)


def test_an_interrupted_embedding_keeps_its_vectors(memories: MemoryStore) -> None:
    contents = {f"n{number:03}": [memory(f"memory {number}")] for number in range(150)}
    snapshot, first, second = memories.snapshot(contents), _InterruptedEmbedder(), Stub()
    with pytest.raises(KeyboardInterrupt):
        holdings(memories.index(first), snapshot)
    index = memories.index(second)

    assert len(holdings(index, snapshot)["embedding"]) == 150
    assert len(first.texts) == LIMITS.smallest_batch
    assert sorted(first.texts + second.texts) == sorted(f"memory {number}" for number in range(150))


def test_progress_counts_what_is_embedded(memories: MemoryStore) -> None:
    contents = {f"n{number:03}": [memory(f"memory {number}")] for number in range(150)}
    counts: list[tuple[int, int]] = []
    index = Index(cast(Store, memories), Stub(), lambda done, total: counts.append((done, total)))
    holdings(index, memories.snapshot(contents))

    assert counts[0] == (LIMITS.smallest_batch, 150) and counts[-1] == (150, 150)
    assert counts == sorted(set(counts)) and {total for _, total in counts} == {150}


def test_a_failing_embedder_leaves_words_and_a_reason(memories: MemoryStore) -> None:
    stub = Stub()
    stub.fails_after = 0
    index = memories.index(stub)

    candidates = ranking(index, memories.snapshot(ANIMALS), "zebra").candidates

    assert candidates[0].document.content == "zebra"
    assert all(candidate.numbers()["cosine"] is None for candidate in candidates)
    assert index.degraded == ["stub is down; ranked by words alone"]


def test_an_embedder_that_fails_at_the_query_leaves_words(memories: MemoryStore) -> None:
    """The memories have their vectors from before; now the embedder's server has stopped."""
    stub = Stub()
    index = memories.index(stub)
    holdings(index, memories.snapshot(ANIMALS))
    stub.fails_after = 0

    candidates = ranking(index, memories.snapshot(ANIMALS), "zebra").candidates

    assert candidates[0].document.content == "zebra"
    assert index.degraded == ["stub is down; ranked by words alone"]


def test_without_an_embedder_only_words_are_searched(memories: MemoryStore) -> None:
    index = memories.index(None)

    assert find(index, memories.snapshot(ANIMALS), "zebra")[:2] == ["default:zoo.a1", "default:zoo.a2"]
    assert find(index, memories.snapshot(ANIMALS), "zebra", VECTORS_ONLY) == []
    assert index.degraded == []


LETTERS = st.lists(st.text("abcdefgh ", min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=30)


@given(LETTERS, st.text("abcdefgh", min_size=1, max_size=8))
def test_a_first_pass_over_signs_finds_the_same(contents: list[str], query: str) -> None:
    """With a pool that its survivors can fill, nothing is lost by looking at the signs first."""
    settings = {"pool": 2, "weights": {"bm25": 0.0}}
    records: Contents = {f"n{number}": [memory(text)] for number, text in enumerate(contents)}
    with memory_store() as store:
        snapshot = store.snapshot(records)
        with closing(store.index(HashEmbedder())) as index:
            exact = traces(index, snapshot, query, settings)
        store.limits = LIMITS._replace(first_pass=FirstPass(start=0))

        with closing(store.index(HashEmbedder())) as index:
            assert traces(index, snapshot, query, settings) == exact


class _ScatteredEmbedder(Stub):
    """Gives every text a direction of its own: dense vectors, as a model's are."""

    def _vector(self, text: str) -> Vector:
        return array("f", [byte - 127.5 for byte in sha512(text.encode()).digest()])


def test_the_first_pass_leaves_most_out_and_finds_the_nearest(memories: MemoryStore) -> None:
    contents = {f"n{number:03}": [memory(f"entry {number}")] for number in range(300)}
    index, snapshot = memories.index(_ScatteredEmbedder()), memories.snapshot(contents)
    exact = find(index, snapshot, "entry 123", VECTORS_ONLY)
    memories.limits = LIMITS._replace(first_pass=FirstPass(start=100, keeps=4))

    keys = find(memories.index(_ScatteredEmbedder()), snapshot, "entry 123", VECTORS_ONLY, pool=2)

    assert keys[0] == exact[0] == "default:n123"
    assert len(keys) == 2 < len(exact)


@pytest.mark.slow
def test_the_first_pass_loses_little_with_hash(memories: MemoryStore) -> None:
    """Its survivors are a fifth of the store, as with the shipped numbers in one of 4,000 memories."""
    chance = Random(7)
    vocabulary = ["".join(chance.choices("bcdfglmnprst", k=2)) + chance.choice(WORD_ENDS) for _ in range(900)]
    texts = [" ".join(chance.choices(vocabulary, k=chance.randint(6, 25))) for _ in range(1000)]
    index = memories.index(HashEmbedder())
    snapshot = memories.snapshot({name(number): [memory(text)] for number, text in enumerate(texts)})
    queries = [" ".join(chance.sample(chance.choice(texts).split(), 3)) for _ in range(20)]
    settings = {"pool": 50, "weights": {"bm25": 0.0}}
    exact = [find(index, snapshot, query, settings)[:10] for query in queries]
    memories.limits = LIMITS._replace(first_pass=FirstPass(start=0, keeps=4))

    index = memories.index(HashEmbedder())
    quick = [find(index, snapshot, query, settings) for query in queries]

    hits = sum(len(set(best) & set(other)) for best, other in zip(exact, quick, strict=True))
    assert hits >= 0.85 * sum(map(len, exact))


WORD_ENDS = ["atory", "ender", "iling", "ome", "ust", "ying"]


def test_a_filter_applies_before_the_first_pass(memories: MemoryStore) -> None:
    """Otherwise the better matches elsewhere would leave no room for those that may be found."""
    contents = {f"n{number:03}": [memory("zebra zebra")] for number in range(100)} | {"user:n": [memory("a zebra hat")]}
    settings = {"pool": 1, "weights": {"bm25": 0.0}}
    memories.limits = LIMITS._replace(first_pass=FirstPass(start=0, keeps=1))

    where = find(memories.index(HashEmbedder()), memories.snapshot(contents), "zebra", settings, namespaces=("user",))

    assert where == ["user:n"]


def test_a_query_vector_of_zeros_is_near_to_nothing(memories: MemoryStore) -> None:
    index = memories.index(HashEmbedder())

    assert find(index, memories.snapshot(ANIMALS), "the of and", VECTORS_ONLY) == []


def test_vectors_of_another_size_are_computed_again(memories: MemoryStore) -> None:
    """The same name, another model: as when a server's model is replaced by another of that name."""
    holdings(memories.index(Stub("m", 12)), memories.snapshot(ANIMALS))
    index = memories.index(Stub("m", 26))
    more = memories.snapshot(ANIMALS | {"zoo.a5": [memory("wolf")]})

    assert find(index, more, "zebra")[0] == "default:zoo.a1"


def test_a_leg_with_weight_zero_embeds_nothing(memories: MemoryStore) -> None:
    stub = Stub()
    index, snapshot = memories.index(stub), memories.snapshot(ANIMALS)
    holdings(index, snapshot)
    before = len(stub.texts)

    settings = {"weights": {"vector": 0.0}}
    candidates = index.read(snapshot, lambda view: rank(view, ask("zebra", settings))).candidates

    assert len(stub.texts) == before
    assert [candidate.numbers()["vector_rank"] for candidate in candidates] == [None] * 4


@given(st.lists(st.floats(-1e3, 1e3, width=32), min_size=1, max_size=9))
def test_a_vector_is_normalised_and_padded(numbers: list[float]) -> None:
    vector = vectors.unit(array("f", numbers))
    length = math.sqrt(sum(x * x for x in numbers))

    assert math.sqrt(sum(x * x for x in vector)) == pytest.approx(1.0 if length else 0.0, abs=1e-3)
    assert len(vectors.pack(vector)) % 32 == 0


@given(st.text())
def test_any_text_has_the_same_finite_hash_vector_every_time(text: str) -> None:
    (vector,) = HashEmbedder().embed([text])

    assert len(vector) == 256 and all(map(math.isfinite, vector))
    assert HashEmbedder().embed_query(text, lambda word: 1.0) == vector


@pytest.mark.parametrize(("one", "other"), [("running", "runner"), ("colour", "colours"), ("zebra", "zebrafish")])
def test_hashing_finds_parts_of_words(one: str, other: str) -> None:
    def cosine(first: str, second: str) -> float:
        a, b = (vectors.unit(vector) for vector in HashEmbedder().embed([first, second]))
        return sum(x * y for x, y in zip(a, b, strict=True))

    assert cosine(one, other) > 0.25 > cosine(one, "basketful of figs")


TEXTS = ("Bread is baked on Sundays.", "Crashes land in Rollbar.")
TOLD = f"{TEXTS[1]} (error tracking)"
OWN: Contents = {"memoir:lexicon:bread": [memory("bread = the bakery")]}


def contents(*more: Contents) -> Contents:
    texts: Contents = {f"{letter}.x": [memory(text)] for letter, text in zip("ab", TEXTS, strict=True)}
    return {key: record for each in (texts, *more) for key, record in each.items()}


def keep(memories: MemoryStore, index: Index, texts: Sequence[str] = TEXTS) -> None:
    """What filing does: it reads the index, and leaves the vectors of texts that are not in it yet."""
    index.read(memories.snapshot({"z": [memory("Nets are mended.")]}), View.total)
    index.keep_vectors(dict(zip(texts, map(unit, Stub().embed(texts)), strict=True)))


def rows(memories: MemoryStore, index: Index, *more: Contents) -> list[tuple[object, ...]]:
    """All vectors that a complete index has."""
    index.begin(wait=True)
    read = "SELECT embedder, content, value FROM vector ORDER BY embedder, content"
    return index.read(memories.snapshot(contents(*more)), lambda view: view.database.execute(read).fetchall())


@pytest.mark.parametrize("more", [(), (OWN,)], ids=["plain", "with words of the store's own"])
def test_a_kept_vector_is_not_computed_again_and_the_index_is_the_same(
    memories: MemoryStore, more: tuple[Contents, ...]
) -> None:
    stub = Stub()
    index = memories.index(stub)
    keep(memories, index)
    kept = rows(memories, index, *more)

    with memory_store() as others:
        other = others.index(Stub())
        keep(others, other, texts=())
        assert rows(others, other, *more) == kept
    told = [f"{TEXTS[0]} (the bakery)", TOLD] if more else [TOLD]
    assert sorted(stub.texts) == sorted(["Nets are mended.", *told])


def test_a_vector_that_is_kept_with_classes_is_that_of_the_index(memories: MemoryStore) -> None:
    stub = Stub()
    index = memories.index(stub)
    keep(memories, index)
    index.keep_vectors(
        *({text: unit(Stub().embed([its])[0])} for text, its in ((TEXTS[1], TEXTS[1]), (TEXTS[1], TOLD)))
    )
    kept = rows(memories, index)

    with memory_store() as others:
        other = others.index(Stub())
        keep(others, other, texts=())
        assert rows(others, other) == kept
    assert stub.texts == ["Nets are mended."]


def test_nothing_is_kept_of_a_text_that_is_indexed(memories: MemoryStore) -> None:
    index = memories.index(Stub())
    before = rows(memories, index)
    index.keep_vectors(dict(zip(TEXTS, map(unit, Stub().embed(TEXTS)), strict=True)))
    assert rows(memories, index) == before


def test_without_an_embedder_nothing_is_kept(memories: MemoryStore) -> None:
    index = memories.index()
    keep(memories, index)
    assert rows(memories, index) == []


class _LowStub(Stub):
    """Stands for a model that is known to give texts with nothing in common low cosines."""

    is_minilm = True


def test_memories_that_are_like_each_other_do_not_make_cosines_of_minilm_smaller(memories: MemoryStore) -> None:
    """In a store with a line for each measurement every other memory had a cosine of -1, and nothing fitted well."""
    contents = {f"log.n{number:02}": [memory(f"worker {number} measured an endpoint")] for number in range(20)}
    snapshot = memories.snapshot({**contents, "zoo.fox": [memory("a fox")]})

    known, unknown = (
        {
            each.document.content: each.numbers()["cosine"] or 0.0
            for each in ranking(index, snapshot, "foxes").candidates
        }
        for index in (memories.index(_LowStub("low", 384)), memories.index(Stub("any", 384)))
    )

    assert known["a fox"] > 0.5 > unknown["a fox"]
