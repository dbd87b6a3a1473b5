"""The classification of sentences by their grammar."""

import pytest

from memoir.english.lasting import grammar


@pytest.mark.parametrize(
    ("sentence", "order", "state"),
    [
        ("Compare these approaches", True, False),
        ("please reformat the table", True, False),
        ("test data lives in /srv", False, True),
        ("crash reports end up in a channel", False, True),
        ("refunds above 200 need a second look", False, True),
        ("On this board malloc is off limits", False, True),
        ("My partner's called Theo", False, True),
        ("the image is 4 MB, compress it", False, False),
        ("it is broken", False, False),
        ("the customer called again", False, False),
    ],
)
def test_orders_are_told_from_states(sentence: str, order: bool, state: bool) -> None:
    assert (grammar.is_order(grammar.words_of(sentence)), grammar.is_state(sentence)) == (order, state)


@pytest.mark.parametrize(
    ("sentence", "habit"),
    [
        ("In our notebooks we seed everything", True),
        ("I don't own a car", True),
        ("we're vegetarian at home", True),
        ("we want a landing page", False),
        ("I pushed a fix", False),
        ("we're looking into it", False),
    ],
)
def test_a_habit_is_in_the_plain_present(sentence: str, habit: bool) -> None:
    assert grammar.is_habit(grammar.words_of(sentence)) is habit


@pytest.mark.parametrize(
    ("sentence", "fragment"),
    [
        ("one model per commit", True),
        ("numbered steps, one command a step", True),
        ("every alert has a runbook", False),
        ("we moved", False),
    ],
)
def test_a_fragment_has_no_verb_and_nobody_who_does_something(sentence: str, fragment: bool) -> None:
    assert grammar.is_fragment(grammar.words_of(sentence)) == fragment
