"""A query made of its fields and the settings: every value is read once, or refused."""

import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import InvalidInput
from memoir.index.filters import Filter
from memoir.recall.channels import weights
from memoir.recall.parse import FIELDS, parse, parse_boost, parse_weight, read_fields, titles
from memoir.recall.query import Boost, Query, QueryFields

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WEIGHTS = weights({})


def _query(fields: dict[str, Any], **settings: str) -> Query:
    config = {f"memoir.recall.{name.lower()}": ["ignored", value] for name, value in settings.items()}
    return parse("q", fields, config)


def test_a_string_is_a_query() -> None:
    assert parse("why?", {}, {}) == Query("why?", NOW.timestamp(), WEIGHTS, strict=False)


def test_a_query_has_all_given_fields() -> None:
    query = _query(
        {
            "mode": "tiered", "limit": 3, "namespace": ["user:x", "default", "user:x"], "at": "HEAD~1",
            "keys": ["a.*", "b"], "person": "Ada", "since": "2025-12-24", "until": "2025-12-24", "now": "2025-12-31",
            "tau": 7, "threshold": 0.5, "model": "opus", "max_chars": 100, "rerank": "none", "boost": ["a.*=2", "b=0"],
            "where": ["tags=a", "source=x=y"], "weight": ["vectors=0", "time=2"], "context": 2, "cache": False,
            "sources": "only",
        }
    )  # fmt: skip

    where = Filter(
        ("default", "user:x"), ("a.*", "b"), "Ada", 1_766_534_400.0, 1_766_620_799.0,
        metadata=(("tags", "a"), ("source", "x=y")), sources="only",
    )  # fmt: skip
    assert query == Query(
        "q", 1_767_139_200.0, WEIGHTS | {"vector": 0.0, "time": 2.0}, where,
        mode="tiered", at="HEAD~1", limit=3, limit_is_given=True,
        threshold=0.5, max_chars=100, context=2, tau=7.0, boosts=(Boost("a.*", 2.0), Boost("b", 0.0)), model="opus",
        insists=True, cache=False, strict=False,
    )  # fmt: skip


def test_a_string_is_a_list_of_one() -> None:
    query = _query({"namespace": "user", "keys": "a.*", "boost": "a=2", "where": "k=", "weight": "words=2"})

    assert query.where == Filter(("user",), ("a.*",), metadata=(("k", ""),), sources="yes")
    assert (query.boosts, query.weight("bm25")) == ((Boost("a", 2.0),), 2.0)


def test_none_means_not_given() -> None:
    assert _query(dict.fromkeys(QueryFields.__annotations__)) == _query({})


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
        ("mode", "clever"), ("mode", 1), ("limit", 0), ("limit", "5"), ("limit", True), ("limit", 2.5),
        ("limit", float("nan")), ("max_chars", -1), ("max_chars", 2.5), ("gather", "no"), ("strict", 1), ("cache", 0),
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
        read_fields({field: value})


@pytest.mark.parametrize("field", QueryFields.__annotations__)
def test_each_field_has_a_type(field: str) -> None:
    with pytest.raises(InvalidInput):
        read_fields({field: object()})


@pytest.mark.parametrize("text", [None, "", " \n", 7, "x" * 100_001])
def test_a_bad_text_is_refused(text: object) -> None:
    with pytest.raises(InvalidInput):
        parse(text, {}, {})


def test_an_unknown_field_is_named_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match="unknown field 'limits'") as failure:
        _query({"limits": 3})
    assert failure.value.hint == f"the fields are {', '.join(FIELDS)}"


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=3)


@given(JSON, st.dictionaries(st.sampled_from([*QueryFields.__annotations__]), JSON))
def test_any_json_is_a_query_or_refused(text: object, fields: dict[str, Any]) -> None:
    try:
        query = parse(text, fields, {})
    except InvalidInput:
        return
    assert query.text.strip() and 0 <= query.threshold <= 1


def test_a_boost_has_the_last_equals_sign_before_its_factor() -> None:
    assert parse_boost("a=b*=1.5") == Boost("a=b*", 1.5)


