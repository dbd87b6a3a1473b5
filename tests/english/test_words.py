"""English text as words and stems, and texts that differ only in white space."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memoir.english.words import as_written, same_as_written, stem, stems

WORDS = """
    I we my the Python's deploys, every Monday. NASA iPhone C++ don't Élan März naïve (twice) really? a, #ops src/app.py
    run() snake_case e.g. it's — ‘quoted’ x= May may ABC DEF! ... ?! ß İstanbul {time}
"""
TEXTS = st.lists(st.sampled_from(WORDS.split()) | st.text(max_size=6), max_size=8).map(" ".join)


@given(TEXTS)
@example("I keep branch names short.")
@example("C. is a language")
def test_a_plain_text_is_read_as_the_pattern_would_read_it(text: str) -> None:
    """A figure makes a text one that the pattern has to read."""
    assert stems(f"{text} 7") == [*stems(text), "{number}"]


@pytest.mark.parametrize(
    ("root", "words"),
    [
        ("deploy", "deploy deploys deployed deploying"),
        ("run", "run runs running"),
        ("cach", "cache caches cached caching"),
        ("librari", "library libraries"),
        ("hope", "hope hopes hoped hoping"),
        ("hop", "hop hops hopped hopping"),
    ],
)
def test_all_inflections_of_a_word_share_a_stem(root: str, words: str) -> None:
    assert {stem(word) for word in words.split()} == {root}


@pytest.mark.parametrize("word", ["", "x", "class", "c++", "h264s", "日本", "\ud83d", "e\u0301s"])
def test_what_has_no_inflection_is_its_own_stem(word: str) -> None:
    assert stem(word) == word


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
