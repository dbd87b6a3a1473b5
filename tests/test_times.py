"""Dates as people type them."""

import pytest

from memoir.errors import InvalidInput
from memoir.times import (
    canonical_instant,
    end_of,
    format_instant,
    from_epoch,
    instant_at,
    looks_like_date,
    parse_date,
    parse_instant,
    read_instant,
    seconds_of,
)

SUNDAY = parse_instant("2026-11-22T10:20:00Z")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2020", "2020-01-01T00:00:00", "2020-12-31T23:59:59"),
        ("last tuesday", "2026-11-17T00:00:00", "2026-11-17T23:59:59"),
        ("Last Sunday", "2026-11-15T00:00:00", "2026-11-15T23:59:59"),
        ("saturday", "2026-11-21T00:00:00", "2026-11-21T23:59:59"),
        ("Four Days Ago", "2026-11-18T10:20:00", "2026-11-18T10:20:00"),
        ("last.week", "2026-11-15T10:20:00", "2026-11-15T10:20:00"),
        ("yesterday", "2026-11-21T00:00:00", "2026-11-21T23:59:59"),
    ],
)
def test_a_date_covers_what_its_words_say(text: str, start: str, end: str) -> None:
    assert looks_like_date(text)
    assert parse_date(text, SUNDAY) == parse_instant(f"{start}Z")
    assert end_of(text, SUNDAY) == parse_instant(f"{end}Z")


@pytest.mark.parametrize("text", ["last", "last fortnight", "202", "20200", "last  tuesday"])
def test_other_words_are_no_date(text: str) -> None:
    assert not looks_like_date(text)


def test_the_last_year_there_is_ends() -> None:
    assert end_of("9999").year == 9999


@pytest.mark.parametrize(
    "text",
    [
        "2024-11-01T00:00:00Z",
        "2024-11-01 23:59:59+00:00",
        "2024-02-29T12:30:00-0000",
        "2024-11-01T00:00:00.500Z",
        "2024-11-01T00:00:00+02:00",
        "2024-11-01T00:00:00",
        "2024-11",
    ],
)
def test_an_instant_has_one_canonical_form(text: str) -> None:
    assert canonical_instant(text) == format_instant(parse_instant(text))


@pytest.mark.parametrize(
    "text", ["2023-02-29T00:00:00Z", "2024-11-01T24:00:01Z", "2024-11-01T00:00:00Z\n", "٢٠٢٤-11-01T00:00:00Z"]
)
def test_no_quick_way_makes_an_instant_of_what_is_none(text: str) -> None:
    with pytest.raises(InvalidInput):
        canonical_instant(text)


@pytest.mark.parametrize(("seconds", "year"), [(10**30, 9999), (-(10**30), 1), (0, 1970)])
def test_a_commit_may_name_any_time(seconds: int, year: int) -> None:
    assert instant_at(seconds).year == year
    assert from_epoch(seconds).startswith(f"{year:04}-")


@pytest.mark.parametrize(
    ("value", "date"), [("2026-01-31", "2026-01-31T00:00:00Z"), ("soon", None), ("", None), (None, None), (2026, None)]
)
def test_what_anybody_may_have_written_is_a_date_or_nothing(value: object, date: str | None) -> None:
    instant = read_instant(value)
    assert (instant and format_instant(instant)) == date


def test_a_time_begins_with_one_date_and_ends_with_another() -> None:
    day = 24 * 3600

    assert seconds_of("1970-01-02", "1970-01-02") == (day, 2 * day - 1)
    assert seconds_of(None, "1970-01-01") == (None, day - 1)
    assert seconds_of("yesterday", None, SUNDAY) == (parse_date("yesterday", SUNDAY).timestamp(), None)
    with pytest.raises(InvalidInput):
        seconds_of("", None)
    with pytest.raises(InvalidInput, match="later than --until"):
        seconds_of("1970-01-02", "1970-01-01")
