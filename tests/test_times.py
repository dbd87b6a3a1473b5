"""Dates as people type them."""

import pytest

from memoir.times import end_of, looks_like_date, parse_date, parse_instant

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
