"""Texts that have the same words, marks and capitals, and texts that do not."""

import pytest

from memoir.english.words import as_written, same_as_written


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I use vi", "I  use\tvi"),
        ("I use vi", " I use vi\n"),
        ("jobs:\n  test: {}", "\njobs:  \n  test: {}\n"),
    ],
)
def test_white_space_makes_no_difference(one: str, other: str) -> None:
    assert as_written(one) == as_written(other)
    assert same_as_written(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ship it?", "Ship it."),
        ("Ship it!", "Ship it"),
        ("She likes go", "She likes Go"),
        ("Run a", "Run"),
        ("Polish the report", "polish the report"),
        ("Let's eat, Grandma", "Let's eat Grandma"),
        ("Don't use tabs", "Do not use tabs"),
        ("don't", "don’t"),
        ("the tests", "tests"),
        ("We use the R language", "We use the C language"),
        ("I deploy from drive C", "I deploy from drive D"),
        ("staging host is db-a.internal", "staging host is db-b.internal"),
        ("Team A owns the API", "Team B owns the API"),
        ("clean up with rm -r", "clean up with rm -f"),
        ("pip install -e .", "pip install ."),
        ("pip install -e .", "pip install -e"),
        ("I prefer .NET", "I prefer net"),
        ("deploy to US", "deploy to us"),
        ("use C++", "use C"),
        ("tabs before spaces", "spaces before tabs"),
        ("my key", "your key"),
        ("Use plan A for the release.", "Use the plan for release."),
        ("I take vitamin A", "I take a vitamin"),
        ("press `a` to append", "press to append"),
        ("exit with :q!", "exit with :q"),
        ("a String? field", "a String field"),
        ("the cable is 5' long", 'the cable is 5" long'),
        ("trinkt in Maßen", "trinkt in Massen"),
        ("jobs:\n  test: {}", "jobs:\n    test: {}"),
        ("port 8080:", "port 8080"),
        ("call 'make'", "call I am"),
        (
            "Rollbacks are done by Alice " + "on every single weekday " * 20,
            "Rollbacks are done by Carol " + "on every single weekday " * 20,
        ),
    ],
)
def test_a_word_a_mark_or_a_capital_makes_a_difference(one: str, other: str) -> None:
    assert as_written(one) != as_written(other)
    assert not same_as_written(one, other)
