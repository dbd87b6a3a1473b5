"""The excerpt of a text for a question; and whether sources support a text."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import pytest

from memoir.english.excerpts import excerpt, is_bare_answer, is_grounded, share_of_words, weights_by_stem
from memoir.english.requests import introduction_sought


class Sought(NamedTuple):
    """What a query looks for."""

    words: Mapping[str, float]
    number: bool = False
    near: Callable[[str], float] = lambda sentence: 0.0
    says: str = ""


TEXT = "It rained all day long. We stayed at home. Then Ada baked macarons with pistachio. Later we watched a film."


def test_a_short_text_is_shown_whole_and_in_one_line() -> None:
    assert excerpt("One.\n\n  Two\nthree", sought({}), 40) == "One. Two three"


def sought(words: dict[str, float], *, number: bool = False) -> Sought:
    return Sought(weights_by_stem(words), number)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ({"baking": 1.0}, "… Then Ada baked macarons with pistachio. …"),
        ({"rain": 1.0, "macaron": 0.5}, "It rained all day long. We stayed at home. …"),
        ({}, "It rained all day long. We stayed at home. …"),
        ({"film": 1.0}, "… Later we watched a film."),
    ],
)
def test_an_excerpt_begins_with_the_sentence_that_has_most_of_the_words(words: dict[str, float], shown: str) -> None:
    assert excerpt(TEXT, sought(words), 52) == shown


def test_a_question_counts_less_and_a_sentence_that_names_something_more() -> None:
    text = (
        "Have you seen a good film? I think that a film is good. The best film is Metropolis by Lang. "
        + "So it is. " * 9
    )

    assert excerpt(text, sought({"film": 1.0}), 50) == "… The best film is Metropolis by Lang. So it is. …"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "I want to use this for my work on colours. I'm Ada, a locksmith. My work on colours is fun.",
            "… I'm Ada, a locksmith. …",
        ),
        (
            "I want to learn how my work gets better, and I'm a locksmith from York, and my work is fun",
            "… better, and I'm a locksmith from York, and…",
        ),
    ],
    ids=["a sentence", "a part of a long one"],
)
def test_what_answers_in_other_words_is_shown_before_what_has_the_words(text: str, shown: str) -> None:
    wanted = Sought({"work": 1.0}, says=introduction_sought("what profession did I say I work in?"))

    assert excerpt(text, wanted, 48) == shown


def test_in_a_talk_what_is_said_of_the_listener_counts_less() -> None:
    text = "Your new garden sounds lovely. " + "So it is. " * 9 + "I have no garden at all."
    words = sought({"garden": 1.0, "new": 0.1})

    assert excerpt(text, words, 60, is_talk=True).endswith("I have no garden at all.")
    assert excerpt(text, words, 60).startswith("Your new garden")


@pytest.mark.parametrize("leaning", ["He painted", "This was", "Its painter made"])
def test_a_sentence_that_leans_on_the_one_before_comes_with_it(leaning: str) -> None:
    text = "It rains a lot here. " * 5 + f"My favourite is Kandinsky. {leaning} abstract pictures. " + "So it is. " * 9

    assert "My favourite is Kandinsky. " in excerpt(text, sought({"abstract": 1.0}), 90)


def test_a_sentence_before_is_left_out_where_the_words_would_not_be_seen() -> None:
    text = "It rains a lot. " * 5 + "This one has the word at its end, after many others: zebra. " + "So it is. " * 9

    assert "zebra" in excerpt(text, sought({"zebra": 1.0}), 80)


def test_the_sentence_that_answers_is_shown_whole_if_it_is_not_too_long() -> None:
    words = sought({"pistachio": 1.0})

    assert excerpt(TEXT, words, 30, longest=60) == "… Then Ada baked macarons with pistachio. …"
    assert excerpt(TEXT, words, 30) == "… with pistachio. …"


def test_of_a_long_sentence_the_part_with_the_words_is_shown() -> None:
    text = "and so on " * 40 + "the key is under the mat " + "and so on " * 40

    shown = excerpt(text, sought({"key": 1.0, "mats": 1.0}), 100)

    assert "the key is under the mat" in shown and len(shown) <= 100
    assert shown.startswith("… ") and shown.endswith("…")


@pytest.mark.parametrize("most", [20, 60, 61, 62, 100, 105])
def test_an_excerpt_has_no_more_characters_than_were_asked_for(most: int) -> None:
    assert all(len(excerpt(TEXT, sought({word: 1.0}), most)) <= most for word in ("rain", "bake", "film"))


def test_a_very_long_text_is_cut_and_says_so() -> None:
    assert excerpt("word " * 100_000, sought({}), 50).endswith("…")


def test_where_a_number_is_wanted_the_sentence_with_one_is_shown() -> None:
    text = "The zebra of the zoo eats a lot of hay. " + "So it is. " * 9 + "A zebra eats 9 bales. " + "So it is. " * 9

    assert "9 bales" in excerpt(text, sought({"zebra": 1.0, "zoo": 0.4}, number=True), 60)
    assert "9 bales" not in excerpt(text, sought({"zebra": 1.0, "zoo": 0.4}), 60)


def test_a_number_that_comes_later_is_shown_too_if_there_is_room() -> None:
    text = "The parser reads the logs of the night. " + "So it is. " * 5 + "It takes 40 ms. " + "So it is. " * 9

    shown = excerpt(text, sought({"parser": 1.0}, number=True), 80)

    assert shown.startswith("The parser") and "It takes 40 ms." in shown


def test_code_is_shown_last() -> None:
    text = "parser.parse(logs, {parser: logs}); The parser reads the logs. " + "So it is. " * 9

    assert excerpt(text.replace("; ", ";\n"), sought({"parser": 1.0}), 40).startswith("… The parser reads")


def test_sentences_nearly_as_good_as_the_best_are_shown_before_those_that_follow_it() -> None:
    text = "The zebra of the zoo is old. So it is, it was, and will be. " + "It is. " * 30 + "One zebra limps."

    assert excerpt(text, sought({"zebra": 1.0, "zoo": 1.0}), 60) == "The zebra of the zoo is old. … One zebra limps."


def test_a_sentence_that_means_what_is_sought_is_shown_without_a_word_of_it() -> None:
    text = "It rained all day long. " * 9 + "We paid 40 euros."
    wanted = Sought({"cost": 1.0}, near=lambda sentence: 0.5 * ("paid" in sentence))

    assert excerpt(text, wanted, 40).endswith("We paid 40 euros.")


def test_an_abbreviation_and_the_number_of_an_entry_end_no_sentence() -> None:
    text = "It rains. " * 9 + "1. We asked Mr. Okafor. " + "So it is. " * 9

    assert "1. We asked Mr. Okafor." in excerpt(text, sought({"ask": 1.0}), 40)
    assert excerpt(text.removeprefix("It rains. " * 9).replace("1.", "12."), sought({"ask": 1.0}), 40).startswith(
        "12. We"
    )


def test_a_number_in_words_a_month_and_a_weekday_are_numbers_too() -> None:
    text = "The zebra of the zoo eats hay. " + "So it is. " * 9 + "Zebras get {}. " + "So it is. " * 9
    wanted = sought({"zebra": 1.0, "zoo": 0.4}, number=True)

    for number in ("ninety bales", "hay in June", "none on Wednesdays", "sixteen bales", "hay once a day", "bales ٣"):
        assert number in excerpt(text.format(number), wanted, 40)


def test_a_heading_counts_less_than_what_stands_below_it() -> None:
    text = "### Feeding the zebra\n\nThe keeper feeds the zebra. " + "So it is. " * 9

    assert excerpt(text, sought({"zebra": 1.0, "feed": 1.0}), 40).startswith("… The keeper feeds")


SOURCES = ["We move Apollo to a new cluster.", "The move of Apollo to the cluster is done."]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Apollo moved to the new cluster.", True),
        ("The cluster is new, and Apollo moved.", True),
        ("The new cluster is that of Zeus, as Apollo moved.", False),
        ("Apollo moved to 2 new clusters.", False),
        ("", False),
    ],
)
def test_names_numbers_and_enough_of_the_words_are_in_the_sources(text: str, holds: bool) -> None:
    assert is_grounded(text, SOURCES) is holds


def test_the_share_counts_words_that_tell_something_in_any_inflection() -> None:
    assert share_of_words("Apollo has moved its clusters", SOURCES[0]) == 1
    assert share_of_words("Zeus moved", SOURCES[0]) == 0.5
    assert share_of_words("it is", SOURCES[0]) == 0


@pytest.mark.parametrize("text", ["Yes, we do.", "oh, Definitely!", "Oh not at all", "Of course", "They did."])
def test_a_yes_or_a_pronoun_begins_an_answer_that_says_little_without_its_question(text: str) -> None:
    assert is_bare_answer(text)


@pytest.mark.parametrize(
    "text", ["Nothing was said.", "Italy is warm.", "Ada said yes.", "oh", "", "Sure_thing is a name."]
)
def test_a_word_that_only_begins_like_one_of_these_does_not(text: str) -> None:
    assert not is_bare_answer(text)
