"""What chats export as text is read as talk, with who speaks and when; documents stay documents."""

from pathlib import Path

import pytest

from memoir.sources.chat_exports import read_export
from memoir.sources.reading import CONVERSATION, read_source

ROOT = Path(__file__).parents[2]
SYSTEM = "system"


def said(text: str) -> list[tuple[str, str, str]]:
    export = read_export(text)
    return (
        [(each.speaker, f"{each.time:%Y-%m-%d %H:%M}" if each.time else "", each.words) for each in export.turns]
        if export
        else []
    )


ADA_AND_BEN = [("Ada", "2023-05-13 10:00", "I moved to Porto."), ("Ben Li", "2023-05-13 22:05", "Nice.\nSince when?")]


@pytest.mark.parametrize(
    "text",
    [
        "[13 May 2023 10:00] Ada: I moved to Porto.\n[13 May 2023 22:05] Ben Li: Nice.\nSince when?\n",
        "[May 13th, 2023, 10:00 AM] Ada: I moved to Porto.\n[May 13th, 2023, 10:05 PM] Ben Li: Nice.\nSince when?\n",
        "[13/05/2023, 10:00:12] Ada: I moved to Porto.\n\u200e[13/05/2023, 22:05:00] Ben Li: Nice.\nSince when?\n",
        "13/05/23, 10:00 - Ada: I moved to Porto.\n13/05/23, 22:05 - Ben Li: Nice.\nSince when?\n",
        "5/13/23, 10:00\u202fAM - Ada: I moved to Porto.\n5/13/23, 10:05\u202fPM - Ben Li: Nice.\r\nSince when?\n",
        "13.05.23, 10:00 - Ada: I moved to Porto.\n13.05.23, 22:05 - Ben Li: Nice.\nSince when?\n",
        "[13.05.2023 10:00] Ada: I moved to Porto.\n[13.05.2023 22:05] Ben Li: Nice.\nSince when?\n",
        "2023/05/13 10:00 - Ada: I moved to Porto.\n2023/05/13 22:05 - Ben Li: Nice.\nSince when?\n",
    ],
)
def test_a_head_has_a_day_and_a_time_as_people_write_them(text: str) -> None:
    assert said(text) == ADA_AND_BEN


@pytest.mark.parametrize(
    "head", ["{}, [{}]", "{} — {}", "{}  {}", "{} [{}]"], ids=["Telegram", "Discord", "Slack", "Slack's older"]
)
def test_a_head_can_stand_above_the_words(head: str) -> None:
    rows = [
        ("Ada", "05/13/2023 10:00 AM", "I moved to Porto."),
        ("Ben Li", "05/13/2023 10:05 PM", "Nice.\nSince when?"),
    ]
    more = [("Ada", "05/13/2023 10:06 PM", "May.")]

    text = "\n\n".join(f"{head.format(name, when)}\n{words}" for name, when, words in rows + more)

    assert said(text) == [*ADA_AND_BEN, ("Ada", "2023-05-13 22:06", "May.")]


@pytest.mark.parametrize("clocks", [("10:00 AM", "10:05 PM"), ("10:00", "22:05")], ids=["12 hours", "24 hours"])
@pytest.mark.parametrize("when", ["{}", "Today at {}", "May 13th, 2023 at {}"])
def test_in_slacks_window_the_time_is_below_the_name(when: str, clocks: tuple[str, str]) -> None:
    heads = [f"{name}\n  {when.format(clock)}\n" for name, clock in zip(("Ada", "Ben Li"), clocks, strict=True)]
    text = f"{heads[0]}I moved to Porto\n10:01\nI like it\n{heads[1]}Nice.\n{heads[0]}Yes.\n"

    shown = [(name, words) for name, _, words in said(text)]

    assert shown == [("Ada", "I moved to Porto\n10:01\nI like it"), ("Ben Li", "Nice."), ("Ada", "Yes.")]


def test_the_chat_exporter_of_discord_has_names_behind_the_times() -> None:
    text = "[05/13/2023 10:00 AM] Ada#1234\nI moved to Porto.\n\n[05/13/2023 10:05 PM] Ben Li\nNice.\nSince when?\n"
    more = "\n[05/13/2023 10:06 PM] Ada#1234\nMay.\n"

    assert said(text + more)[:2] == ADA_AND_BEN


def test_irc_has_nicks_and_a_day_for_all_that_follows() -> None:
    text = (
        "--- Day changed Sat May 13 2023\n[10:00] <ada> I moved to Porto.\n[10:01] * ben joins\n"
        "[10:02] <@ben> Nice.\n[10:03] <ada> Since May.\n"
    )

    assert said(text)[1:] == [
        ("ada", "2023-05-13 10:00", "I moved to Porto."),
        (SYSTEM, "2023-05-13 10:01", "* ben joins"),
        ("ben", "2023-05-13 10:02", "Nice."),
        ("ada", "2023-05-13 10:03", "Since May."),
    ]


