"""The concepts of a text: phrases before words, and names only where they are meant."""

import pytest

from memoir.english.lexicon.spotting import concepts_of, spot, with_classes
from memoir.english.lexicon.table import RELATED, base


def spotted(text: str, *, asks: bool = False) -> dict[str, set[str]]:
    """The words that were spotted, each with its concepts."""
    return {" ".join(each.words): set(each.concepts) for each in spot(text, asks=asks)}


def test_the_longest_phrase_comes_first_and_no_word_counts_twice() -> None:
    assert spotted("Each dead letter queue is read by hand.")["dead letter queue"] == {"dead letter queue"}
    assert [each.words for each in spot("We keep an eye on it with Grafana.")] == [
        ("keep", "an", "eye", "on"), ("grafana",)
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["a crash", "it crashed", "it keeps crashing", "Crashes land here"])
def test_plurals_and_tenses_are_the_same_word(text: str) -> None:
    assert {"error tracking"} in spotted(text).values()


def test_a_word_and_a_name_meet_in_a_concept() -> None:
    said, asked = (concepts_of(spot(text)) for text in ("It lands in Rollbar", "where do errors show up?"))

    assert said["error tracking"] == asked["error tracking"] == 1


def test_a_name_that_is_an_ordinary_word_counts_with_a_capital_inside_a_sentence() -> None:
    assert spotted("We use Black for this.")["black"] == {"formatter"}
    assert "black" not in spotted("I bought black shoes.")
    assert "black" not in spotted("Black is what we use.")


def test_in_small_letters_it_counts_half_beside_a_name_of_the_same_class() -> None:
    (black,) = (each for each in spot("We run isort and black.") if each.words == ("black",))

    assert dict(black.concepts) == {"formatter": 0.5}


def test_in_a_question_small_letters_are_enough_unless_the_word_is_frequent() -> None:
    assert spotted("do we use windsurf?", asks=True)["windsurf"] == {"code editor", "ai coding assistant"}
    assert "teams" not in spotted("which teams do we have?", asks=True)
    assert spotted("do we call by Teams?", asks=True)["teams"] == {"team chat", "video call"}


def test_what_is_only_related_counts_less() -> None:
    assert concepts_of(spot("Grafana"))["alerting"] == RELATED


def test_a_short_text_is_told_the_classes_of_its_names() -> None:
    assert with_classes("Crashes land in Rollbar.") == "Crashes land in Rollbar. (error tracking)"
    assert with_classes("We bake bread.") == "We bake bread."


def test_a_long_text_says_itself_what_its_names_are() -> None:
    text = "Crashes land in Rollbar. " * 20

    assert with_classes(text) == text


@pytest.mark.parametrize(
    ("word", "expected"),
    [("releases", "releas"), ("released", "releas"), ("deploys", "deploy"), ("parties", "party"), ("running", "run"),
     ("classes", "class"), ("bus", "bus"), ("api", "api"), ("c++", "c++")],
)  # fmt: skip
def test_the_base_of_a_word_has_no_ending_of_a_plural_or_a_tense(word: str, expected: str) -> None:
    assert base(word) == expected


@pytest.mark.parametrize(
    "words",
    [
        ("care", "cares", "cared", "caring"), ("code", "coded", "coding"), ("plan", "planned", "planning"),
        ("hate", "hated"), ("cache", "caches", "cached", "caching"), ("size", "sizes", "sized"), ("file", "filing"),
        ("booking", "bookings", "booked"), ("meeting", "meetings"), ("visit", "visiting"), ("fill", "filled"),
    ],
)  # fmt: skip
def test_forms_of_one_word_have_one_base(words: tuple[str, ...]) -> None:
    assert len(set(map(base, words))) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("car", "care"), ("cod", "coding"), ("hat", "hate"), ("plan", "plane"), ("scrap", "scraping"),
        ("hop", "hoping"),
        ("book", "booked"), ("even", "evening"), ("new", "news"), ("meet", "meeting"), ("glass", "glasses"),
        ("park", "parking"), ("fill", "file"),
    ],
)  # fmt: skip
def test_different_words_have_different_bases(one: str, other: str) -> None:
    assert base(one) != base(other)


@pytest.mark.parametrize("text", ["Thanks! I'm a fan of Bach.", "He has a positive attitude.", "That is the wire."])
def test_small_words_are_no_names(text: str) -> None:
    assert not any(each.words[0] in ("m", "a", "the") for each in spot(text))


@pytest.mark.parametrize("text", ["", "?!", "\x00\ud800", "zzqx " * 10_000])
def test_any_text_can_be_read(text: str) -> None:
    assert not spot(text) and not spot(text, asks=True)
