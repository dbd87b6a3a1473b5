"""English text as words."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memoir.english.words import stem, stems

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
