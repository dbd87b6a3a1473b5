"""A query as its options and the settings make it."""

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoir.errors import InvalidInput
from memoir.recall.channels import weights
from memoir.recall.fields import parse_fields
from memoir.recall.query import Query
from memoir.recall.resolve import resolve

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WEIGHTS = weights({})


def _query(fields: dict[str, Any], **settings: str) -> Query:
    text, options = parse_fields({"query": "q", **fields})
    return resolve(text, options, _config(**settings))


def _config(**settings: str) -> dict[str, list[str]]:
    return {f"memoir.recall.{name.lower()}": ["ignored", value] for name, value in settings.items()}


def test_settings_decide_what_the_caller_leaves_open() -> None:
    query = _query(
        {}, fusion="rrf", rrfK="10", bm25Weight="2", vectorWeight="0.5", candidatePool="7", k="3", tau="14",
        personBoost="0", timeBoost="1.5", rerank="deterministic",
    )  # fmt: skip

    assert query == Query(
        "q", NOW.timestamp(), WEIGHTS | {"bm25": 2.0, "vector": 0.5, "person": 0.0, "time": 1.5}, limit=3, fusion="rrf",
        rrf_k=10.0, pool=7, tau=14.0, rerank="deterministic",
    )  # fmt: skip


def test_the_caller_overrides_the_settings() -> None:
    query = _query({"limit": 2, "tau": "off", "rerank": "none", "mode": "simple"}, k="3", tau="14", rerank="llm")

    assert (query.limit, query.tau, query.rerank, query.mode) == (2, 0.0, "none", "simple")


def test_an_empty_setting_is_not_set() -> None:
    assert _query({}, k="", tau="", mode="") == _query({})


@pytest.mark.parametrize(
    ("fields", "settings", "insists"),
    [
        ({}, {}, False),
        ({}, {"mode": "single"}, False),
        ({}, {"rerank": "llm"}, False),
        ({"mode": "single"}, {}, True),
        ({"mode": "simple"}, {"rerank": "llm"}, False),
        ({"rerank": "llm"}, {"mode": "simple"}, True),
    ],
)
def test_only_explicit_options_are_required(fields: dict[str, Any], settings: dict[str, str], insists: bool) -> None:
    assert _query(fields, **settings).insists == insists


@pytest.mark.parametrize(
    ("fields", "settings", "reason"),
    [
        ({"rerank": "llm", "mode": "single"}, {}, "the mode single takes no rerank"),
        ({"rerank": "deterministic"}, {"mode": "tiered"}, "the mode tiered takes no rerank"),
        ({"model": "opus"}, {}, "the mode simple uses no model"),
        ({}, {"bm25Weight": "0", "vectorWeight": "0"}, "both 0"),
    ],
)
def test_options_that_do_not_fit_each_other_are_refused(
    fields: dict[str, Any], settings: dict[str, str], reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        _query(fields, **settings)


def test_as_many_candidates_as_are_asked_for() -> None:
    assert (_query({}).pool, _query({"limit": 99}).pool) == (50, 99)


def test_a_half_life_is_converted_to_tau() -> None:
    """After tau * ln 2 a memory counts half: seven days of tau are 4.85 days of half-life."""
    assert _query({}, halfLifeDays="7").tau == pytest.approx(7 / math.log(2)) == pytest.approx(10.1, abs=0.01)
    assert _query({}, halfLifeDays="4.85", tau="7").tau == pytest.approx(7, rel=0.01)
    off = [_query({}, tau="off"), _query({}, halfLifeDays="off"), _query({}, tau="off", halfLifeDays="off")]
    assert [query.tau for query in off] == [0, 0, 0]


@pytest.mark.parametrize(("tau", "half_life"), [("7", "7"), ("off", "7"), ("7", "off"), ("0", "1")])
def test_a_half_life_and_a_tau_that_disagree_are_refused(tau: str, half_life: str) -> None:
    with pytest.raises(InvalidInput, match="tau and halfLifeDays disagree"):
        _query({}, tau=tau, halfLifeDays=half_life)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", "many"), ("tau", "-1"), ("tau", "nan"), ("tau", "inf"), ("rrfK", "-0.1"), ("bm25Weight", "1e999"),
        ("candidatePool", """ 5 days"""), ("personBoost", "on"), ("halfLifeDays", "a week"), ("mode", "clever"),
        ("fusion", "sum"), ("rerank", "yes"),
    ],
)  # fmt: skip
def test_a_bad_setting_is_refused_and_named(name: str, value: str) -> None:
    with pytest.raises(InvalidInput) as failure:
        _query({}, **{name: value})
    assert value in failure.value.message


@pytest.mark.parametrize(
    ("name", "value"), [("k", "0"), ("k", "2.5"), ("candidatePool", "0"), ("candidatePool", "1e30")]
)
def test_a_limit_must_be_a_positive_integer(name: str, value: str) -> None:
    """Refused as `--limit 0` is, rather than quietly replaced by another number."""
    with pytest.raises(InvalidInput):
        _query({}, **{name: value})


def test_prompts_are_checked_and_a_callers_come_before_the_users(tmp_path: Path) -> None:
    own = tmp_path / "own.txt"
    own.write_text("The user's.")
    config = {f"memoir.prompt.{step}": [str(own)] for step in ("rerank", "tiered-l1")}

    query = resolve("q", {"prompts": {"rerank": "The caller's."}, "llm_calls": 0, "llm_tokens": 9}, config)

    assert query.prompts == (("rerank", "The caller's."), ("tiered.l1", "The user's."))
    assert (query.llm_calls, query.llm_tokens) == (0, 9)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"prompts": {"agent.nothing": "x"}}, "no step 'agent.nothing'"), ({"prompts": {"rerank": 1}}, "a string"),
        ({"mode": "deep", "strategy": "split"}, "mode agent, not deep"),
        ({"planner": "me"}, "planner must be"), ({"mode": "agent", "max_attempts": 0}, "max-attempts"),
        ({"mode": "agent", "min_confidence": 2}, "min-confidence"),
        ({"prompts": ["rerank"]}, "an object"), ({"llm_calls": -1}, "llm-calls"), ({"llm_tokens": "9"}, "llm-tokens"),
    ],
)  # fmt: skip
def test_a_bad_prompt_or_budget_is_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        resolve(*parse_fields({"query": "q", **fields}), {})
