"""The settings of ranked recall: read from git's configuration, and refused when they make no sense."""

import math

import pytest

from memoir.errors import InvalidInput
from memoir.recall.settings import Settings, read


def _read(**values: str) -> Settings:
    return read({f"memoir.recall.{name.lower()}": ["ignored", value] for name, value in values.items()})


def test_without_settings_there_are_defaults() -> None:
    assert read({}) == Settings()
    assert _read(k="", tau="", mode="") == Settings()
    assert (Settings().rrf_k, Settings().candidate_pool, Settings().k, Settings().tau) == (60, 50, 5, 0)


def test_every_setting_is_read_and_the_last_value_counts() -> None:
    assert _read(
        mode="tiered", fusion="rrf", rrfK="10", bm25Weight="2", vectorWeight="0.5", candidatePool="7", k="3", tau="14",
        personBoost="0", timeBoost="1.5", rerank="deterministic",
    ) == Settings("tiered", "rrf", 10.0, 2.0, 0.5, 7, 3, 14.0, 0.0, 1.5, "deterministic")  # fmt: skip


def test_a_half_life_is_another_name_for_tau() -> None:
    """After tau * ln 2 a memory counts half: seven days of tau are 4.85 days of half-life."""
    assert _read(halfLifeDays="7").tau == pytest.approx(7 / math.log(2)) == pytest.approx(10.1, abs=0.01)
    assert _read(halfLifeDays="4.85", tau="7").tau == pytest.approx(7, rel=0.01)
    assert _read(tau="off").tau == _read(halfLifeDays="off").tau == _read(tau="off", halfLifeDays="off").tau == 0


@pytest.mark.parametrize(("tau", "half_life"), [("7", "7"), ("off", "7"), ("7", "off"), ("0", "1")])
def test_a_half_life_and_a_tau_that_disagree_are_refused(tau: str, half_life: str) -> None:
    with pytest.raises(InvalidInput, match="tau and halfLifeDays disagree"):
        _read(tau=tau, halfLifeDays=half_life)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", "many"), ("tau", "-1"), ("tau", "nan"), ("tau", "inf"), ("rrfK", "-0.1"), ("bm25Weight", "1e999"),
        ("candidatePool", """ 5 days"""), ("personBoost", "on"), ("halfLifeDays", "a week"), ("mode", "clever"),
        ("fusion", "sum"), ("rerank", "yes"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_and_named(name: str, value: str) -> None:
    with pytest.raises(InvalidInput) as failure:
        _read(**{name: value})
    assert value in failure.value.message


@pytest.mark.parametrize(
    ("name", "value"), [("k", "0"), ("k", "2.5"), ("candidatePool", "0"), ("candidatePool", "1e30")]
)
def test_a_number_of_memories_is_a_whole_one_that_can_be_counted_to(name: str, value: str) -> None:
    """Refused as `--limit 0` is, rather than quietly replaced by another number."""
    with pytest.raises(InvalidInput):
        _read(**{name: value})
