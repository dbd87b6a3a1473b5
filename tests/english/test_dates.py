"""The times named in a query, seen from Friday, 2 January 2026, 03:04:05 UTC."""

import math
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english import dates, said_dates
from memoir.english.dates import Span, find_times, written_in

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def days(query: str, now: datetime = NOW) -> list[str]:
    """The spans of a query, as `first day..last day`."""
    return [f"{_day(span.start)}..{_day(span.end)}" for span in find_times(query, now.timestamp())[0]]


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")


def test_a_habit_is_not_one_day() -> None:
    assert days("What do we do on Tuesday mornings?") == []
    assert days("What did we do on Tuesday morning?") == ["2025-12-30..2025-12-30"]


@pytest.mark.parametrize(
    ("query", "span"),
    [
        ("What happened on 2023-06-05?", "2023-06-05..2023-06-05"),
        ("notes of 2023-06", "2023-06-01..2023-06-30"),
        ("What was said on 5.06.2023?", "2023-06-05..2023-06-05"),
        ("the invoice of 31/12/2022", "2022-12-31..2022-12-31"),
        ("the invoice of 12/31/2022", "2022-12-31..2022-12-31"),
        ("5 June 2023", "2023-06-05..2023-06-05"),
        ("the 5th of June, 2023", "2023-06-05..2023-06-05"),
        ("June 5th, 2023", "2023-06-05..2023-06-05"),
        ("Jun. 5 2023", "2023-06-05..2023-06-05"),
        ("in June 2023", "2023-06-01..2023-06-30"),
        ("February of 2024", "2024-02-01..2024-02-29"),
        ("Sept 2023", "2023-09-01..2023-09-30"),
        ("during 2023", "2023-01-01..2023-12-31"),
        ("summer 2023", "2023-06-01..2023-08-31"),
        ("the winter of 2023", "2023-12-01..2024-02-29"),
        ("the fall of 2022", "2022-09-01..2022-11-30"),
        ("today", "2026-01-02..2026-01-02"),
        ("what did I eat yesterday?", "2026-01-01..2026-01-01"),
        ("the day before yesterday", "2025-12-31..2025-12-31"),
        ("last night", "2026-01-01..2026-01-01"),
        ("this morning", "2026-01-02..2026-01-02"),
        ("plans for tomorrow", "2026-01-03..2026-01-03"),
        ("three days ago", "2025-12-30..2025-12-30"),
        ("a day ago", "2026-01-01..2026-01-01"),
        ("two weeks ago", "2025-12-16..2025-12-22"),
        ("a couple of weeks ago", "2025-12-16..2025-12-22"),
        ("a month ago", "2025-11-18..2025-12-18"),
        ("2 years ago", "2023-07-05..2024-07-03"),
        ("in the last 3 months", "2025-10-04..2026-01-02"),
        ("the past few days", "2025-12-30..2026-01-02"),
        ("this week", "2025-12-29..2026-01-04"),
        ("last week", "2025-12-22..2025-12-28"),
        ("next week", "2026-01-05..2026-01-11"),
        ("last weekend", "2025-12-27..2025-12-28"),
        ("this month", "2026-01-01..2026-01-31"),
        ("last month", "2025-12-01..2025-12-31"),
        ("next month", "2026-02-01..2026-02-28"),
        ("last year", "2025-01-01..2025-12-31"),
        ("the previous year", "2025-01-01..2025-12-31"),
        ("on Monday", "2025-12-29..2025-12-29"),
        ("on Friday", "2025-12-26..2025-12-26"),
        ("last Thursday", "2026-01-01..2026-01-01"),
        ("this Friday", "2026-01-02..2026-01-02"),
        ("next Sunday", "2026-01-04..2026-01-04"),
        ("last spring", "2025-03-01..2025-05-31"),
        ("last winter", "2024-12-01..2025-02-28"),
        ("this summer", "2026-06-01..2026-08-31"),
        ("next autumn", "2027-09-01..2027-11-30"),
        ("WHAT HAPPENED LAST WEEK", "2025-12-22..2025-12-28"),
    ],
)
def test_a_time_is_read(query: str, span: str) -> None:
    assert days(query) == [span]


def test_a_date_whose_day_may_be_its_month_is_either() -> None:
    assert days("due 2/1/2023") == ["2023-01-02..2023-01-02", "2023-02-01..2023-02-01"]
    assert days("due 3/3/2023") == ["2023-03-03..2023-03-03"]


@pytest.mark.parametrize("query", ["the host 10.1.2.2024", "the build 1.2.2024.5"])
def test_part_of_a_longer_row_of_numbers_is_no_date(query: str) -> None:
    assert days(query) == ["2024-01-01..2024-12-31"]


@pytest.mark.parametrize(
    "query",
    [
        "", "how do we test?", "May I ask you something?", "she may come", "march on!", "a second ago today's",
        "the port is 8080", "call 555-1234", "the last straw", "Mondays", "the spring broke", "fall asleep",
        "decide on it", "2023-13", "30 February 2023 and no more",
    ],
)  # fmt: skip
def test_other_words_are_no_times(query: str) -> None:
    expected = {"a second ago today's": ["2026-01-02..2026-01-02"], "2023-13": ["2023-01-01..2023-12-31"]}
    expected["30 February 2023 and no more"] = ["2023-02-01..2023-02-28"]

    assert days(query) == expected.get(query, [])


def test_several_times_are_read_once_each_the_most_exact_first() -> None:
    assert days("between 5 June 2023 and last week, or in 2021") == [
        "2023-06-05..2023-06-05", "2025-12-22..2025-12-28", "2021-01-01..2021-12-31"
    ]  # fmt: skip


