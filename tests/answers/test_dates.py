"""Dates for people are local and short."""

import time
from typing import cast

import pytest

from memoir.answers.answer import local
from memoir.answers.history import reflog
from memoir.repository.repository import Repository


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


def test_the_reflog_is_for_people_too(repository: Repository) -> None:
    repository.remember("x", "a.b")
    answer = reflog(repository, 1)

    (line,) = answer.human()
    (entry,) = cast("list[dict[str, str]]", answer.data["entries"])

    assert "  " + local(entry["date"]) + "  remember a.b" in "".join(text for text, _ in line)
