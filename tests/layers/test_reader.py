"""Drafts of items: sentences as they are written, with when, who and what they name."""

import json
from datetime import UTC, datetime

import pytest

from memoir.layers.reader import date_of_event, drafts, entities
from memoir.layers.reading import read_source

SPEECH_DATE = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("I went there yesterday.", "2023-05-07"),
        ("I went there on Monday.", "2023-05-01"),
        ("We met in June 2019.", "2019-06"),
        ("We met in March.", "2023-03"),
        ("I moved here in 2016.", "2016"),
        ("We leave tomorrow.", "2023-05-09"),
        ("I went there.", None),
    ],
)
def test_a_text_says_when_as_exactly_as_it_does(text: str, when: str | None) -> None:
    assert date_of_event(text, SPEECH_DATE) == when


def test_without_the_time_of_the_talk_only_a_year_says_when() -> None:
    assert date_of_event("I went there yesterday.", None) is None
    assert date_of_event("The project moved in March 2023.", None) == "2023-03"


def test_entities_are_names_titles_code_and_identifiers() -> None:
    text = 'In Porto I read "The Hobbit" with Ana Silva, and set `read_timeout` in app.py to fix ABC-12.'

    assert entities(text) == ("Porto", "The Hobbit", "Ana Silva", "read_timeout", "ABC-12")


def test_pronouns_and_days_are_no_entities() -> None:
    text = "On Friday, and I'm sure in Porto I've met Ana's friend, and on Sun. at the Rialto's bar."

    assert entities(text) == ("Porto", "Ana", "Rialto")


def test_who_speaks_of_himself_is_the_person_of_an_item() -> None:
    text = (
        '{"speaker": "Ada", "content": "I moved to Porto yesterday. Tom lives in Rome.", "timestamp": "2023-05-08"}\n'
    )

    items = [draft for part in read_source("chat.jsonl", text).parts for draft in drafts(part)]

    assert [(draft.content, draft.kind, draft.person, draft.occurred_at) for draft in items] == [
        ("I moved to Porto yesterday.", "event", "Ada", "2023-05-07"),
        ("Tom lives in Rome.", "fact", None, None),
    ]


REQUEST = "I'm trying to plan a trip, and my daughter is allergic to nuts, so can you find a bakery in Porto?"


def items_of(*turns: tuple[str, str]) -> list[tuple[str | None, str, str]]:
    lines = "".join(json.dumps({"speaker": speaker, "content": content}) + "\n" for speaker, content in turns)
    found = [draft for part in read_source("chat.jsonl", lines).parts for draft in drafts(part)]
    return [(draft.speaker, draft.kind, draft.content) for draft in found]


def test_of_what_a_user_asks_an_assistant_the_clauses_that_last_are_items() -> None:
    assert items_of(("user", REQUEST), ("assistant", "Sure, there are two.")) == [
        ("user", "fact", "my daughter is allergic to nuts")
    ]
    assert items_of(("user", "I want to make sure the form is right."), ("assistant", "Sure.")) == []
    assert items_of(("user", "We use pnpm for all packages."), ("assistant", "Fine.")) == [
        ("user", "fact", "We use pnpm for all packages.")
    ]


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("Please remember that deploys happen on Fridays only.", ["fact"]),
        ("OK, keep in mind that the blue door sticks.", ["fact"]),
        ("please remember that I prefer tabs over spaces", ["preference"]),
        ("Please remember to water the plants.", []),
        ("Do you remember that film?", []),
        ("Please remember that it is.", []),
    ],
)
def test_what_a_user_asks_an_assistant_to_remember_is_an_item(said: str, kinds: list[str]) -> None:
    assert items_of(("user", said), ("assistant", "Noted.")) == [("user", kind, said) for kind in kinds]
    assert items_of(("Ada", "Please remember that deploys happen on Fridays only."), ("Tom", "Yes.")) == []


def test_what_people_ask_each_other_is_not_cut_at_clauses() -> None:
    assert items_of(("Ada", REQUEST), ("Tom", "Yes.")) == []


def test_a_month_in_a_plan_is_the_coming_one() -> None:
    march = datetime(2024, 3, 15, tzinfo=UTC)

    assert date_of_event("We are planning a trip to Lisbon in May.", march) == "2024-05"
    assert date_of_event("I was in Lisbon in May.", march) == "2023-05"
