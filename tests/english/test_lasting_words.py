"""The words of a clause say how likely it lasts, and as what."""

from hypothesis import given
from hypothesis import strategies as st

from memoir.english.lasting_words import FILE, KINDS, judge


def test_each_feature_of_the_file_is_found_and_has_a_weight_for_nothing_and_for_each_kind() -> None:
    _, *lines = FILE.read_text("utf-8").splitlines()

    assert lines == sorted(lines)  # they are found by halves
    assert {len(line.partition("\t")[2].split()) for line in lines} == {1 + len(KINDS)}


def test_a_rule_is_likelier_than_a_request_for_once() -> None:
    rule, request = "answer in French whenever I write in French", "make this one a bit shorter"

    assert judge(rule, rule).share > 2 * judge(request, request).share


@given(st.text(max_size=200))
def test_any_text_has_a_likelihood(text: str) -> None:
    verdict = judge(text, text)

    assert 0 <= verdict.share <= 1.000001
    assert set(verdict.kinds) == set(KINDS)
