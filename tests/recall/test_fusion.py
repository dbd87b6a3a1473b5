"""Making one score of two legs': the numbers of a worked example, and what always holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.index.documents import Indexed
from memoir.recall import fusion
from memoir.recall.candidate import Candidate
from memoir.recall.decay import recency
from memoir.recall.fusion import Legs
from memoir.taxonomy.paths import address

DAY = 86_400.0
BOTH = Legs(1.0, 1.0)


def candidate(
    bm25_rank: int | None = None, vec_rank: int | None = None, bm25: float | None = None, cosine: float | None = None
) -> Candidate:
    document = Indexed(1, address("a"), 0, "x", frozenset(), 0.0, 0.0)
    made = Candidate(document)
    made.bm25_rank, made.bm25, made.vec_rank, made.cosine = bm25_rank, bm25, vec_rank, cosine
    return made


def _blend(found: list[Candidate], weights: Legs) -> float:
    """Blend against the best of them all."""
    return fusion.blend(found, fusion.best(found), weights)


def test_reciprocal_ranks_are_added() -> None:
    """First by words and fourth by vector beats twelfth by words and first by vector."""
    first, second = candidate(1, 4), candidate(12, 1)

    best = fusion.rrf([first, second], BOTH, 60)

    assert first.fused == pytest.approx(1 / 61 + 1 / 64) == pytest.approx(0.0320, abs=5e-5)
    assert second.fused == pytest.approx(1 / 72 + 1 / 61) == pytest.approx(0.0303, abs=5e-5)
    assert best == 2 / 61


def test_a_leg_that_did_not_find_a_memory_adds_nothing() -> None:
    by_words, by_vector, by_neither = candidate(3, None), candidate(None, 3), candidate()

    fusion.rrf([by_words, by_vector, by_neither], Legs(2.0, 1.0), 10)

    assert (by_words.fused, by_vector.fused, by_neither.fused) == (2 / 13, 1 / 13, 0)


def test_age_fades_a_memory() -> None:
    """With a tau of seven days: 0.87 after one, 1/e after seven, 0.013 after thirty."""
    now = 100 * DAY

    assert recency(now, now - DAY, 7) == pytest.approx(0.87, abs=0.005)
    assert recency(now, now - 7 * DAY, 7) == pytest.approx(0.37, abs=0.005)
    assert recency(now, now - 30 * DAY, 7) == pytest.approx(0.013, abs=0.001)
    assert recency(now, now, 7) == recency(now, now + DAY, 7) == recency(now, 0, 0) == 1


def test_scores_are_blended_in_shares_of_the_best() -> None:
    best, half, words, opposite = (
        candidate(bm25=8, cosine=0.8), candidate(bm25=4, cosine=0.4), candidate(bm25=8), candidate(cosine=-0.5)
    )  # fmt: skip

    assert _blend([best, half, words, opposite], Legs(3.0, 1.0)) == 1.0

    assert [c.fused for c in (best, half, words, opposite)] == [1.0, 0.5, 0.75, 0.0]


def test_nothing_to_blend_is_no_error() -> None:
    _blend([], BOTH)
    nothing = candidate()
    _blend([nothing], Legs(0.0, 0.0))
    assert nothing.fused == 0
    assert fusion.rrf([nothing], Legs(0.0, 0.0), 60) == 1.0


NUMBERS = st.tuples(st.none() | st.floats(0, 50), st.none() | st.floats(-1, 1))
WEIGHTS = st.builds(Legs, st.floats(0, 10), st.floats(0, 10))


@given(st.lists(NUMBERS), WEIGHTS)
def test_a_blended_score_lies_between_zero_and_one_and_better_legs_never_hurt(
    numbers: list[tuple[float | None, float | None]], weights: Legs
) -> None:
    found = [candidate(bm25=bm25, cosine=cosine) for bm25, cosine in numbers]

    _blend(found, weights)

    assert all(0 <= c.fused <= 1 + 1e-9 for c in found)
    for one in found:
        for other in found:
            if (one.bm25 or 0) >= (other.bm25 or 0) and (one.cosine or 0) >= (other.cosine or 0):
                assert one.fused >= other.fused - 1e-9


@given(st.lists(NUMBERS))
def test_a_weight_of_nothing_switches_a_leg_off(numbers: list[tuple[float | None, float | None]]) -> None:
    found = [candidate(bm25=bm25, cosine=cosine) for bm25, cosine in numbers]
    alone = [candidate(bm25=bm25) for bm25, _ in numbers]

    _blend(found, Legs(2.0, 0.0))
    _blend(alone, Legs(1.0, 1.0))

    assert [c.fused for c in found] == pytest.approx([2 * c.fused for c in alone])
