"""A text that rejects a name contradicts one that uses it."""

import pytest

from memoir.english.claims.choices import choices
from memoir.english.claims.claims import claims, contradict


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Not npm, we use pnpm", {"use npm": "no", "be npm": "no", "use pnpm": "yes"}),
        ("use pnpm instead of npm", {"use npm": "no", "be npm": "no", "use pnpm": "yes"}),
        ("stop using print, use the logger", {"use print": "no", "be print": "no"}),
        ("stop wrapping errors with pkg/errors", {"use pkg/errors": "no", "be pkg/errors": "no"}),
        ("we moved from black to ruff last year", {"use black": "no", "be black": "no"}),
        ("Crashlytics is gone, crashes go to Sentry", {"use crashlytics": "no", "be crashlytics": "no"}),
        ("flags are in Unleash now, launchdarkly is gone", {"use launchdarkly": "no", "be launchdarkly": "no"}),
        ("We lint with ruff, no longer with flake8", {"use flake8": "no", "be flake8": "no", "use ruff": "yes"}),
        ("Feature flags come from LaunchDarkly", {"use launchdarkly": "yes"}),
        ("Feature flags no longer come from LaunchDarkly", {"use launchdarkly": "no", "be launchdarkly": "no"}),
        ("Feature flags do not come from LaunchDarkly", {}),
        ("secrets are in Vault, not SSM", {"use ssm": "no", "secrets be ssm": "no"}),
        ("it is vitest, not jest", {"use jest": "no", "be jest": "no"}),
        ("the package manager is npm", {"be npm": "yes", "package manager be npm": "yes"}),
        ("we dropped ruff format", {}),
        ("use the logger", {}),
    ],
)
def test_what_is_used_and_what_is_not_has_a_name(sentence: str, found: dict[str, str]) -> None:
    assert found.items() <= dict(choices(sentence, states=True)).items()
    assert dict(choices(sentence, states=False)) == {name: value for name, value in found.items() if value == "no"}


@pytest.mark.parametrize(
    "sentence",
    ["use spaces, not tabs, in Python files", "in the old folder use yarn, not npm", "We want to stop using Jenkins",
     "Tom uses CSS, not Sass", "there are five sites now rather than six", "Issue 213 is not fixed"],
)  # fmt: skip
def test_what_is_rejected_for_a_purpose_or_only_wanted_is_not_rejected(sentence: str) -> None:
    assert "no" not in dict(choices(sentence, states=True)).values()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always run npm install after pulling", "Not npm, we use pnpm here"),
        ("We use npm in this repo", "we use pnpm here"),
        ("The staging database is on port 5432", "the staging db is on 5433"),
        ("Our secrets are in SSM", "secrets are in Vault, not SSM"),
        ("We lint Python with flake8 and js with eslint", "We lint Python with ruff, no longer with flake8"),
        ("Feature flags come from LaunchDarkly", "actually the flags are in Unleash now, launchdarkly is gone"),
        ("we release billing on wednesdays only", "we release billing on thursdays"),
        ("Never deploy on Mondays", "actually we now deploy on Mondays, marketing wants it"),
    ],
)
def test_a_correction_contradicts_what_it_corrects(one: str, other: str) -> None:
    assert contradict(claims(one), claims(other)) and contradict(claims(other), claims(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use pnpm, not npm", "Not npm, we use pnpm here"),
        ("We release the app on Mondays", "We release the library on Thursdays"),
        ("Feature flags come from LaunchDarkly", "The old dashboard is gone, flags come from LaunchDarkly"),
        ("Print the coverage after each run", "stop using print, use the logger"),
        ("The API listens on port 8080", "the gateway listens on 8443"),
        ("The manager is Anna", "the owner is Bob, not Anna"),
        ("The office is Berlin", "the client is in Paris, not Berlin"),
        ("never OFFSET on parcels", "the client renamed it: it's called Florin now, not Parcels"),
        ("no OFFSET on parcels", "the client renamed it: it's called Florin now, not Parcels"),
        ("avoid OFFSET on parcels", "the client renamed it: it's called Florin now, not Parcels"),
        ("Run ruff before commits", "We dropped ruff format"),
    ],
)
def test_a_correction_contradicts_nothing_else(one: str, other: str) -> None:
    assert not contradict(claims(one), claims(other))
