"""Dates for people are local and short."""

import time
from collections.abc import Iterator
from typing import cast

import pytest

from memoir.answers.answer import local
from memoir.answers.history import reflog
from memoir.repository.repository import Repository


@pytest.fixture(params=["Asia/Tokyo", "America/New_York"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def test_an_instant_is_shown_in_the_local_time_zone(zone: str) -> None:
    shown = {"Asia/Tokyo": "2026-11-23 05:03", "America/New_York": "2026-11-22 15:03"}

    assert local("2026-11-22T20:03:59.123456Z") == shown[zone]


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize("fraction", ["", ".000002"])
def test_a_day_without_a_time_is_that_day_everywhere(fraction: str) -> None:
    assert local(f"2026-03-04T00:00:00{fraction}Z") == "2026-03-04 00:00"


@pytest.mark.parametrize("text", ["", "no date", "0001-01-01T00:00:00+23:00"])
def test_what_is_no_instant_stays_as_it_is(text: str) -> None:
    assert local(text) == text


def test_the_reflog_is_for_people_too(repository: Repository) -> None:
    repository.remember("x", "a.b")
    answer = reflog(repository, 1)

    (line,) = answer.human()
    (entry,) = cast("list[dict[str, str]]", answer.data["entries"])

    assert "  " + local(entry["date"]) + "  remember a.b" in "".join(text for text, _ in line)
