"""What a text is about by how it begins, and whether a phrase stands in a text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.subjects import LONGEST, stands_in, subject


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Ada wrote the parser.", "ada"),
        ("Lake Tinn (Norway): A lake in the north.", "lake tinn"),
        ("Person-centred talk: a way to listen", "person-centred talk"),
        ("The Ship of Fools\nA novel of 1962.", "ship of fools"),
        ("The Ship of Fools is a novel.", "ship of fools"),
        ("Vigil's retention is 13 months.", "vigil"),
        ("Ada’s Way: a novel", "ada’s way"),
        ("Quillon, a service, sleeps at night.", "quillon"),
        ("GitLab runners execute every pipeline: they are slow", "gitlab runners execute every pipeline"),
        ("Made in Rome. Paris has another.", "made in rome"),
        ("we moved to uv", ""),
        ("", ""),
        ("(odd)", ""),
    ],
)
def test_a_text_is_about_its_title_or_its_first_name(text: str, what: str) -> None:
    assert subject(text) == what


@given(st.text(max_size=2 * LONGEST))
def test_a_subject_is_short_and_in_small_letters(text: str) -> None:
    found = subject(text)

    assert len(found) <= LONGEST + 2 or found != text.lower()
    assert found == found.strip()


@given(st.text("ab. ", max_size=6), st.text("ab. ", max_size=30))
def test_a_phrase_stands_in_a_text_as_whole_words(phrase: str, text: str) -> None:
    pattern = rf"(?<![ab]){re.escape(phrase)}(?![ab])"

    assert stands_in(phrase, text) == (bool(phrase) and re.search(pattern, text) is not None)
