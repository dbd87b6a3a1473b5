"""What may be asked: every value is checked once, and a bad one is named."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import InvalidInput
from memoir.recall.asking import FIELDS, Asked, asked
from memoir.recall.request import Boost, Request, boost, checked

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def _ask(**fields: Any) -> Request:
    return asked({"query": "q", **fields}).request


def test_a_question_alone_is_a_request() -> None:
    assert asked({"query": "why?"}) == Asked(Request("why?", NOW.timestamp()), None, None, None)


def test_a_request_has_all_that_was_asked() -> None:
    request, mode, at, model = asked(
        {
            "query": "why?", "mode": "tiered", "limit": 3, "namespace": ["user:x", "default", "user:x"], "at": "HEAD~1",
            "keys": ["a.*", "b"], "person": "Ada", "since": "2025-12-24", "until": "2025-12-24", "now": "2025-12-31",
            "tau": 7, "threshold": 0.5, "model": "opus", "max_chars": 100, "rerank": "none", "boost": ["a.*=2", "b=0"],
            "cache": False,
        }
    )  # fmt: skip

    assert (mode, at, model) == ("tiered", "HEAD~1", "opus")
    assert request == Request(
        "why?", 1_767_139_200.0, ("default", "user:x"), ("a.*", "b"), "Ada", 1_766_534_400.0, 1_766_620_799.0, 3, 0.5,
        100, (Boost("a.*", 2.0), Boost("b", 0.0)), None, 7.0, "none", False,
    )  # fmt: skip


def test_one_text_stands_for_a_list_of_one() -> None:
    request = _ask(namespace="user", keys="a.*", boost="a=2")

    assert (request.namespaces, request.globs, request.boosts) == (("user",), ("a.*",), (Boost("a", 2.0),))


def test_none_stands_for_not_given() -> None:
    assert asked({"query": "why?", **dict.fromkeys(FIELDS[1:])}) == asked({"query": "why?"})


def test_dates_count_from_the_requests_own_now() -> None:
    request = _ask(now="2020-01-02", since="yesterday", until="yesterday")

    assert request.since == datetime(2020, 1, 1, tzinfo=UTC).timestamp()
    assert request.until == datetime(2020, 1, 1, 23, 59, 59, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(("text", "tau"), [("off", 0.0), ("0", 0.0), (14, 14.0), ("2.5", 2.5)])
def test_decay_is_days_or_off(text: object, tau: float) -> None:
    assert _ask(tau=text).tau == tau


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("query", None), ("query", ""), ("query", " \n"), ("query", 7), ("mode", "clever"), ("mode", 1), ("limit", 0),
        ("limit", "5"), ("limit", True), ("limit", 2.5), ("max_chars", -1), ("max_chars", 2.5), ("namespace", 3),
        ("namespace", [1]), ("namespace", ""), ("namespace", "a=b"), ("keys", {"a": 1}), ("person", ["Ada"]),
        ("since", "whenever"), ("until", 2020), ("now", "soon"), ("tau", "-1"), ("tau", True), ("tau", "nan"),
        ("threshold", "0.5"), ("threshold", 1.1), ("threshold", -0.1), ("threshold", float("nan")), ("threshold", True),
        ("model", 5), ("rerank", "magic"), ("boost", "a"), ("boost", "=2"), ("boost", "a=-1"), ("boost", "a=nan"),
        ("boost", "a=inf"), ("boost", "a=x"), ("boost", 2), ("at", 1),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidInput):
        asked({"query": "q", field: value})


def test_an_unknown_field_is_named_with_those_there_are() -> None:
    with pytest.raises(InvalidInput, match="unknown field 'limits'") as failure:
        _ask(limits=3)
    assert failure.value.hint == f"known are {', '.join(FIELDS)}"


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=3)


@given(st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_json_is_a_request_or_refused(fields: dict[str, Any]) -> None:
    try:
        request = asked(fields).request
    except InvalidInput:
        return
    assert request.query.strip() and 0 <= request.threshold <= 1


@pytest.mark.parametrize("field", ["limit", "max_chars"])
@pytest.mark.parametrize("value", [0, -1, 2.5, True, "3", float("nan")])
def test_the_library_is_refused_the_same(field: str, value: object) -> None:
    options: dict[str, Any] = {field: value}

    with pytest.raises(InvalidInput):
        checked("q", now=NOW, **options)


def test_a_boost_has_the_last_equals_sign_before_its_factor() -> None:
    assert boost("a=b*=1.5") == Boost("a=b*", 1.5)


def test_boosts_multiply() -> None:
    request = Request("q", 0.0, boosts=(Boost("a.*", 2.0), Boost("*.x", 0.5), Boost("b", 9.0)))
    own = request._replace(boost_fn=lambda namespace, path, content: len(namespace + path + content))

    assert [request.factor("n", path, "c") for path in ("a.x", "a.y", "c.x", "b", "c")] == [1.0, 2.0, 0.5, 9.0, 1.0]
    assert own.factor("n", "a.y", "cc") == 2.0 * 6
