"""Memories that hold until a date."""

import pytest
from conftest import NOW
from support import Memoir, built_once

LATER = "2026-03-01T00:00:00Z"
KEY, QUESTION = "project.freeze", "is the code frozen?"


@built_once
def frozen(memoir: Memoir) -> None:
    """A store with a memory that expires on the first of February, and one that does not."""
    memoir.remember(KEY, "The code is frozen until the release", "--expires", "30d")
    memoir.remember("project.style", "Tabs, never spaces")


def keys(memoir: Memoir, *args: str, now: str = NOW) -> list[str]:
    return [each["path"] for each in memoir.json("recall", QUESTION, *args, MEMOIR_NOW=now)["memories"]]


def test_recall_leaves_it_out_from_its_date_on_unless_asked(frozen: Memoir) -> None:
    assert KEY in keys(frozen)
    assert KEY not in keys(frozen, now=LATER)
    assert KEY in keys(frozen, "--expired", now=LATER)
    assert KEY in keys(frozen, "--now", "2026-01-03", now=LATER)


def test_what_is_said_again_after_its_date_holds_again(frozen: Memoir) -> None:
    said = ("remember", "The code is frozen until the release", "-p", KEY)
    frozen.ok(*said)
    assert KEY not in keys(frozen, now=LATER)  # said again before its date, it keeps it

    assert "(confirmed)" in frozen.ok(*said, MEMOIR_NOW=LATER)

    assert KEY in keys(frozen, now=LATER) and "expired" not in frozen.ok("ls", MEMOIR_NOW=LATER)


def test_the_past_is_judged_by_its_own_time(frozen: Memoir) -> None:
    assert KEY in keys(frozen, "--at", "main", now=LATER)
    frozen.ok("remember", "later", "-p", "a.b", MEMOIR_NOW=LATER)

    assert KEY not in keys(frozen, "--at", "main", now=LATER)
    assert KEY in keys(frozen, "--at", "main~1", now=LATER)


def test_the_primer_leaves_it_out(frozen: Memoir) -> None:
    frozen.remember("rules.freeze", "Never merge during the freeze", "--expires", "30d")

    assert "Never merge" in frozen.ok("prime")
    assert "frozen" in frozen.ok("prime")
    later = frozen.ok("prime", MEMOIR_NOW=LATER)
    assert "Never merge" not in later
    assert "frozen" not in later


def test_it_stays_in_the_store_counted_and_marked(frozen: Memoir) -> None:
    listed = frozen.json("ls", MEMOIR_NOW=LATER)["keys"]

    assert [(each["key"], each.get("expired")) for each in listed] == [(KEY, True), ("project.style", None)]
    assert "project.freeze  (expired)" in frozen.ok("ls", MEMOIR_NOW=LATER)
    assert "(expired)" in frozen.ok("ls", "--long", MEMOIR_NOW=LATER)
    assert "(expired)" in frozen.ok("ls", "--tree", MEMOIR_NOW=LATER)
    assert "(expired)" not in frozen.ok("ls")
    assert frozen.json("summarize", MEMOIR_NOW=LATER)["total_memories"] == 2
    assert frozen.content(KEY) == "The code is frozen until the release"


def test_what_has_expired_can_be_listed_alone(frozen: Memoir) -> None:
    assert [each["key"] for each in frozen.json("ls", "--expired", MEMOIR_NOW=LATER)["keys"]] == [KEY]
    assert frozen.json("ls", "--expired")["keys"] == []


def test_another_date_brings_it_back(frozen: Memoir) -> None:
    frozen.ok("edit", KEY, "--expires", "never", MEMOIR_NOW=LATER)

    assert KEY in keys(frozen, now=LATER)
    assert "expires" not in frozen.json("get", KEY)["items"][0]["value"]["metadata"]
    assert frozen.json("undo")["action"].startswith("edit project.freeze")


def test_a_setting_gives_a_kind_its_time(memoir: Memoir) -> None:
    memoir.ok("config", "memoir.expire.plan", "7")
    memoir.remember("a.plan", "Move to Rust", "--kind", "plan")
    memoir.remember("a.fact", "It is Python", "--kind", "fact")
    memoir.remember("a.for-good", "Keep the tests", "--kind", "plan", "--expires", "never")

    ends = {key: memoir.json("get", key)["items"][0]["value"]["metadata"].get("expires") for key in
            ("a.plan", "a.fact", "a.for-good")}  # fmt: skip
    assert ends == {"a.plan": "2026-01-09T03:04:05Z", "a.fact": None, "a.for-good": None}


@pytest.mark.parametrize(
    ("days", "end"),
    [("36500", "2125-12-09T03:04:05Z"), ("0.5", "2026-01-02T15:04:05Z"), ("0.01", "2026-01-02T03:18:29Z")],
)
def test_a_setting_may_name_a_century_or_a_part_of_an_hour(memoir: Memoir, days: str, end: str) -> None:
    memoir.ok("config", "memoir.expire.plan", days)
    memoir.remember("a.plan", "Move to Rust", "--kind", "plan")

    assert memoir.json("get", "a.plan")["items"][0]["value"]["metadata"]["expires"] == end


def test_what_is_no_date_is_refused(memoir: Memoir) -> None:
    error = memoir.json("remember", "x", "-p", "a.b", "--expires", "soon", status=2)["error"]

    assert "not a date or a span" in error["message"]
    assert memoir.content("a.b") is None
