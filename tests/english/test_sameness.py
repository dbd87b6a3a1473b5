"""Near-duplicates differ in nothing that could distinguish two facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.sameness import essence


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The tests are run with pytest.", "Tests are run with pytest"),
        ("We run the tests in a container.", "We run tests in container."),
        ("CI is flaky on macOS", "CI flaky on macOS."),
        ("Don't deploy on Fridays", "Do not deploy on Fridays."),
        ("don’t", "do not"),
        ("I'm away on Mondays.", "I am away on Mondays"),
        ("I'm away on Mondays.", "I away on Mondays"),
        ("It's flaky on Windows", "It is flaky on Windows."),
        ("The build isn't reproducible", "Build is not reproducible"),
        ("They can't log in", "They cannot log in"),
        ("Use the plan  from May", "Use plan from May"),
        ("We say “hello”.", "We say “hello”"),
    ],
)
def test_articles_copulas_contractions_and_a_closing_full_stop_tell_nothing_apart(one: str, other: str) -> None:
    assert essence(one) == essence(other)


OPPOSITES = [
    ("Retry works when the cache is cold", "Retry fails when the cache is cold"),
    ("Increase the timeout when the test is flaky", "Decrease the timeout when the test is flaky"),
    ("The staging server allows anonymous access", "The staging server forbids anonymous access"),
    ("The build is slower with the cache", "The build is faster with the cache"),
    ("Use tabs", "Never use tabs"),
    ("Tests may run in parallel", "Tests must run in parallel"),
    ("Most tests need the database", "The most tests need the database"),
    ("A few users complained", "Few users complained"),
    ("A little is known", "Little is known"),
    ("The cache was warm", "The cache is warm"),
    ("Copy it from staging", "Copy it to staging"),
    ("All tests pass", "Some tests pass"),
    ("Lint, then test, then deploy", "Test, then lint, then deploy"),
    ("Is the server up", "The server is up"),
    ("The server is up?", "The server is up."),
    ("Ship it!", "Ship it."),
    ("Ann is paid", "Ann paid"),
    ("Ann is always blocked", "Ann always blocked"),
    ("Users are like admins", "Users like admins"),
    ("He's paid", "He is paid"),
    ("Standup at 9 am daily", "Standup at 9 daily"),
    ("leave it as is today", "leave it as today"),
    ("Plan a is next", "Plan is next"),
    ("Use plan A for the release", "Use the plan for the release"),
    ("team a owns the API", "team owns the API"),
    ("Run a", "Run"),
    ("She likes go", "She likes Go"),
    ("polish the report", "Polish the report"),
    ("The Hague office", "Hague office"),
    ("Let's eat, Grandma", "Let's eat Grandma"),
    ("Ann's server is down", "Ann server is down"),
    ("pip install -e .", "pip install -e"),
    ("port 8080", "port 8081"),
    ("x", "x x x x x x"),
    ("Ann reports to Bo", "Bo reports to Ann"),
    ("We use the R language", "We use the C language"),
    ("jobs:\n  test: {}", "jobs:\n    test: {}"),
    ("exit with :q!", "exit with :q"),
    ("press `a` to append", "press to append"),
]


@pytest.mark.parametrize(("one", "other"), OPPOSITES)
def test_everything_else_tells_facts_apart(one: str, other: str) -> None:
    assert essence(one) != essence(other)


@given(st.text(max_size=60))
def test_every_text_has_an_essence_and_white_space_is_none_of_it(text: str) -> None:
    assert essence(f" {text} ") == essence(text)
    assert essence(text) or not text.split()
