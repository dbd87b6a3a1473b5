"""An assistant's notes on its user are read in the first person; notes on a program's users are not."""

import pytest

from memoir.english.first_person import in_first_person, in_words_of


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("User is allergic to peanuts", "I am allergic to peanuts"),
        ("The user doesn’t eat meat", "I don't eat meat"),
        ("User studies law, and works at night.", "I study law, and works at night."),
        ("the user teaches maths", "I teach maths"),
        ("User wishes for tea", "I wish for tea"),
        ("User is married", "I am married"),
        ("User moved to Porto in May", "I moved to Porto in May"),
        ("User's wife is Ana", "My wife is Ana"),
        ("User's name is Ada", "My name is Ada"),
        ("The user’s favorite editor is Vim\nand always was", "My favorite editor is Vim\nand always was"),
    ],
)
def test_a_note_about_the_user_is_read_as_if_the_user_said_it(text: str, own: str) -> None:
    assert in_first_person(text) == own


@pytest.mark.parametrize(
    "text",
    [
        "User sessions expire after an hour",
        "Users are people",
        "The user is always redirected to the login page",
        "User was deleted by the nightly job",
        "The user's session is kept in Redis",
        "The user's name field is required",
        "user",
        "User is",
        "A user likes this page",
        "",
    ],
)
def test_what_is_about_the_users_of_a_program_stays_as_it_is(text: str) -> None:
    assert in_first_person(text) == text


@pytest.mark.parametrize("text", ["Ada prefers tea", "Ada Palmer prefers tea"])
def test_the_taste_of_a_user_by_name_is_read_as_if_the_user_said_it(text: str) -> None:
    assert in_words_of("Ada Palmer", text) == "I prefer tea"


@pytest.mark.parametrize(
    "text", ["Ben prefers tea", "Ada Byron prefers tea", "Adam prefers tea", "Ada owns billing", "Ada"]
)
def test_the_taste_of_others_and_other_statements_stay_as_they_are(text: str) -> None:
    assert in_words_of("Ada Palmer", text) == text
    assert in_words_of("", text) == text
