"""The shape of a clause tells a rule for any such thing from what is asked of this one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.clause_shape import shape


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
