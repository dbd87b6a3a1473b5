"""Dates for people are local and short."""

import time

import pytest

from memoir.output.dates import local


def test_an_instant_is_shown_in_the_local_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert local("2026-11-22T20:03:59.123456Z") == "2026-11-23 05:03"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("text", ["", "no date", "0001-01-01T00:00:00+23:00"])
def test_what_is_no_instant_stays_as_it_is(text: str) -> None:
    assert local(text) == text
