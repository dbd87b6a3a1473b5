"""The times that a speaker names, each as it was meant when it was said."""

from datetime import UTC, datetime

import pytest

from memoir.english.said_dates import said_times

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
"""A Friday."""
SPRING = datetime(2024, 5, 15, 12, tzinfo=UTC)
"""A Wednesday."""


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def meant(text: str, now: datetime = NOW) -> list[str]:
    """The times of a text as it was meant, as `words: first day..last day`."""
    return [
        f"{each.text}: {_day(each.span.start)}..{_day(each.span.end)}" for each in said_times(text, now.timestamp())
    ]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("We are planning a trip to Lisbon in May", "in May: 2026-05-01..2026-05-31"),
        ("In May we'll go to Lisbon", "In May: 2026-05-01..2026-05-31"),
        ("I went to Lisbon in May", "in May: 2025-05-01..2025-05-31"),
        ("A trip to Lisbon in May", "in May: 2026-05-01..2026-05-31"),
        ("A trip to Lisbon in November", "in November: 2025-11-01..2025-11-30"),
        ("I start again on the 19th of February", "19th of February: 2026-02-19..2026-02-19"),
        ("I went to Rome in May and will stay here", "in May: 2025-05-01..2025-05-31"),
        ("I went to Rome. I'm going to see Lisbon in May", "in May: 2026-05-01..2026-05-31"),
        ("The exam is going to be on January 20", "January 20: 2026-01-20..2026-01-20"),
        ("We have booked it for the 1st of January", "1st of January: 2027-01-01..2027-01-01"),
        ("I will see her on Monday", "on Monday: 2026-01-05..2026-01-05"),
        ("I saw her on Monday", "on Monday: 2025-12-29..2025-12-29"),
        ("We made macarons last week", "last week: 2025-12-22..2025-12-28"),
        ("We will make macarons next week", "next week: 2026-01-05..2026-01-11"),
    ],
)
def test_a_time_without_a_year_is_the_latest_or_the_coming_one_as_the_sentence_means_it(text: str, time: str) -> None:
    assert meant(text) == [time]


def test_a_long_text_without_full_stops_is_read_at_once() -> None:
    text = "we went there yesterday and next week we will " * 2000

    assert [each.text for each in said_times(text, NOW.timestamp())] == ["yesterday", "next week"] * 2000


def test_times_come_in_the_order_of_the_text_and_those_with_a_year_depend_on_nothing() -> None:
    said = said_times("Yesterday I read what I wrote in June 2023", NOW.timestamp())

    assert [(each.text, each.is_relative) for each in said] == [("Yesterday", True), ("June 2023", False)]


@pytest.mark.parametrize(
    ("text", "words", "time"),
    [
        ("My exam is in two weeks.", "in two weeks", "2024-05-26..2024-06-01"),
        ("We will move in a month.", "in a month", "2024-05-30..2024-06-29"),
        ("I'm flying out in three days!", "in three days", "2024-05-18..2024-05-18"),
        ("The term starts in a couple of weeks.", "in a couple of weeks", "2024-05-26..2024-06-01"),
        ("The lease ends in six months.", "in six months", "2024-10-27..2024-11-26"),
        ("Two weeks from now we go live.", "two weeks from now", "2024-05-26..2024-06-01"),
        ("I'm going to work with two bloggers in the next few months.", "next few months", "2024-05-15..2024-08-13"),
        ("She will be abroad for the next two weeks.", "next two weeks", "2024-05-15..2024-05-29"),
        ("Two weekends ago we hiked.", "two weekends ago", "2024-05-04..2024-05-05"),
        ("We met the weekend before last.", "weekend before last", "2024-05-04..2024-05-05"),
        ("It broke the week before last.", "week before last", "2024-04-29..2024-05-05"),
        ("He left the year before last.", "year before last", "2022-01-01..2022-12-31"),
        ("The review is the week after next.", "week after next", "2024-05-27..2024-06-02"),
        ("I'll call the day after tomorrow.", "day after tomorrow", "2024-05-17..2024-05-17"),
        ("We moved here a few years back.", "a few years back", "2020-11-15..2021-11-14"),
        ("See you this coming Friday.", "this coming Friday", "2024-05-17..2024-05-17"),
        ("The upcoming Monday is a holiday.", "upcoming Monday", "2024-05-20..2024-05-20"),
        ("This coming weekend we paint.", "This coming weekend", "2024-05-18..2024-05-19"),
        ("The coming week is full.", "coming week", "2024-05-20..2024-05-26"),
        ("We started in mid-January last year.", "mid-January last year", "2023-01-01..2023-01-31"),
        ("It was in March of last year.", "March of last year", "2023-03-01..2023-03-31"),
        ("We ship in October this year.", "October this year", "2024-10-01..2024-10-31"),
        ("It has run since mid-January.", "mid-January", "2024-01-01..2024-01-31"),
        ("We met this past Friday.", "past Friday", "2024-05-10..2024-05-10"),
        ("I saw her a couple of days ago.", "a couple of days ago", "2024-05-13..2024-05-13"),
        ("Next month we travel.", "Next month", "2024-06-01..2024-06-30"),
        ("She arrived on Monday.", "on Monday", "2024-05-13..2024-05-13"),
        ("I'm going to see her on Friday.", "on Friday", "2024-05-17..2024-05-17"),
    ],
)
def test_what_people_say_of_a_time_is_dated_from_the_day_on_which_they_say_it(text: str, words: str, time: str) -> None:
    (said,) = meant(text, SPRING)

    assert words.lower() in said.lower() and said.endswith(time)


@pytest.mark.parametrize(
    "text",
    [
        "Deploys go out on Tuesday mornings.",
        "Never deploy on Friday.",
        "We decided never to deploy on Friday.",
        "Don't merge on Friday afternoon.",
        "Standup is every Monday.",
        "Rome wasn't built in a day.",
        "She learned it in two weeks.",
        "I finished the book in a week.",
        "Releases go out on the last Friday of the month.",
        "The office is closed on Monday.",
        "Enjoy the last two weeks of the holidays.",
        "We always clean on Saturday.",
        "It takes three meetings in a week.",
        "You can learn it in a month.",
        "The last week of winter break is quiet.",
        "Invoices are sent on Friday.",
        "Every release needs a review on Thursday.",
    ],
)
def test_a_rule_a_habit_and_how_long_something_takes_have_no_date(text: str) -> None:
    assert meant(text, SPRING) == []
