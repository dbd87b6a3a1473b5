"""Candidates: nearly the pairs that comparing all with all would find."""

import re
from array import array
from collections.abc import Sequence
from operator import mul
from random import Random

import pytest
from index.indexing import hash_embedder, memory

from memoir.embedders.embedder import Vector
from memoir.filing.likeness import Pair, similar_pairs
from memoir.index.vectors import unit
from memoir.memory.active import Facet
from memoir.taxonomy.paths import Address

WORDS = re.findall(
    r"\w+",
    """
    cache server staging deploy release branch timeout retry worker queue index vector memory namespace path commit
    review tests pytest coverage linter schema migration database replica backup cluster region latency budget alert
    owner rotation incident report weekly friday morning python typescript container image registry token secret
    """,
)


def facets(texts: Sequence[str], namespace: str = "default") -> list[Facet]:
    return [Facet(Address(namespace, f"m{number}"), 0, memory(text)) for number, text in enumerate(texts)]


def embed(one: Facet) -> Vector:
    return unit(hash_embedder().embed([one.memory.content])[0])


def sentences(count: int) -> list[str]:
    """Sentences, of which every third is a variation of an earlier one."""
    random = Random(3)
    texts: list[str] = []
    for number in range(count):
        words = random.choice(texts).split() if number % 3 == 2 else random.sample(WORDS, 14)
        words[random.randrange(len(words))] = random.choice(WORDS)
        texts.append(" ".join(words))
    return texts


def exactly(memories: Sequence[Facet], vectors: Sequence[Vector], threshold: float) -> set[int]:
    """The memories that are similar to a newer one, found by comparing all pairs."""
    return {
        older
        for older in range(len(memories))
        if any(sum(map(mul, vectors[older], vectors[newer])) >= threshold for newer in range(older))
    }


def older(pairs: Sequence[Pair]) -> set[int]:
    return {int(pair.older.address.path[1:]) for pair in pairs}


@pytest.mark.parametrize("count", [150, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("threshold", [0.85, 0.95])
def test_nearly_all_similar_pairs_are_found(count: int, threshold: float) -> None:
    memories = facets(sentences(count))
    exact = exactly(memories, [embed(one) for one in memories], threshold)

    pairs = older(similar_pairs(memories, embed, threshold))

    assert pairs <= exact and len(pairs) >= 0.95 * len(exact) > 5


@pytest.mark.slow
def test_learned_vectors_are_compared_by_their_signs() -> None:
    random = Random(4)
    vectors: list[Vector] = []
    for number in range(400):
        values = [random.gauss(0, 1) for _ in range(384)]
        if number % 3 == 2:
            noise = random.choice((0.1, 0.25, 0.3))
            values = [x * 384**0.5 + noise * y for x, y in zip(random.choice(vectors), values, strict=True)]
        vectors.append(unit(array("f", values)))
    memories = facets([f"text {number}" for number in range(400)])
    exact = exactly(memories, vectors, 0.95)

    pairs = older(similar_pairs(memories, lambda one: vectors[int(one.address.path[1:])], 0.95, learned=True))

    assert pairs <= exact and len(pairs) >= 0.95 * len(exact) > 100


@pytest.mark.parametrize("count", [2, 20, 300])
def test_two_alike_are_found_among_however_few(count: int) -> None:
    random = Random(5)
    values = [[random.gauss(0, 1) for _ in range(384)] for _ in range(count)]
    values[1] = [x + 0.25 * random.gauss(0, 1) for x in values[0]]
    vectors = [unit(array("f", each)) for each in values]
    memories = facets([f"text {number}" for number in range(count)])

    pairs = similar_pairs(memories, lambda one: vectors[int(one.address.path[1:])], 0.95, learned=True)

    assert older(pairs) == {1}


def test_opposites_are_candidates_but_only_in_one_namespace() -> None:
    texts = ["Increase the timeout of the integration tests when the staging server is flaky",
             "Decrease the timeout of the integration tests when the staging server is flaky"]  # fmt: skip

    (pair,) = similar_pairs(facets(texts), embed, 0.8)
    assert (pair.older.memory.content, pair.newer.memory.content) == (texts[1], texts[0])
    assert pair.cosine == pytest.approx(sum(map(mul, *(embed(one) for one in facets(texts)))), abs=1e-6)
    assert similar_pairs([*facets(texts[:1], "a"), *facets(texts[1:], "b")], embed, 0.8) == []


@pytest.mark.slow
def test_many_equal_texts_are_found_quickly() -> None:
    memories = facets(["The nightly backup of the cluster succeeded again"] * 1500)

    assert len(similar_pairs(memories, embed, 0.95)) == 1499


def test_texts_of_stop_words_are_similar_to_nothing() -> None:
    assert similar_pairs(facets(["It is what it was.", "We are who we were.", "?!"]), embed, 0.95) == []


def test_progress_is_reported() -> None:
    counts: list[tuple[int, int]] = []

    similar_pairs(facets(sentences(300)), embed, 0.95, lambda done, total: counts.append((done, total)))

    assert counts == sorted(counts) and counts[-1] == (600, 600)