def test_times_without_a_day_stay_in_the_text() -> None:
    export = read_export("10:00 Ada: Hi.\n9:05 PM Ben: Hi.\n[10:00] Ada: x\n10:02 Ada: Bye.\n10:03 Ben: Bye.\n")

    assert export and [turn.time for turn in export.turns] == [None] * 4
    assert export.turns[1].text == "[21:05:00] Ben: Hi.\n[10:00] Ada: x\n"


def test_what_the_chat_itself_says_is_said_by_nobody() -> None:
    text = (
        "13/05/23, 10:00 - Messages and calls are end-to-end encrypted.\n"
        '13/05/23, 10:00 - Ada Lee changed the subject from "a" to "Trip: May"\n'
        "13/05/23, 10:01 - Ada Lee: <Media omitted>\n13/05/23, 10:02 - Ada Lee: I moved to Porto.\n"
        "13/05/23, 10:03 - +49 170 1234567: Nice.\n13/05/23, 10:04 - Ada Lee: Yes: very.\n"
    )

    assert [name for name, *_ in said(text)] == [SYSTEM, SYSTEM, SYSTEM, "Ada Lee", "+49 170 1234567", "Ada Lee"]


@pytest.mark.parametrize(
    ("dates", "read", "is_unsure"),
    [
        (["01/05/2023", "13/05/2023"], "2023-05-01", False),
        (["01/05/2023", "01/13/2023"], "2023-01-05", False),
        (["30/04/2023", "01/05/2023"], "2023-05-01", False),
        (["01/02/2023", "02/01/2023"], "2023-01-02", False),
        (["02/01/2023", "01/02/2023"], "2023-01-02", False),
        (["01/05/2023", "02/05/2023"], "2023-05-01", True),
        (["01.05.2023", "02.05.2023"], "2023-05-01", False),
    ],
)
def test_all_dates_decide_whether_the_day_comes_first(dates: list[str], read: str, is_unsure: bool) -> None:
    export = read_export("".join(f"{date}, 10:00 - Ada: Hi.\n" for date in [*dates, dates[-1]]))

    assert export and read in [f"{turn.time:%Y-%m-%d}" for turn in export.turns]
    assert bool(export.unsure) is is_unsure


def test_with_am_and_pm_an_unsure_month_comes_first_and_the_guess_is_named() -> None:
    export = read_export("1/5/23, 10:00 AM - Ada: Hi.\n1/5/23, 9:00 PM - Ben: Hi.\n")

    assert export and export.unsure == ("1/5/23", "2023-01-05")


MAIL = """From: Ada <ada@example.com>
Date: Sat, 13 May 2023 10:00:00 +0200
Subject: Porto

Hi Ben,
I moved.

On 13 May 2023 at 09:00, Ben wrote:
> 13/05/23, 10:00 - Ada: Hi.
> 13/05/23, 10:01 - Ada: Hi.
"""


@pytest.mark.parametrize(
    "text",
    [
        MAIL,
        "The export looks so:\n\nA line is a message:\n\n13/05/23, 10:00 - Ada: Hi.\n13/05/23, 10:01 - Ada: Ho.\n",
        "10:00 Welcome: all\n10:30 Talk: Ada\n11:00 Coffee: all\n",
        "13/05/23 10:00:01 - ERROR: disk full\n13/05/23 10:00:02 - INFO: retrying\n13/05/23 10:00:03 - ERROR: no\n",
        "Concert — 05/13/2023 10:00 AM\nIn the hall.\n\nReading — 05/14/2023 10:00 AM\nIn the library.\n",
        "45/45/23, 10:00 - Ada: Hi.\n45/45/23, 10:01 - Ada: Ho.\n",
        "1 May 2023: released 1.0\n2 May 2023: released 1.1\n",
        "[2023-05-13 10:00] Ada: Hi.\n[2023-05-13 10:01] Ben: Ho.\n",
        "",
    ],
)
def test_other_texts_are_no_exports(text: str) -> None:
    assert read_export(text) is None


def test_the_documents_of_this_project_are_no_exports() -> None:
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("man/*")]

    assert len(files) > 20
    assert [file.name for file in files if read_export(file.read_text("utf-8"))] == []


def test_a_source_that_is_an_export_is_kept_as_a_transcript() -> None:
    source = read_source("chat.txt", "13/05/23, 10:00 - Ada: I moved.\n13/05/23, 10:01 - Ben: [12:00] Ada: no.\n")

    assert source.kind == CONVERSATION
    (part,) = source.parts
    assert part.text == "[2023-05-13 10:00:00] Ada: I moved.\n[2023-05-13 10:01:00] Ben: [12:00] Ada: no.\n"