def test_settings_decide_what_the_caller_leaves_open() -> None:
    query = _query(
        {}, fusion="rrf", rrfK="10", bm25Weight="2", vectorWeight="0.5", candidatePool="7", k="3", tau="14",
        personBoost="0", timeBoost="1.5", rerank="deterministic",
    )  # fmt: skip

    assert query == Query(
        "q", NOW.timestamp(), WEIGHTS | {"bm25": 2.0, "vector": 0.5, "person": 0.0, "time": 1.5}, limit=3, fusion="rrf",
        rrf_k=10.0, pool=7, tau=14.0, rerank="deterministic", strict=False,
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

    fields: QueryFields = {"prompts": {"rerank": "The caller's."}, "llm_calls": 0, "llm_tokens": 9}
    query = parse("q", {"mode": "tiered", **fields}, config)

    assert query.prompts == (("rerank", "The caller's."), ("tiered.l1", "The user's."))
    assert not parse("q", {"mode": "simple"}, {"memoir.prompt.rerank": ["no such file"]}).prompts
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
        _query(fields)


def test_a_weight_has_the_title_or_the_name_of_a_leg_or_a_channel() -> None:
    assert [parse_weight(text) for text in ("words=2", "bm25=2", "person=0")] == [
        ("bm25", 2.0), ("bm25", 2.0), ("person", 0.0),
    ]  # fmt: skip


def test_given_weights_win_over_the_settings() -> None:
    values = _query({"weight": ["vectors=0", "time=1.5"]}, vectorWeight="7", personBoost="3").weights

    assert (values["vector"], values["time"], values["person"]) == (0, 1.5, 3.0)


@pytest.mark.parametrize("text", ["words", "words=", "words=-1", "words=nan", "words=inf", "words=x"])
def test_what_is_no_weight_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="weight"):
        parse_weight(text)


def test_an_unknown_name_is_refused_with_the_list_of_names() -> None:
    with pytest.raises(InvalidInput, match="no part of a ranking is named 'word'") as failure:
        parse_weight("word=1")
    assert failure.value.hint == f"the names are {', '.join(titles())}" and "words, vectors" in failure.value.hint


def test_legs_that_are_all_off_are_refused() -> None:
    with pytest.raises(InvalidInput, match="nothing can be found"):
        _query({"weight": [f"{title}=0" for title in titles()]})


FIELDS_OF_ANY_MODE: QueryFields = {
    "at": "HEAD~1", "keys": "a.*", "person": "Ada", "since": "2025", "until": "2025", "now": "2025", "tau": "7",
    "threshold": 0.5, "max_chars": 9, "rerank": "llm", "llm_calls": 1, "llm_tokens": 1, "prompts": {"rerank": "x"},
    "planner": "rules", "boost": "a=2", "where": "a=b", "weight": "person=2", "context": 1, "gather": True,
    "strict": True, "fresh": True, "expired": True, "origin": "user", "layers": True,
    "sources": "no", "cache": False, "limit": 9, "namespace": "user",
}  # fmt: skip
"""For each a value other than the default."""
FIELDS_OF_AGENT: QueryFields = {"model": "opus", "strategy": "split", "max_attempts": 1, "min_confidence": 1}


def test_each_field_changes_the_query() -> None:
    plain, agent = _query({}), _query({"mode": "agent"})

    assert [name for name, value in FIELDS_OF_ANY_MODE.items() if _query({name: value}) == plain] == []
    assert [name for name, value in FIELDS_OF_AGENT.items() if _query({"mode": "agent", name: value}) == agent] == []
    assert {"mode", *FIELDS_OF_ANY_MODE, *FIELDS_OF_AGENT} == {*QueryFields.__annotations__}


def test_boosts_multiply() -> None:
    query = Query("q", 0.0, {}, boosts=(Boost("a.*", 2.0), Boost("*.x", 0.5), Boost("b", 9.0)))
    own = query._replace(boost_fn=lambda namespace, path, content: len(namespace + path + content))

    assert [query.factor("n", path, "c") for path in ("a.x", "a.y", "c.x", "b", "c")] == [1.0, 2.0, 0.5, 9.0, 1.0]
    assert own.factor("n", "a.y", "cc") == 2.0 * 6
