"""The options of a query: every value is checked once, and resolved with the settings."""

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import InvalidInput
from memoir.index.filters import Filter
from memoir.recall.channels import weights
from memoir.recall.options import FIELDS, Options, check, parse_boost, parse_fields, resolve
from memoir.recall.query import Boost, Query

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


WEIGHTS = weights({})


def _query(fields: dict[str, Any], **settings: str) -> Query:
    text, options = parse_fields({"query": "q", **fields})
    return resolve(text, options, _config(**settings))


def _config(**settings: str) -> dict[str, list[str]]:
    return {f"memoir.recall.{name.lower()}": ["ignored", value] for name, value in settings.items()}


def test_a_string_is_a_query() -> None:
    assert _query({"query": "why?"}) == Query("why?", NOW.timestamp(), WEIGHTS)


def test_a_query_has_all_given_fields() -> None:
    query = _query(
        {
            "query": "why?", "mode": "tiered", "limit": 3, "namespace": ["user:x", "default", "user:x"], "at": "HEAD~1",
            "keys": ["a.*", "b"], "person": "Ada", "since": "2025-12-24", "until": "2025-12-24", "now": "2025-12-31",
            "tau": 7, "threshold": 0.5, "model": "opus", "max_chars": 100, "rerank": "none", "boost": ["a.*=2", "b=0"],
            "where": ["tags=a", "source=x=y"], "weight": ["vectors=0", "time=2"], "context": 2, "cache": False,
        }
    )  # fmt: skip

    where = Filter(
        ("default", "user:x"), ("a.*", "b"), "Ada", 1_766_534_400.0, 1_766_620_799.0,
        metadata=(("tags", "a"), ("source", "x=y")),
    )  # fmt: skip
    assert query == Query(
        "why?", 1_767_139_200.0, WEIGHTS | {"vector": 0.0, "time": 2.0}, where,
        mode="tiered", at="HEAD~1", limit=3, limit_is_given=True,
        threshold=0.5, max_chars=100, context=2, tau=7.0, boosts=(Boost("a.*", 2.0), Boost("b", 0.0)), model="opus",
        insists=True, cache=False,
    )  # fmt: skip


def test_a_string_is_a_list_of_one() -> None:
    query = _query({"namespace": "user", "keys": "a.*", "boost": "a=2", "where": "k=", "weight": "words=2"})

    assert query.where == Filter(("user",), ("a.*",), metadata=(("k", ""),))
    assert (query.boosts, query.weight("bm25")) == ((Boost("a", 2.0),), 2.0)


def test_none_means_not_given() -> None:
    assert parse_fields({"query": "q", **dict.fromkeys(FIELDS[1:])}) == parse_fields({"query": "q"})


def test_dates_count_from_the_querys_own_now() -> None:
    where = _query({"now": "2020-01-02", "since": "yesterday", "until": "yesterday"}).where

    assert where.since == datetime(2020, 1, 1, tzinfo=UTC).timestamp()
    assert where.until == datetime(2020, 1, 1, 23, 59, 59, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(("text", "tau"), [("off", 0.0), ("0", 0.0), (14, 14.0), ("2.5", 2.5)])
def test_decay_is_days_or_off(text: object, tau: float) -> None:
    assert _query({"tau": text}).tau == tau


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("query", None), ("query", ""), ("query", " \n"), ("query", 7), ("mode", "clever"), ("mode", 1), ("limit", 0),
        ("limit", "5"), ("limit", True), ("limit", 2.5), ("max_chars", -1), ("max_chars", 2.5),
        ("context", -1), ("context", True), ("context", "1"), ("namespace", 3),
        ("namespace", [1]), ("namespace", ""), ("namespace", "a=b"), ("keys", {"a": 1}), ("person", ["Ada"]),
        ("since", "whenever"), ("until", 2020), ("now", "soon"), ("tau", "-1"), ("tau", True), ("tau", "nan"),
        ("threshold", "0.5"), ("threshold", 1.1), ("threshold", -0.1), ("threshold", float("nan")), ("threshold", True),
        ("model", 5), ("rerank", "magic"), ("boost", "a"), ("boost", "=2"), ("boost", "a=-1"), ("boost", "a=nan"),
        ("boost", "a=inf"), ("boost", "a=x"), ("boost", 2), ("at", 1),
        ("where", "a"), ("where", "=a"), ("where", {"a": "b"}), ("weight", "speed=1"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidInput):
        parse_fields({"query": "q", field: value})


def test_an_unknown_field_is_named_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match="unknown field 'limits'") as failure:
        _query({"limits": 3})
    assert failure.value.hint == f"the fields are {', '.join(FIELDS)}"


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=3)


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_json_is_a_query_or_refused(fields: dict[str, Any]) -> None:
    try:
        query = resolve(*parse_fields(fields), {})
    except InvalidInput:
        return
    assert query.text.strip() and 0 <= query.threshold <= 1


@pytest.mark.parametrize("field", ["limit", "max_chars"])
@pytest.mark.parametrize("value", [0, -1, 2.5, True, "3", float("nan")])
def test_the_library_refuses_the_same_values(field: str, value: object) -> None:
    with pytest.raises(InvalidInput):
        check("q", cast(Options, {field: value}))


def test_an_unknown_option_of_the_library_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="recall has no option 'globes'"):
        check("q", cast(Options, {"globes": ()}))


def test_a_boost_has_the_last_equals_sign_before_its_factor() -> None:
    assert parse_boost("a=b*=1.5") == Boost("a=b*", 1.5)


def test_boosts_multiply() -> None:
    query = Query("q", 0.0, {}, boosts=(Boost("a.*", 2.0), Boost("*.x", 0.5), Boost("b", 9.0)))
    own = query._replace(boost_fn=lambda namespace, path, content: len(namespace + path + content))

    assert [query.factor("n", path, "c") for path in ("a.x", "a.y", "c.x", "b", "c")] == [1.0, 2.0, 0.5, 9.0, 1.0]
    assert own.factor("n", "a.y", "cc") == 2.0 * 6


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
    ("fields", "settings", "said"),
    [
        ({"rerank": "llm", "mode": "single"}, {}, "rerank is not for single recall"),
        ({"rerank": "deterministic"}, {"mode": "tiered"}, "rerank is not for tiered recall"),
        ({"model": "opus"}, {}, "simple recall uses no model"),
        ({}, {"bm25Weight": "0", "vectorWeight": "0"}, "both 0"),
    ],
)
def test_options_that_do_not_fit_each_other_are_refused(
    fields: dict[str, Any], settings: dict[str, str], said: str
) -> None:
    with pytest.raises(InvalidInput, match=said):
        _query(fields, **settings)


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
        ({"mode": "deep", "strategy": "split"}, "agent recall, not deep"),
        ({"planner": "me"}, "planner must be"), ({"mode": "agent", "max_attempts": 0}, "max-attempts"),
        ({"mode": "agent", "min_confidence": 2}, "min-confidence"),
        ({"prompts": ["rerank"]}, "an object"), ({"llm_calls": -1}, "llm-calls"), ({"llm_tokens": "9"}, "llm-tokens"),
    ],
)  # fmt: skip
def test_a_bad_prompt_or_budget_is_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        resolve(*parse_fields({"query": "q", **fields}), {})
