"""The claims of texts: contradictions are told from merely similar texts."""

import json

import pytest
from support import PROJECT

from memoir.english.claims.claims import claims, contradict

PAIRS = [json.loads(line) for line in (PROJECT / "benchmarks/pairs/pairs.jsonl").read_text("utf-8").splitlines()]


def is_contradiction(one: str, other: str) -> bool:
    """Whether two texts contradict each other; the order must not matter."""
    verdict = contradict(claims(one), claims(other))
    assert verdict == contradict(claims(other), claims(one))
    return verdict


@pytest.mark.parametrize("name", ["first", "second", "third", "fourth", "fifth", "sixth", "ninth"])
def test_of_the_labelled_pairs_that_are_marked_nine_in_ten_contradict(name: str) -> None:
    labels = [
        pair["contradicts"] for pair in PAIRS if pair["set"] == name and is_contradiction(pair["one"], pair["other"])
    ]
    assert sum(labels) >= 0.9 * len(labels)
    assert sum(labels) >= 0.7 * sum(pair["contradicts"] for pair in PAIRS if pair["set"] == name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use just for tasks", "We switched from just to nox"),
        ("Run the tests with `just`", "We no longer use just"),
        ("staging is barn-02", "staging moved to barn-05, same port"),
        ("The staging db is on db-01", "the staging db has moved to db-02"),
        ("CI runs on Jenkins", "CI moved to GitHub Actions last week"),
        ("The timeout is 30 seconds", "Timeout raised to 60 seconds"),
        ("The timeout is 30 seconds", "The timeout has been raised from 30 to 60 seconds, for slow links"),
        ("The limit is 100 requests per minute", "The limit was lowered to 50 requests per minute"),
        ("The deadline is 3 May", "Deadline moved to 5 May"),
        ("The demo is on 3 May", "The demo was postponed to 5 May"),
        ("Standup is at 9:30", "Standup moved to 10:00"),
        ("The default branch is main", "Default branch renamed to trunk"),
        ("Passwords expire every 30 days", "Passwords expire every 60 days instead of 30"),
        ("Releases are cut on Thursdays.", "Releases are cut on Fridays."),
        ("Deploys go out on Tuesday and Thursday.", "Deploys go out on Monday."),
        ("Standup is on Monday, Wednesday and Friday.", "Standup is on Tuesday and Friday."),
        ("prefer small PRs, < 200 lines", "prefer big PRs"),
        ("Ada prefers short answers", "Ada prefers long answers"),
        ("I hate tabs in YAML", "I prefer tabs in YAML now."),
        ("I love pair programming", "I can't stand pair programming"),
        ("Use mocks in unit tests.", "Don't use mocks in unit tests."),
        ("Deploy on Fridays.", "No deploys on Fridays"),
        ("We support Windows", "We no longer support Windows"),
        ("We support Windows", "We have dropped support for Windows."),
        ("We support Python 3.9", "We dropped Python 3.9 support"),
        ("Mia plays the violin", "Mia stopped playing the violin"),
        ("Ada smokes", "Ada has given up smoking"),
        ("Mia wears shoe size 35", "Mia wears shoe size 36"),
        ("We use Redis for the queue.", "We have stopped using Redis. All of it is in Kafka now."),
        ("Use pnpm, not npm", "Use npm, not pnpm"),
        ("From now on: never squash commits", "Always squash commits"),
        ("The API listens on port 8443", "Actually, the API listens on port 9443"),
        ("The API listens on port 8443", "Correction: the API listens on port 9443"),
        ("The API listens on port 8443", "No, the API listens on port 9443"),
        ("The API listens on port 8443", "It turns out that the API listens on port 9443"),
        ("I prefer pytest to unittest", "I prefer unittest to pytest"),
        ("The freeze starts on 14 March", "The freeze starts on March 21st"),
        ("Lunch is at 12:30", "Lunch is at 1 pm"),
        ("The quota is 40,000 rows", "The quota is 52000 rows"),
        ("Rent is 940 euros", "Rent is 985 euros since January"),
        ("The guest wifi is called Meadow", "The guest wifi is called Orchard"),
        ("Mia is in class 4b", "Mia is in class 5a now"),
        ("Tom is on call this week", "Sara is on call this week"),
        ("Answer in German", "Answer in English"),
        ("time zone: CET", "time zone: PST"),
        ("line length: 100", "Line length is 120"),
        ("MAX_RETRIES=3", "MAX_RETRIES=5"),
        ("timeout = 30s", "timeout = 60s"),
        ("We use PostgreSQL for billing", "We use MySQL for billing"),
        ("We use PostgreSQL.", "We use MySQL."),
        ("We use PostgreSQL 16 in production", "We use MySQL in production"),
        ("We run Postgres 15.4", "We use MySQL v8"),
        ("Unit tests are run with pytest.", "Unit tests are run with unittest."),
        ("We deploy the API to AWS", "We deploy the API to Azure"),
        ("Releases are on thursdays", "we release on wednesdays"),
        ("Deploys are at 9:00", "Deploy at 10:00"),
    ],
)
def test_two_values_of_one_kind_for_the_same_thing_contradict(one: str, other: str) -> None:
    assert is_contradiction(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use Redis.", "We use Kafka."),
        ("Standup is on Monday and Wednesday.", "Standup is on Wednesday."),
        ("Deploys go out on Tuesday and Thursday.", "Deploys go out on Thursdays and Tuesdays."),
        ("We use Python.", "We use Go."),
        ("We use PostgreSQL and MySQL.", "We use MySQL."),
        ("We use PostgreSQL, MySQL and Redis.", "We use MySQL."),
        ("We use PostgreSQL for billing.", "We use MySQL for reports."),
        ("We use Postgres for billing.", "We use PostgreSQL for billing."),
        ("We use PostgreSQL 16 in production", "We run Postgres in production"),
        ("We use AWS.", "We use Amazon Web Services."),
        ("Containers run on Kubernetes.", "Containers run on k8s."),
        ("The exporter knows PostgreSQL.", "The exporter knows MySQL."),
        ("The client works with Firefox.", "The client works with Chrome."),
        ("Version 2 of the API returns XML", "Version 3 of the API returns XML"),
        ("Closes issue 212 on merge", "Closes issue 213 on merge"),
        ("Mia is in class 5a", "Mia is in Lisbon"),
        ("Tom is on call this week", "Sara is on call next week"),
        ("Tom is on call this week", "Tom is on the platform team"),
        ("We meet on Mondays", "We meet on Thursdays"),
        ("Mia plays football on Mondays", "Mia plays football on Fridays"),
        ("We support Python 3.11", "We dropped support for Python 3.9"),
        ("We support Windows", "We asked support for Windows"),
        ("Mia plays the violin", "Mia stopped raining"),
        ("The tests are stored in tests/unit", "The tests are stored in tests/cli"),
        ("known issue: flakiness", "known issue: slowness"),
        ("Known issue: slow", "Known issue: fixed"),
        ("step 2: install", "step 2: configure"),
        ("Python >= 3.10", "Python <= 3.14"),
        ("a == 3", "a == 4"),
        ("Caroline: Thanks!", "Caroline: Wow!"),
        ("Mary Ann: yes", "Mary Ann: no"),
        ("The main database is Postgres", "The main database is Postgres 16"),
        ("Our minimum Python is 3.11", "Our minimum Python is 3.11.4"),
        ("Lunch is at 2 pm", "Lunch is at 14:00"),
        ("The freeze starts on 14 March", "The freeze starts on March 14, 2027"),
        ("Use two spaces", "Use 2 spaces"),
        ("Is the port 8080?", "Is the port 8081?"),
        ("The port is not 8080", "The port is not 8081"),
        ("Maybe the port is 8080", "Maybe the port is 8081"),
        ("One of the owners is Ada", "One of the owners is Bob"),
        ("The bill was 412 dollars", "The bill was 518 dollars"),
        ("Some tests are slow", "Some tests are not slow"),
        ("It works", "It does not work"),
        ("If the port is 8080, restart", "If the port is 8081, restart"),
        ("I prefer tabs", "I prefer tabs, except in YAML"),
        ("", "…"),
        ("staging is on port 8011", "staging moved to barn-05"),
        ("staging is barn-05", "staging moved to barn-05"),
        ("the review is on Monday", "the review moved to Friday"),
        ("they are in Berlin", "they moved to Munich"),
        ("The timeout is 30 seconds", "We raised the retries to 60"),
        ("The timeout is 60 seconds", "The timeout was raised from 30 to 60 seconds"),
        ("The timeout is 30 seconds", "Was the timeout raised to 60 seconds?"),
        ("The ports are 80", "The ports were changed to 80 and 81"),
        ("staging is barn-02", "staging moved to barn-05 and barn-06"),
        ("Standup is on Monday. Actually Tuesday.", "Standup is on Tuesday"),
        ("Standup is on Monday, no, Tuesday", "Standup is on Tuesday"),
        ("Runs are on Tuesdays", "The runs are slow"),
    ],
)
def test_what_can_both_be_true_does_not_contradict(one: str, other: str) -> None:
    assert not is_contradiction(one, other)


def test_only_the_first_sentence_claims_anything() -> None:
    assert not is_contradiction("Notes on staging. The port is 80.", "Notes on production. The port is 81.")
    assert is_contradiction("The port is 80. Bob chose it.", "The port is 81. Ada chose it.")


def test_a_long_text_claims_nothing_if_its_first_sentence_does_not_end() -> None:
    assert claims("The port is 80 " + "and so on " * 200) == {}
