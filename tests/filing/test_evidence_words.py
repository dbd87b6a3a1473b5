"""Texts as the words that evidence is counted in."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memoir.filing.evidence_words import PAST, of_memory, words

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
    assert words(f"{text} 7") == [*words(text), "{number}"]


@pytest.mark.parametrize(
    "text",
    [
        "I finally moved the build to Bazel.",
        "We've just rewritten nothing, we shipped.",
        "The team led the migration",
        "once broke, now fixed",
        "Deployed, at last",
    ],
)
def test_what_was_done_is_past(text: str) -> None:
    assert (PAST in of_memory(text)) == (text != "We've just rewritten nothing, we shipped.")


@pytest.mark.parametrize("text", ["", "I use red ink", "the moved files", "Ted likes tea", "I have moved", "… moved"])
def test_what_only_looks_like_it_is_not(text: str) -> None:
    assert PAST not in of_memory(text)
