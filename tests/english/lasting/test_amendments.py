"""A speaker's new value replaces the one just said, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from memoir.english.lasting.amendments import amended, with_amendments
from memoir.times import WEEKDAYS


@pytest.mark.parametrize(
    ("said", "after", "holds"),
    [
        ("The release day is Monday.", "Actually Tuesday.", "The release day is Tuesday."),
        ("We release every Monday.", "No, Tuesday.", "We release every Tuesday."),
        ("The staging db listens on port 5432.", "Wait, sorry, it's on 5433.", "The staging db listens on port 5433."),
        ("Standup is at 9:30 on Monday.", "Actually, on Tuesday.", "Standup is at 9:30 on Tuesday."),
        ("Our CI runs on CircleCI.", "I mean GitHub Actions.", "Our CI runs on GitHub Actions."),
        ("I prefer tabs.", "Wait, no, spaces.", "I prefer spaces."),
        ("We keep logs for 30 days.", "Correction: 14 days.", "We keep logs for 14 days."),
        ("My manager is Ann.", "Scratch that, it's Bob.", "My manager is Bob."),
        ("We use npm.", "Never mind, we use pnpm.", "We use pnpm."),
    ],
)
def test_another_value_or_the_whole_anew_takes_the_place_of_what_was_said(said: str, after: str, holds: str) -> None:
    assert amended(said, after) == holds
    assert with_amendments([said, after]) == [holds]


@pytest.mark.parametrize(
    ("said", "after"),
    [
        ("The release day is Monday.", "Tuesday."),
        ("The release day is Monday.", "Actually, Tuesday?"),
        ("Is the release day Monday?", "Actually Tuesday."),
        ("The release day is Monday.", "Actually, look at the log first."),
        ("The release day is Monday.", "Sorry, typo."),
        ("Never push on Mondays.", "No Tuesday releases either."),
        ("We keep 3 copies for 30 days.", "Actually 14."),  # of which of the two?
        ("The release day is Monday.", "No, wait."),
        ("The release day is Monday" + ", as it was" * 50 + ".", "Actually Tuesday."),  # nobody says that in a breath
        ("We do not use Redis.", "Actually Valkey."),
        ("We no longer use npm.", "I mean yarn."),
        ("The primary database is Postgres.", "Hang on, lunch."),
        ("The primary database is Postgres.", "Actually slow."),
        ("Our default region is eu-west-1.", "I mean in production."),
    ],
)
def test_what_is_no_other_value_of_one_place_amends_nothing(said: str, after: str) -> None:
    assert amended(said, after) == ""
    assert with_amendments([said, after]) == [said, after]


def test_an_amendment_inside_a_sentence_counts() -> None:
    assert with_amendments(["We deploy on Monday, actually Tuesday."]) == ["We deploy on Tuesday."]
    assert with_amendments(["The host is db1.acme.io, no wait, db2.acme.io"]) == ["The host is db2.acme.io"]


@given(some.lists(some.sampled_from([day.capitalize() for day in WEEKDAYS]), min_size=1, max_size=5))
def test_of_several_amendments_the_last_one_holds(days: list[str]) -> None:
    first, *rest = days
    said = [f"The release day is {first}.", *(f"No, {day}." for day in rest)]
    changed = [day for before, day in zip(days, rest, strict=False) if before != day]
    assert with_amendments(said)[0] == f"The release day is {[first, *changed][-1]}."
