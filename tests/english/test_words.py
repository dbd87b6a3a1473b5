"""English text as words."""

from hypothesis import example, given
from hypothesis import strategies as st

from memoir.english.words import stems

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
