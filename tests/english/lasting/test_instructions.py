"""Standing instructions and preferences in what a user says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.lasting.instructions import find_standing
from memoir.taxonomy.kinds import DIRECTIVE, PREFERENCE


def kinds(text: str) -> list[str]:
    return [each.kind for each in find_standing(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Always include the version of a library.",
        "Please always answer in English!",
        "And never use tabs.",
        "Make sure to always cite the source.",
        "Remember that I never eat meat, so leave it out always.",
        "From now on, write dates as 2026-01-31.",
        "Going forward we keep answers short.",
        "In all future replies leave out the greeting.",
        "When I ask about cooking, give grams.",
        "If I want a list, number it.",
        "Show the steps whenever I ask about maths.",
        "By default, use Python.",
        "Don't apologise.",
        "Avoid abbreviations.",
    ],
)
def test_an_instruction_is_told_by_its_words(text: str) -> None:
    assert kinds(text) == [DIRECTIVE]


@pytest.mark.parametrize(
    "text",
    ["I prefer tea.", "I'd rather walk.", "I would usually prefer rail.", "I like using vim.", "My preference is red."],
)
def test_a_preference_is_told_by_its_words(text: str) -> None:
    assert kinds(text) == [PREFERENCE]


@pytest.mark.parametrize(
    "text",
    [
        "Should you always include the version?",
        "He always includes the version.",
        "I have never been to Rome.",
        "If it rains, we stay.",
        "The preference pane is open.",
        "It is as in my preference statement.",
        "Can you make sure it works?",
        "```\nAlways include the version.\n```",
        "Run `never use tabs` please.",
        f"Always include {'this and that ' * 40}.",
        "",
    ],
)
def test_other_talk_is_neither(text: str) -> None:
    assert kinds(text) == []


def test_only_the_sentence_that_instructs_is_taken() -> None:
    (clause,) = find_standing("I am writing a book. Always use British spelling. What is a good title?")

    assert clause.text == "Always use British spelling."


def test_a_preference_has_its_clause_and_the_two_after_it() -> None:
    (clause,) = find_standing("For the trip, I prefer trains, slow ones, with a view, and coffee, and cake.")

    assert clause.text == "I prefer trains, slow ones, with a view"


def test_what_stands_in_a_request_is_taken_without_the_request() -> None:
    (rule,) = find_standing("From now on use metres when I ask about my garden, and can you redo the list?")
    (preference,) = find_standing("Could you draw it, as I learn best from pictures?")

    assert rule == (DIRECTIVE, "From now on use metres when I ask about my garden", "my garden")
    assert preference == (PREFERENCE, "I learn best from pictures", "")


def test_an_instruction_may_say_what_it_is_about() -> None:
    (scoped, unscoped) = find_standing("When I ask about my garden, name the month. Always use metres.")

    assert (scoped.scope, unscoped.scope) == ("my garden", "")


@given(st.lists(st.sampled_from([*"Iaf .,;:?!`~\n", "always ", "I prefer ", "when I ask ", "```"])).map("".join))
def test_any_text_is_read_and_a_clause_is_never_blank(text: str) -> None:
    assert all(each.text.strip() for each in find_standing(text))