def test_a_day_without_a_year_is_that_of_any_of_the_last_ten() -> None:
    spans = days("on 25 December")

    assert spans == [f"{year}-12-25..{year}-12-25" for year in range(2026, 2016, -1)]
    assert days("in June")[:2] == ["2026-06-01..2026-06-30", "2025-06-01..2025-06-30"]
    assert days("29 February") == [f"{year}-02-29..{year}-02-29" for year in (2024, 2020)]


def test_a_leap_day_and_a_turn_of_the_year_are_in_the_calendar() -> None:
    leap = datetime(2024, 2, 29, tzinfo=UTC)

    assert days("last year", leap) == ["2023-01-01..2023-12-31"]
    assert days("next month", datetime(2025, 12, 31, tzinfo=UTC)) == ["2026-01-01..2026-01-31"]
    assert days("last month", datetime(2026, 3, 31, tzinfo=UTC)) == ["2026-02-01..2026-02-28"]
    assert days("last week", datetime(2026, 1, 5, tzinfo=UTC)) == ["2025-12-29..2026-01-04"]


def test_times_outside_the_calendar_are_none() -> None:
    assert days("9999 years ago") == []
    assert days("last year", datetime(1, 1, 1, tzinfo=UTC)) == []


def test_a_span_holds_what_was_told_within_a_week_of_it() -> None:
    day = 86_400.0
    span = Span(10 * day, 11 * day)

    assert [span.holds(at * day) for at in (9.9, 10, 11, 17.9, 18.1)] == [False, True, True, True, False]


def test_a_day_has_digits_and_a_text_may_give_a_date_of_a_time() -> None:
    (day,), (month,) = (find_times(query, NOW.timestamp())[0] for query in ("on 4 March 2025", "in March 2025"))

    assert (day.day, month.day) == ("2025-03-04", "")
    assert written_in("down on 2025-03-04T09:30", [day]) and written_in("2025-03-31: up again", [month])
    assert not any(written_in(text, [day]) for text in ("2025-03-05", "12025-03-04", "2025-03-041", "2025-13-40", ""))


@pytest.mark.parametrize(
    "text",
    ["04.03.2025", "4.3.25", "3/4/2025", "04/03/25", "March 4, 2025", "4th of March 2025", "4 Mar 2025", "2025-03-04"],
)
def test_a_day_is_written_in_many_ways(text: str) -> None:
    (day,), _ = find_times("on 4 March 2025", NOW.timestamp())
    (month,), _ = find_times("in March 2025", NOW.timestamp())

    assert written_in(f"The audit was on {text}.", [day]) and written_in(text, [month])
    assert {"2025-03-04", "04", "4", "03", "march", "2025"} == {*day.words.split()} and month.words == ""


@pytest.mark.parametrize("text", ["4 March", "every March 4th", "the 4th of March"])
def test_a_day_without_a_year_is_that_day_of_any_year(text: str) -> None:
    days = [find_times(query, NOW.timestamp())[0] for query in ("on 4 March 2025", "on March 4")]
    others = [find_times(query, NOW.timestamp())[0] for query in ("on 5 March 2025", "on March 5", "in March 2025")]

    assert all(written_in(text, times) for times in days) and not any(written_in(text, times) for times in others)


def test_of_a_year_only_dates_in_digits_are_read() -> None:
    (year,), _ = find_times("in 2025", NOW.timestamp())

    assert written_in("2025-03-04", [year]) and not written_in("4 March 2025", [year])


@pytest.mark.parametrize(
    "text", ["10.4.3.25", "4.3.25.1", "4.3.250", "1/4/3/25", "4.13.2025", "4 March 2024", "March 2025"]
)
def test_what_only_looks_like_a_day_is_none(text: str) -> None:
    (day,), _ = find_times("on 4 March 2025", NOW.timestamp())

    assert not written_in(text, [day])


WORDS = st.sampled_from(
    """last next this past on in of the a two 31 30 2023 1999 0 9999 99 day days week month months year years ago june
    may sept. feb monday friday spring winter night weekend morning couple few before yesterday 2024-02-30 -
    """.split()  # noqa: SIM905
)


@given(st.lists(WORDS | st.text(max_size=5), max_size=12).map(" ".join), st.datetimes())
def test_any_words_at_any_time_give_spans_that_begin_before_they_end(query: str, now: datetime) -> None:
    for span in find_times(query, now.replace(tzinfo=UTC).timestamp())[0]:
        assert math.isfinite(span.start) and span.start <= span.end
        assert not span.day or written_in(span.day, [span])


_WORDS = [
    "last",
    "past",
    "this",
    "next",
    "on",
    "in",
    "of",
    "a two",
    "couple of",
    "spring",
    "monday",
    "fridays",
    "weeks",
    "weekend",
    "month",
    "year",
    "days",
    "ago",
    "yesterday",
    "tonight",
    "night",
    "2023",
    "2024-05",
    "3rd",
    "may",
    "june",
    "5",
    "in about",
    "from now",
    "back",
    "late-",
    "sept.",
    "june 5",
]


@given(st.lists(st.sampled_from(_WORDS), max_size=8).map(" ".join))
def test_a_pattern_that_is_not_compiled_for_a_text_is_not_in_it(text: str) -> None:
    for pattern, _ in (*dates.READERS, *said_dates._OF_A_COUNT):
        found = [match.span() for match in dates._find_all(pattern, text)]

        assert found == [match.span() for match in dates._compiled(pattern).finditer(text)]
