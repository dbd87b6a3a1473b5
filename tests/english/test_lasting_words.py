"""The words of a clause say how likely it lasts, and as what."""

from collections import Counter

import fit_lasting
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.lasting_words import FILE, KINDS, Verdict, clauses_of, judge


def verdict_on(clause: str) -> Verdict:
    ((said,),) = clauses_of([clause])
    return judge(said.features)


def test_each_feature_of_the_file_is_found_and_has_a_weight_for_nothing_and_for_each_kind() -> None:
    _, *lines = FILE.read_text("utf-8").splitlines()

    assert lines == sorted(lines)  # they are found by halves
    assert {len(line.partition("\t")[2].split()) for line in lines} == {1 + len(KINDS)}


@pytest.mark.slow
def test_the_weights_are_what_the_script_fits_to_the_turns_and_features_of_today() -> None:
    """One test, because another worker would read the turns anew."""
    fitted_to, bias, *lines = FILE.read_text("utf-8").splitlines()
    learnt = fit_lasting.shipped()
    assert fit_lasting.digest(learnt) in fitted_to, "run scripts/fit_lasting.py"

    uses = {(feature, each.author) for each in learnt for feature in each.features}
    authors = Counter(feature for feature, _ in uses)
    assert bias.startswith("\t")
    assert min(authors[line.partition("\t")[0]] for line in lines) >= 4, "a feature that fewer than four authors use"

    pytest.importorskip("numpy")
    assert fit_lasting.format_weights(fit_lasting.Fit(learnt), fit_lasting.digest(learnt)) == FILE.read_text("utf-8")


def test_a_rule_is_likelier_than_a_request_for_once() -> None:
    rule, request = "answer in French whenever I write in French", "make this one a bit shorter"

    assert verdict_on(rule).share > 2 * verdict_on(request).share


def test_the_clauses_beside_a_clause_have_a_say() -> None:
    alone, after = clauses_of(["We use tabs", "Can you fix this?"])

    assert {">can", ">you"} <= alone[0].features
    assert {"<we", "<use"} <= after[0].features and not {">can", "<can"} & after[0].features


def test_what_a_rule_takes_for_the_moment_is_less_likely_to_last() -> None:
    ((trying, having),) = clauses_of(["I'm trying oat milk, and I have oat milk"])

    assert "=passing" in trying.features - having.features
    assert judge(trying.features).share < judge(trying.features - {"=passing"}).share


@given(st.lists(st.text(max_size=100), max_size=4))
def test_each_clause_of_any_sentences_has_a_likelihood(sentences: list[str]) -> None:
    clauses = [*clauses_of(sentences)]

    assert len(clauses) == len(sentences)
    for each in clauses:
        for clause in each:
            assert 0 <= judge(clause.features).share <= 1.000001
