"""Combining the scores of the legs: a worked example, and properties that always hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.recall.channels import LegScores
from memoir.recall.scoring import FusedScores, blend, recency, rrf

DAY = 86_400.0
BOTH = (1.0, 1.0)

Scores = list[float | None]


def by_rank(*ranks: int | None) -> LegScores:
    """A leg's findings by rank, None outside its pool; the ids of documents count from 0."""
    return LegScores({identity: rank for identity, rank in enumerate(ranks) if rank}, {})


def by_score(scores: Scores) -> LegScores:
    """A leg's findings by score, None without one; the ids of documents count from 0."""
    return LegScores({}, {identity: score for identity, score in enumerate(scores) if score is not None})


def _blend(words: Scores, vectors: Scores, weights: tuple[float, float] = BOTH) -> list[float]:
    """The blended scores, measured against the best of them all."""
    legs = [by_score(words), by_score(vectors)]
    best = [max(leg.scores.values(), default=0.0) for leg in legs]
    scores, _ = blend(range(len(words)), legs, weights, [score or 1.0 for score in best])
    return list(scores.values())


def test_reciprocal_ranks_are_added() -> None:
    """First by words and fourth by vector beats twelfth by words and first by vector."""
    (first, second), best = _values(rrf([0, 1], [by_rank(1, 12), by_rank(4, 1)], BOTH, 60))

    assert first == pytest.approx(1 / 61 + 1 / 64) == pytest.approx(0.0320, abs=5e-5)
    assert second == pytest.approx(1 / 72 + 1 / 61) == pytest.approx(0.0303, abs=5e-5)
    assert best == 2 / 61


def _values(fusion: FusedScores) -> tuple[list[float], float]:
    scores, best = fusion
    return list(scores.values()), best


def test_a_leg_that_did_not_find_a_memory_adds_nothing() -> None:
    scores, _ = rrf([0, 1, 2], [by_rank(3, None, None), by_rank(None, 3, None)], (2.0, 1.0), 10)

    assert list(scores.values()) == [2 / 13, 1 / 13, 0]


def test_age_fades_a_memory() -> None:
    """With a tau of seven days: 0.87 after one, 1/e after seven, 0.013 after thirty."""
    now = 100 * DAY

    assert recency(now, now - DAY, 7) == pytest.approx(0.87, abs=0.005)
    assert recency(now, now - 7 * DAY, 7) == pytest.approx(0.37, abs=0.005)
    assert recency(now, now - 30 * DAY, 7) == pytest.approx(0.013, abs=0.001)
    assert recency(now, now, 7) == recency(now, now + DAY, 7) == recency(now, 0, 0) == 1


def test_scores_are_blended_in_shares_of_the_best() -> None:
    assert _blend([8, 4, 8, None], [0.8, 0.4, None, -0.5], (3.0, 1.0)) == [1.0, 0.5, 0.75, 0.0]


def test_a_score_counts_beside_the_one_that_counts_as_full() -> None:
    assert blend([0, 1], [by_score([8, 4])], [1.0], [4.0]) == ({0: 2.0, 1: 1.0}, 1.0)


def test_nothing_to_blend_is_not_an_error() -> None:
    assert _blend([], []) == []
    assert _blend([None], [None], (0.0, 0.0)) == [0]
    assert rrf([0], [by_rank(None), by_rank(None)], (0.0, 0.0), 60) == ({0: 0.0}, 1.0)


NUMBERS = st.tuples(st.none() | st.floats(0, 50), st.none() | st.floats(-1, 1))
WEIGHTS = st.tuples(st.floats(0, 10), st.floats(0, 10))


@given(st.lists(NUMBERS), WEIGHTS)
def test_a_blended_score_is_between_zero_and_one_and_better_legs_never_hurt(
    numbers: list[tuple[float | None, float | None]], weights: tuple[float, float]
) -> None:
    scores = _blend([words for words, _ in numbers], [vector for _, vector in numbers], weights)

    assert all(0 <= score <= 1 + 1e-9 for score in scores)
    for (words, vector), score in zip(numbers, scores, strict=True):
        for (other_words, other_vector), other in zip(numbers, scores, strict=True):
            if (words or 0) >= (other_words or 0) and (vector or 0) >= (other_vector or 0):
                assert score >= other - 1e-9


@given(st.lists(NUMBERS))
def test_a_weight_of_zero_switches_a_leg_off(numbers: list[tuple[float | None, float | None]]) -> None:
    words, nothing = [words for words, _ in numbers], [None] * len(numbers)

    off = _blend(words, [vector for _, vector in numbers], (2.0, 0.0))

    assert off == pytest.approx([2 * score for score in _blend(words, [*nothing])])
