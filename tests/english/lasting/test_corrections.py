"""Lasting corrections are told from corrections of the current task."""

import pytest

from memoir.english.lasting.corrections import correction, is_objection, is_use


@pytest.mark.parametrize(
    ("sentence", "lasts"),
    [
        ("that's wrong, the staging db is on 5433", "the staging db is on 5433"),
        ("wrong port: staging listens on 5433", "staging listens on 5433"),
        ("no no, orders owns the table", "orders owns the table"),
        (
            "actually it's the other way round: the worker writes and the api reads",
            "the worker writes and the api reads",
        ),
        ("Sorry, what I told you was wrong: releases are weekly", "releases are weekly"),
        ("No, run make check instead", "run make check instead"),
        ("no, we deploy with helmfile, can you try again", "we deploy with helmfile"),
        ("Not npm, we use pnpm here", "Not npm, we use pnpm here"),
        ("no, not Alpine: it's debian-slim", "not Alpine: it's debian-slim"),
    ],
)
def test_what_is_so_in_place_of_something_lasts(sentence: str, lasts: str) -> None:
    assert correction(sentence) == lasts


@pytest.mark.parametrize(
    "sentence",
    [
        "the staging db is on 5433",
        "no, the second one",
        "no, I meant the other file",
        "wrong line, it's 41 not 14",
        "no, use the second one instead",
        "no, use revision 12 instead",
        "that's wrong, the button should be on the left",
        "that's wrong, the total gives 12",
        "no, the page is still broken",
        "correction: rename the file to notes.txt",
        "correction: is the port 5433?",
        "Not sure, we use pnpm I think",
        "not that file, the other one",
        "not the toolbar, the tab bar",
        "no, the port is 5433 for this test",
        "that's wrong, " + "the staging db is on 5433 " * 40,
    ],
)
def test_what_corrects_the_task_at_hand_does_not(sentence: str) -> None:
    assert correction(sentence) == ""


def test_what_follows_an_objection_corrects() -> None:
    assert is_objection("That's wrong again.") and not is_objection("That's wrong, it is 12.")
    assert correction("The gateway listens on 8443.", "That's wrong again.") == "The gateway listens on 8443."
    assert correction("The gateway listens on 8443.", "Thanks.") == ""


def test_only_what_has_a_name_is_to_be_used_from_now_on() -> None:
    assert is_use("make fmt is slow, run `just fmt` instead")
    assert not is_use("use that instead") and not is_use("use httpx")
