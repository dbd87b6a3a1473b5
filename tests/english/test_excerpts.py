"""Which part of a text is shown for a question."""

import pytest

from memoir.english.excerpts import excerpt, weights_by_stem

TEXT = "It rained all day long. We stayed at home. Then Ada baked macarons with pistachio. Later we watched a film."


def test_a_short_text_is_shown_whole_and_in_one_line() -> None:
    assert excerpt("One.\n\n  Two\nthree", {}, 40) == "One. Two three"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ({"baking": 1.0}, "… Then Ada baked macarons with pistachio. Later we…"),
        ({"rain": 1.0, "macaron": 0.5}, "It rained all day long. We stayed at home. Then…"),
        ({}, "It rained all day long. We stayed at home. Then…"),
        ({"film": 1.0}, "… Later we watched a film."),
    ],
)
def test_an_excerpt_begins_with_the_sentence_that_has_most_of_the_words(words: dict[str, float], shown: str) -> None:
    assert excerpt(TEXT, weights_by_stem(words), 52) == shown


def test_a_question_counts_less_and_a_sentence_that_names_something_more() -> None:
    text = (
        "Have you seen a good film? I think that a film is good. The best film is Metropolis by Lang. "
        + "So it is. " * 9
    )

    assert excerpt(text, weights_by_stem({"film": 1.0}), 50) == "… The best film is Metropolis by Lang. So it is. …"


def test_of_a_long_sentence_the_part_with_the_words_is_shown() -> None:
    text = "and so on " * 40 + "the key is under the mat " + "and so on " * 40

    shown = excerpt(text, weights_by_stem({"key": 1.0, "mats": 1.0}), 100)

    assert "the key is under the mat" in shown and len(shown) <= 100
    assert shown.startswith("… ") and shown.endswith("…")


@pytest.mark.parametrize("most", [20, 60, 61, 62, 100, 105])
def test_an_excerpt_has_no_more_characters_than_were_asked_for(most: int) -> None:
    assert all(len(excerpt(TEXT, {word: 1.0}, most)) <= most for word in ("rain", "bake", "film"))


def test_a_very_long_text_is_cut_and_says_so() -> None:
    assert excerpt("word " * 100_000, {}, 50).endswith("…")
