"""The likelihood that a clause lasts, and of each kind, by its words and form."""

from collections import Counter

import fit_lasting
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.lasting.lasting_words import FILE, KINDS, Verdict, clauses_of, judge, shape


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


def kind_of(clause: str) -> str:
    return next(iter(shape(clause, "both")))


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        ("When you move a pin, update the table", "@case"),
        ("Please name the roles in each report", "@order"),
        ("One model per commit", "@fragment"),
        ("Every alert has a runbook", "@state"),
        ("I would have liked that", "@other"),
    ],
)
def test_a_clause_is_an_order_a_case_a_fragment_a_state_or_another(clause: str, kind: str) -> None:
    assert kind_of(clause) == kind


def test_a_rule_speaks_of_any_such_thing_and_a_request_of_this_one() -> None:
    rule, request = {*shape("Keep every heading short", "both")}, {*shape("Keep this heading short", "both")}

    assert "@general" in rule and "@this" not in rule
    assert "@this" in request and "@general" not in request


@pytest.mark.parametrize(
    ("clause", "mark"),
    [
        ("Chainages are to be written in kilometres", "@to be"),
        ("Scans get renamed by date", "@passive"),
        ("Anything that opens has to close on Escape", "@duty"),
    ],
)
def test_what_says_how_things_are_to_be_done_is_marked(clause: str, mark: str) -> None:
    assert mark in {*shape(clause, "both")}
    assert mark not in {*shape("I keep bees", "both")}


def test_where_a_clause_stands_in_its_turn_is_told() -> None:
    assert {*shape("Use tabs", "first")} - {*shape("Use tabs", "last")} == {"@order first"}


@given(st.text(max_size=60))
def test_any_text_has_features_of_one_kind_or_none(text: str) -> None:
    kinds = {each.partition(" ")[0] for each in shape(text, "both")} & {
        "@case",
        "@order",
        "@fragment",
        "@state",
        "@other",
    }

    assert len(kinds) <= 1
