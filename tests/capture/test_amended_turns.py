"""What opens a user's next turn and amends the one before is read with it."""

import pytest

from memoir.capture.amended_turns import amended_turns
from memoir.capture.spool import SessionTurn

MONDAY = "The release day is Monday."


def texts(*turns: tuple[str, str], sessions: str = "aaaa") -> list[str]:
    spoken = zip(turns, sessions, strict=False)
    return [each.text for each in amended_turns(SessionTurn("claude", s, 0, *turn) for turn, s in spoken)]


def test_the_amendment_moves_to_what_it_amends_and_the_rest_of_its_turn_stays() -> None:
    answer = "Noted: the release day is Monday."
    said = texts(("user", MONDAY), ("assistant", answer), ("user", "Actually Tuesday. Fix the parser."))
    assert said == [f"{MONDAY}\nActually Tuesday.", answer, " Fix the parser."]


def test_the_last_of_several_amendments_moves_too() -> None:
    said = texts(("user", f"{MONDAY} Actually Tuesday."), ("user", "No, Wednesday."))
    assert said == [f"{MONDAY} Actually Tuesday.\nNo, Wednesday.", ""]


@pytest.mark.parametrize(
    ("turns", "sessions"),
    [
        ((("user", MONDAY), ("assistant", "Shall I book the room for Friday?"), ("user", "Actually Tuesday.")), "aaa"),
        ((("user", MONDAY), ("user", "Fix the parser."), ("user", "Actually Tuesday.")), "aaa"),
        ((("user", MONDAY), ("user", "Actually Tuesday.")), "ab"),
        ((("assistant", MONDAY), ("user", "Actually Tuesday.")), "aa"),
        ((("user", "The timeout is 30 seconds."), ("assistant", "Retries are 5 now."), ("user", "No, 3.")), "aaa"),
        ((("user", MONDAY), ("user", "")), "aa"),
    ],
)
def test_an_answer_another_session_and_what_was_said_before_that_are_left_alone(
    turns: tuple[tuple[str, str], ...], sessions: str
) -> None:
    assert texts(*turns, sessions=sessions) == [text for _, text in turns]
