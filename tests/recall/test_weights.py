"""The weights of one query: by name or title, checked, and stronger than the settings."""

import pytest

from memoir.errors import InvalidInput
from memoir.recall.weights import check_weights, parse_weight, titles, weights


def test_a_weight_has_the_title_or_the_name_of_a_leg_or_a_channel() -> None:
    assert [parse_weight(text) for text in ("words=2", "bm25=2", "person=0")] == [
        ("bm25", 2.0), ("bm25", 2.0), ("person", 0.0),
    ]  # fmt: skip


def test_given_weights_win_over_the_settings() -> None:
    config = {"memoir.recall.vectorweight": ["7"], "memoir.recall.personboost": ["3"]}

    values = weights({"vectors": 0, "time": 1.5}, config)

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
    off = dict.fromkeys(titles(), 0.0)
    with pytest.raises(InvalidInput, match="nothing can be found"):
        weights(off, {})


@pytest.mark.parametrize("value", [-1, float("nan"), True, "1"])
def test_the_library_refuses_the_same_values(value: float) -> None:
    with pytest.raises(InvalidInput):
        check_weights({"words": value})
