"""A sentence about a change says what has held since."""

import pytest

from memoir.english.claims.claims import claims, contradict
from memoir.english.claims.restatements import restatements


@pytest.mark.parametrize(
    ("sentence", "since"),
    [
        ("We are back to Jenkins", ["We use Jenkins"]),
        ("We went back to npm, pnpm broke the builds", ["We use npm"]),
        ("The team is using Slack again", ["We use Slack"]),
        ("I am back on Vim", ["I use Vim"]),
        ("We switched to Vite last spring", ["We use Vite"]),
        ("We are back to Jenkins for the iOS builds", ["We use Jenkins for the iOS builds"]),
        (
            "We moved CI from Jenkins to GitHub Actions",
            ["We use GitHub Actions for CI", "CI moved from Jenkins to GitHub Actions"],
        ),
        ("We raised the max upload size to 25 MB", ["max upload size raised to 25 MB"]),
        ("Ada left Initech in May", ["Ada no longer belong Initech"]),
        ("The rent has gone up to 950 EUR", ["The rent rose to 950 EUR"]),
        ("We cancelled the gym", ["We no longer have the gym"]),
        ("The release is planned for May 4", ["The release is on May 4"]),
        ("Rent is 1300 EUR from January", ["Rent is 1300 EUR"]),
        ("The allowance is 7 euros from now on", ["The allowance is 7 euros"]),
        ("Standup is at 10 from next Monday", ["Standup is at 10"]),
        ("Rent is 1300 EUR as of this month", ["Rent is 1300 EUR"]),
        ("We use npm from this point on", ["We use npm"]),
        ("The bus leaves at 7 from the next school year", ["The bus leaves at 7"]),
    ],
)
def test_a_change_is_restated_as_what_has_held_since(sentence: str, since: list[str]) -> None:
    assert list(restatements(sentence)) == since


@pytest.mark.parametrize(
    "sentence",
    [
        "We are back from Rome",
        "We went to Rome",
        "Ada left for the airport",
        "Ada left Initech at 6",
        "Ada left her laptop at Initech",
        "Ada left the parser team a note",
        "We cancelled the gym this week",
        "We cancelled Monday's standup",
        "We cancelled the meeting for Friday",
        "The lesson on 4 May is cancelled",
        "Support is open from Monday to Friday",
        "We no longer take orders from this supplier",
        "We use Jenkins",
    ],
)
def test_what_changes_nothing_is_not_restated(sentence: str) -> None:
    assert not list(restatements(sentence))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We use Jenkins", "We moved CI from Jenkins to GitHub Actions"),
        ("We moved CI from Jenkins to GitHub Actions", "We are back to Jenkins"),
        ("We use GitHub Actions for CI", "We are back to Jenkins"),
        ("The team moved from Slack to Teams", "We are using Slack again"),
        ("We switched to Vite", "We switched back to webpack"),
        ("The office is in Berlin", "We moved the office to Munich"),
        ("We live in the Lindenstrasse", "We moved to the Bergstrasse"),
        ("Coverage is 80%", "We lowered coverage to 75%"),
        ("Rent is 1200 EUR", "Rent is 1300 EUR from January"),
        ("Standup is at 9:30", "Standup moved to 10"),
        ("The release is planned for May 4", "The release slipped to May 18"),
        ("Jules owns the billing service", "Farah took over the billing service from Jules"),
        ("The servers are in Frankfurt", "We moved the servers to Dublin"),
        ("Standups are on Zoom", "We moved standups from Zoom to Google Meet"),
        ("Ada works at Initech", "Ada left Initech"),
        ("Ben works at Siemens as a tester", "Ben quit Siemens"),
        ("Priya is on the platform team", "Priya has left the platform team"),
        ("We go to the gym on Mondays", "We cancelled the gym"),
        ("We pay for Datadog", "We cancelled Datadog"),
        ("I have a Spotify subscription", "I cancelled Spotify"),
        ("I have a gym membership", "I cancelled my gym membership"),
        ("Rent is 900 EUR", "Rent goes up to 950 EUR from March"),
        ("Tom plays football on Wednesdays", "Tom quit football"),
        ("School starts at 8", "School starts at 8:15 now"),
        ("The retro is on Fridays", "The retro moved to Thursdays"),
    ],
)
def test_what_has_held_since_a_change_contradicts_what_held_before(older: str, newer: str) -> None:
    assert contradict(claims(older), claims(newer))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use GitHub Actions for the web app", "We are back to Jenkins for the iOS builds"),
        ("We use Jenkins for iOS", "We use Jenkins for CI"),
        ("We use Redis for the cart", "We moved the mails from Redis to RabbitMQ"),
        ("The office is in Berlin", "We moved the backups to Munich"),
        ("Jules owns the search service", "Farah took over the billing service from Jules"),
        ("The servers are in Frankfurt", "The servers are in Dublin"),
        ("Tests run on Linux", "We moved the tests to CI"),
        ("We moved to Munich", "We moved to Rust"),
        ("We switched from R to Julia", "We moved from Jenkins to Woodpecker"),
        ("Ada works at Initech", "Bob left Initech"),
        ("Ada works at Initech", "Ada left Berlin"),
        ("We go to Italy in summer", "We left Italy in August"),
        ("We go to the gym on Mondays", "We cancelled the hotel"),
        ("I have a meeting with Ada", "I cancelled the meeting with Bob"),
        ("We have a bus", "We no longer take the bus"),
        ("We use Slack", "I switched to Teams"),
        ("Standup is at 9:30", "We moved the standup to 10 today"),
        ("We take orders on the phone", "We no longer take orders from this supplier"),
        ("The gate is open from May", "The gate is open from May to September"),
        ("The worker is at 10 requests", "The worker is at 10:30"),
    ],
)
def test_a_change_to_something_else_contradicts_nothing(one: str, other: str) -> None:
    assert not contradict(claims(one), claims(other))


def test_a_change_without_a_new_value_can_be_read() -> None:
    assert claims("We moved the office to the") == {}
