"""The fields of a query as people write them: every value is read once, or refused."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import InvalidInput
from memoir.index.filters import Filter
from memoir.recall.channels import weights
from memoir.recall.fields import FIELDS, parse_boost, parse_fields
from memoir.recall.query import Boost, Query
from memoir.recall.resolve import resolve

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WEIGHTS = weights({})


def _query(fields: dict[str, Any]) -> Query:
    return resolve(*parse_fields({"query": "q", **fields}), {})


def test_a_string_is_a_query() -> None:
    assert _query({"query": "why?"}) == Query("why?", NOW.timestamp(), WEIGHTS)


def test_a_query_has_all_given_fields() -> None:
    query = _query(
        {
            "query": "why?", "mode": "tiered", "limit": 3, "namespace": ["user:x", "default", "user:x"], "at": "HEAD~1",
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
        "why?", 1_767_139_200.0, WEIGHTS | {"vector": 0.0, "time": 2.0}, where,
        mode="tiered", at="HEAD~1", limit=3, limit_is_given=True,
        threshold=0.5, max_chars=100, context=2, tau=7.0, boosts=(Boost("a.*", 2.0), Boost("b", 0.0)), model="opus",
        insists=True, cache=False,
    )  # fmt: skip


def test_a_string_is_a_list_of_one() -> None:
    query = _query({"namespace": "user", "keys": "a.*", "boost": "a=2", "where": "k=", "weight": "words=2"})

    assert query.where == Filter(("user",), ("a.*",), metadata=(("k", ""),), sources="yes")
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


def test_a_boost_has_the_last_equals_sign_before_its_factor() -> None:
    assert parse_boost("a=b*=1.5") == Boost("a=b*", 1.5)
