"""Words of texts that may be names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.names import _identifier, _may_be_identifier, count_words, holds_word, is_name

WORDS = ["The", "Anna's", "GitHub,", "it", "app/main.py", "İ", "straße", "Σ.", "Jean-Paul"]


def _names(*texts: str) -> set[str]:
    counts = count_words(texts)
    return {word for word in counts.texts if is_name(*(counter[word] for counter in counts[1:]))}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We deploy Atlas with Helm.", {"atlas", "helm"}),
        ("Deploys run daily. Nobody knows why: Perhaps cron.", set()),
        ("It says “Hello” (from Atlas's side).", {"hello", "atlas"}),
        ("the Sea - Waves, and Jean-Paul on June 5th at 10am", {"sea", "waves", "jean", "paul", "june"}),
        ("one line\nAnother line", set()),
        ("set read_timeout in src/app/main.py and cli.toml", {"read_timeout", "src/app/main.py", "cli.toml"}),
        ("ADR-7 says getUser fails with E1234 since v2.1, not 2.0.1.", {"adr-7", "getuser", "e1234", "v2.1", "2.0.1"}),
        ("client/server and 3.50 or 3rd", set()),
    ],
)
def test_names_have_a_capital_inside_a_sentence_or_the_form_of_an_identifier(text: str, names: set[str]) -> None:
    assert _names(text) == names


def test_a_word_is_a_name_if_most_of_its_occurrences_have_a_capital() -> None:
    assert "rust" in _names("we use Rust", "they like Rust and no rust")
    assert "rust" not in _names("we use Rust", "some rust")


def test_words_are_counted_by_text_and_by_use() -> None:
    texts, inside, capitals, identifiers = count_words(["Atlas calls Atlas. the atlas", "ATLAS a_b", ""])

    assert (texts["atlas"], inside["atlas"], capitals["atlas"]) == (2, 2, 1)
    assert (texts["a_b"], identifiers["a_b"], inside["a_b"]) == (1, 1, 0)
    assert "the" not in texts


def test_long_texts_without_white_space_take_little_time() -> None:
    assert count_words([unit * 200_000 for unit in ("a_", "a.", "aB", "a/", "-", "1.")]).texts


@given(st.text("aAbB19_./-²½İßΣ٣中'(", max_size=9) | st.from_regex(_identifier(), fullmatch=True))
def test_no_identifier_is_taken_for_a_plain_word(text: str) -> None:
    assert _may_be_identifier(text) or _identifier().fullmatch(text) is None


@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join), st.text())
def test_holds_word_is_what_counting_would_find(text: str, other: str) -> None:
    found = count_words([text]).texts

    for word in (*found, other.lower(), "the", "anna"):
        assert holds_word(text, {word}) == (word in found)
